import { readdirSync, readFileSync } from "node:fs";

/** A process and those that it started. */
export interface ProcessTree {
  name: string;
  pid: number;
}

/**
 * Memory of a process and its descendants, in MiB. Pages that several share (Postgres's buffers) count once.
 *
 * @throws when there is no such process.
 */
export function memoryOf({ pid }: ProcessTree): number {
  const children = childrenOf();
  const all = [pid];
  for (const one of all) all.push(...(children.get(one) ?? []));
  const kibibytes = all.map((one) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${one}/smaps_rollup`, "utf8"))?.[1] ?? 0);
    } catch (error) {
      // A backend may end while it is looked for; the process itself may not.
      if (one === pid) throw error;
      return 0;
    }
  });
  return Math.round(kibibytes.reduce((sum, one) => sum + one, 0) / 1024);
}

function childrenOf(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const pid of readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    try {
      // The name, in brackets, may hold anything.
      const parent = Number(
        readFileSync(`/proc/${pid}/stat`, "utf8")
          .replace(/^.*\) /s, "")
          .split(" ")[1],
      );
      children.set(parent, [...(children.get(parent) ?? []), pid]);
    } catch {
      // It ended meanwhile.
    }
  }
  return children;
}
