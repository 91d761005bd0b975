import { readdir, readFile } from "node:fs/promises";

/** MiB in memory, by process name. */
export type MemoryUse = Record<string, number>;

/**
 * Memory of processes. For Postgres, the sum of its processes, each with its share of shared pages.
 *
 * @param pids by name; a process that has ended counts nothing.
 */
export async function readMemory(pids: Readonly<Record<string, number>>): Promise<MemoryUse> {
  const use: MemoryUse = {};
  for (const [name, pid] of Object.entries(pids)) {
    const family = name === "postgres" ? [pid, ...(await childrenOf(pid))] : [pid];
    const sizes = await Promise.all(family.map(proportionalKiB));
    use[name] = Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024);
  }
  return use;
}

async function proportionalKiB(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
}

async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    if (Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent) children.push(Number(name));
  }
  return children;
}

/** Reads once a second until it is told to stop. */
export function watchMemory(pids: Readonly<Record<string, number>>): { readings: MemoryUse[]; stop(): void } {
  const readings: MemoryUse[] = [];
  const timer = setInterval(() => void readMemory(pids).then((use) => readings.push(use)), 1_000);
  return { readings, stop: () => clearInterval(timer) };
}
