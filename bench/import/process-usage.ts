import { readFile } from "node:fs/promises";

/** What a process has used so far, as Linux counts it. */
export interface ProcessUsage {
  /** Of one core; unlike time on the clock, it does not grow with what else the machine does. */
  cpuSeconds: number;
  /** The most memory that it had. */
  peakMegabytes: number;
}

/** The kernel's unit for times in /proc is a hundredth of a second on every Linux that Postgres runs on. */
const ticksPerSecond = 100;

/** Undefined where there is no such process, or no /proc. */
export async function usageOf(pid: number): Promise<ProcessUsage | undefined> {
  const [stat, status] = await Promise.all(
    ["stat", "status"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")),
  );
  // The name in parentheses may have spaces; user and system time are the 12th and 13th field after it.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status ?? "")?.[1];
  if (fields.length < 13 || kilobytes === undefined) return undefined;
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    peakMegabytes: Math.round(Number(kilobytes) / 1_024),
  };
}
