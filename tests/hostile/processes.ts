import { readdirSync, readFileSync } from "node:fs";

/** A running process. */
export interface Process {
  pid: number;
  parent: number;
  command: string;
}

/** A process and all below it. */
export function processesBelow(root: number): Process[] {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : []));
  const below: Process[] = [];
  for (let wanted = [root]; wanted.length > 0; ) {
    below.push(...all.filter(({ pid }) => wanted.includes(pid)));
    wanted = all.filter(({ parent }) => wanted.includes(parent)).map(({ pid }) => pid);
  }
  return below;
}

export function isRunning(pid: number): boolean {
  return readProcess(pid) !== undefined;
}

/** Undefined where there is none, or it has ended and nobody has asked for its status. */
function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The program's name, in brackets, may have spaces.
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
    return { pid, parent: Number(parent), command };
  } catch {
    return undefined;
  }
}
