import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export interface CommandRun {
  seconds: number;
  /** The most memory that the process had; undefined where the system does not tell. */
  peakMegabytes: number | undefined;
  /** The same when it was half through its time. */
  halfwayMegabytes: number | undefined;
  stdout: string;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const sampleMs = 200;

/**
 * Runs `npm run import` with these words, and watches its memory.
 *
 * @throws {Error} when its exit status is not 0.
 */
export async function runImportCommand(words: string[], environment: Record<string, string>): Promise<CommandRun> {
  const started = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--allow-all",
      "--no-lock",
      "--no-remote",
      "--no-prompt",
      "cli/import.ts",
      ...words,
      "--no-fit",
    ],
    cwd: root,
    env: environment,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const peaks: number[] = [];
  const sampling = setInterval(async () => {
    const peak = await peakMegabytesOf(child.pid);
    if (peak !== undefined) peaks.push(peak);
  }, sampleMs);
  const { code, stdout, stderr } = await child.output();
  clearInterval(sampling);
  const text = new TextDecoder();
  if (code !== 0) throw new Error(`npm run import ${words.join(" ")} ended with ${code}: ${text.decode(stderr)}`);
  return {
    seconds: (performance.now() - started) / 1_000,
    peakMegabytes: peaks.at(-1),
    halfwayMegabytes: peaks[Math.floor(peaks.length / 2)],
    stdout: text.decode(stdout),
  };
}

/** Linux keeps the high-water mark of a process's resident memory. */
async function peakMegabytesOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1_024);
}
