import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { databaseUrl } from "../service.ts";

/** A run of `npm run lexicon`. */
export interface Refit {
  status: number | null;
  seconds: number;
  /** Lines that it printed, with the second of each. */
  lines: { second: number; line: string }[];
  /** Peak memory of its processes together, in MiB. */
  peakMiB: number;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));
const sampleMs = 100;

export async function runRefit(words: string[]): Promise<Refit> {
  const started = performance.now();
  const second = () => Math.round((performance.now() - started) / 100) / 10;
  const child = spawn("npm", ["run", "--silent", "lexicon", "--", ...words], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: Refit["lines"] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.split("\n")) if (line.trim() !== "") lines.push({ second: second(), line: line.trim() });
    });
  }
  let peakMiB = 0;
  const sampler = setInterval(() => {
    peakMiB = Math.max(peakMiB, residentMiB(descendants(child.pid ?? 0)));
  }, sampleMs);
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearInterval(sampler);
  return { status, seconds: second(), lines, peakMiB };
}

/** The memory of a server's processes, in MiB: what each has to itself, and what they share once. */
export function serverMiB(backendPid: number): number {
  const postmaster = statusOf(backendPid)?.parent;
  if (postmaster === undefined) return 0;
  const processes = descendants(postmaster).map(statusOf);
  const own = processes.reduce((sum, process) => sum + (process?.ownKiB ?? 0), 0);
  const shared = Math.max(...processes.map((process) => process?.sharedKiB ?? 0));
  return Math.round((own + shared) / 1024);
}

function residentMiB(pids: number[]): number {
  const kib = pids.map((pid) => statusOf(pid)?.residentKiB ?? 0).reduce((sum, each) => sum + each, 0);
  return Math.round(kib / 1024);
}

interface ProcessStatus {
  parent: number;
  residentKiB: number;
  ownKiB: number;
  sharedKiB: number;
}

/** Linux's status of a process, or undefined when there is none. */
function statusOf(pid: number): ProcessStatus | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
    return {
      parent: field("PPid"),
      residentKiB: field("VmRSS"),
      ownKiB: field("RssAnon"),
      sharedKiB: field("RssShmem"),
    };
  } catch {
    return undefined;
  }
}

/** A process, its children, theirs, and so on. */
function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (/^\d+$/.test(name)) parents.set(Number(name), statusOf(Number(name))?.parent ?? 0);
  }
  const found = [pid];
  for (const ancestor of found) {
    for (const [child, parent] of parents) if (parent === ancestor) found.push(child);
  }
  return found;
}
