import { readdir, readFile } from "node:fs/promises";
import { readUsage } from "../process-usage.ts";

/** CPU time that processes had used at a moment, by process id, with the name of the side. */
export type CpuReading = ReadonlyMap<string, { name: string; usedMs: number }>;

/** Milliseconds of CPU time, by name. */
export type CpuUse = Record<string, number>;

/**
 * Reads the CPU time that processes have used so far. Processes on another machine, or without /proc, are missing.
 *
 * @param processes names and ids; several ids may have one name.
 * @param database database whose sessions have the name `postgres`.
 */
export async function readCpu(
  processes: readonly (readonly [string, number])[],
  database: string,
): Promise<CpuReading> {
  const named = [...processes.map(([name, pid]) => [name, String(pid)] as const), ...(await readSessions(database))];
  const reading = new Map<string, { name: string; usedMs: number }>();
  for (const [name, pid] of named) {
    const usage = await readUsage(Number(pid));
    if (usage !== undefined) reading.set(pid, { name, usedMs: usage.cpuSeconds * 1_000 });
  }
  return reading;
}

/**
 * Reads the CPU time that the processes of Postgres servers have used so far: sessions, and what writes, sends and replays the log.
 *
 * @param servers names, and ids of the first processes.
 */
export async function readServersCpu(servers: readonly (readonly [string, number])[]): Promise<CpuReading> {
  const reading = new Map<string, { name: string; usedMs: number }>();
  for (const pid of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    const name = servers.find(([, first]) => first === parent || first === Number(pid))?.[0];
    const usage = name === undefined ? undefined : await readUsage(Number(pid));
    if (name !== undefined && usage !== undefined) reading.set(pid, { name, usedMs: usage.cpuSeconds * 1_000 });
  }
  return reading;
}

/** Returns the CPU time between two readings. A session that ended in between is left out. */
export function cpuBetween(before: CpuReading, after: CpuReading): CpuUse {
  const use: CpuUse = {};
  for (const [pid, { name, usedMs }] of after) {
    use[name] = (use[name] ?? 0) + usedMs - (before.get(pid)?.usedMs ?? 0);
  }
  return use;
}

/** Finds a database's processes by their titles, `postgres: USER DATABASE HOST(PORT) STATE`. */
async function readSessions(database: string): Promise<[string, string][]> {
  const sessions: [string, string][] = [];
  for (const pid of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(pid)) continue;
    const title = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (title.startsWith("postgres: ") && title.includes(` ${database} `)) sessions.push(["postgres", pid]);
  }
  return sessions;
}
