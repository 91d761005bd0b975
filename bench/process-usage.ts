import { readFile } from "node:fs/promises";

/** Resources that a process has used so far, as Linux counts them. */
export interface ProcessUsage {
  /** Seconds of one core. Unlike wall-clock time, they do not depend on other load on the machine. */
  cpuSeconds: number;
  /** Resident memory now, and at its peak. */
  memoryMegabytes: number;
  peakMegabytes: number;
}

/** Unit of times in /proc: a hundredth of a second on every Linux that Postgres runs on. */
const ticksPerSecond = 100;

/** Reads the use of a process. Undefined when there is no such process, or no /proc. */
export async function readUsage(pid: number): Promise<ProcessUsage | undefined> {
  const [stat, status] = await Promise.all(
    ["stat", "status"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")),
  );
  // The name in parentheses may have spaces. User and system time are the 12th and 13th field after it.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  const megabytes = (field: string) => {
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status ?? "")?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1_024);
  };
  const [memoryMegabytes, peakMegabytes] = [megabytes("VmRSS"), megabytes("VmHWM")];
  if (fields.length < 13 || memoryMegabytes === undefined || peakMegabytes === undefined) return undefined;
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    memoryMegabytes,
    peakMegabytes,
  };
}
