import { fileURLToPath } from "node:url";
import type { Connection } from "../../database/connection.ts";
import { type ProcessUsage, readUsage } from "../process-usage.ts";

export interface CommandRun {
  seconds: number;
  /** CPU time of the command and of the database's processes that served it. */
  cpuSeconds: number;
  /** Peak memory of the command. */
  peakMegabytes: number | undefined;
  /** Peak memory at half of the time. */
  halfwayMegabytes: number | undefined;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const sampleMs = 200;

/**
 * Runs `npm run import` with these words, and samples its use of CPU and memory.
 *
 * @param server connection to the Postgres on this machine that it writes to; absent for the embedded one.
 * @throws {Error} when its exit status is not 0.
 */
export async function runImportCommand(
  words: string[],
  environment: Record<string, string>,
  server?: Connection,
): Promise<CommandRun> {
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
    // Without the operator's database, into which the generated records would go in place of the embedded one.
    env: { ...environment, DATABASE_URL: "" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const usages: ProcessUsage[] = [];
  const cpuByBackend = new Map<number, number>();
  const sampling = setInterval(async () => {
    const usage = await readUsage(child.pid);
    if (usage !== undefined) usages.push(usage);
    for (const pid of server === undefined ? [] : await readBackends(server)) {
      const backend = await readUsage(pid);
      if (backend !== undefined) cpuByBackend.set(pid, backend.cpuSeconds);
    }
  }, sampleMs);
  const { code, stderr } = await child.output();
  clearInterval(sampling);
  const seconds = (performance.now() - started) / 1_000;
  if (code !== 0) throw new Error(`the import ended with ${code}: ${new TextDecoder().decode(stderr)}`);
  return {
    seconds,
    cpuSeconds: [usages.at(-1)?.cpuSeconds ?? 0, ...cpuByBackend.values()].reduce((sum, more) => sum + more, 0),
    peakMegabytes: usages.at(-1)?.peakMegabytes,
    halfwayMegabytes: usages[Math.floor(usages.length / 2)]?.peakMegabytes,
  };
}

/** Reads the ids of the database's processes that serve the command. */
async function readBackends(server: Connection): Promise<number[]> {
  const rows = await server.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return rows.map(({ pid }) => pid);
}
