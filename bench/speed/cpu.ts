import { readdir, readFile } from "node:fs/promises";

/** The CPU that processes had used at a moment: by process id, whose it is and how much, in milliseconds. */
export type CpuReading = ReadonlyMap<string, { name: string; usedMs: number }>;

/** Milliseconds of CPU by the name of who used it. */
export type CpuUse = Record<string, number>;

/** Linux counts in hundredths of a second. */
const tickMs = 10;

/**
 * Reads what processes have used so far. Where there is no /proc, or the database is on another
 * machine, what cannot be seen is missing.
 *
 * @param processes ids by name; several ids may go by one name.
 * @param database its sessions go by the name `postgres`.
 */
export async function readCpu(
  processes: readonly (readonly [string, number])[],
  database: string,
): Promise<CpuReading> {
  const named = [...processes.map(([name, pid]) => [name, String(pid)] as const), ...(await sessionsOf(database))];
  const reading = new Map<string, { name: string; usedMs: number }>();
  for (const [name, pid] of named) {
    const usedMs = await cpuOf(pid);
    if (usedMs !== undefined) reading.set(pid, { name, usedMs });
  }
  return reading;
}

/** What was used between two readings. A session that ended in between is left out. */
export function cpuBetween(before: CpuReading, after: CpuReading): CpuUse {
  const use: CpuUse = {};
  for (const [pid, { name, usedMs }] of after) {
    use[name] = (use[name] ?? 0) + usedMs - (before.get(pid)?.usedMs ?? 0);
  }
  return use;
}

/** Postgres titles its processes: `postgres: USER DATABASE HOST(PORT) STATE`. */
async function sessionsOf(database: string): Promise<[string, string][]> {
  const sessions: [string, string][] = [];
  for (const pid of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(pid)) continue;
    const title = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (title.startsWith("postgres: ") && title.includes(` ${database} `)) sessions.push(["postgres", pid]);
  }
  return sessions;
}

/** User and system time: fields 14 and 15 of proc(5)'s stat, counted after the name, which may hold anything. */
async function cpuOf(pid: string): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) * tickMs;
}
