import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parametersOf } from "./parameters.ts";
import type { Timing } from "./row.ts";
import { timingOf } from "./timing.ts";

/**
 * The RPC of the list endpoint as a statement of a pgbench script.
 *
 * @param isNew whether nothing of it may be remembered: then it asks for what was posted after a moment before all
 * records, another each time.
 */
export function rpcStatement(keyHash: string, request: string, isNew: boolean): string {
  // With a space after each colon, since pgbench takes `:name` for a variable.
  const parameters = JSON.stringify(parametersOf(request), null, 1).replaceAll("'", "''");
  if (!isNew) return `select public.list_grants('${keyHash}', '${parameters}');\n`;
  return `\\set unseen random(1, 300000000000)
select public.list_grants('${keyHash}', '${parameters}'
  || jsonb_build_object('posted_after', timestamptz 'epoch' + :unseen ::bigint * interval '1 ms'));\n`;
}

/**
 * Times statements with pgbench: one client, prepared statements, drawn at random.
 *
 * @param rounds how often each is asked on average.
 * @returns undefined when pgbench is not installed.
 */
export async function timeWithPgbench(
  databaseUrl: string,
  statements: readonly string[],
  rounds: number,
): Promise<Timing | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "bench-pgbench-"));
  try {
    const scripts = await Promise.all(
      statements.map(async (statement, place) => {
        const path = join(folder, `${place}.sql`);
        await writeFile(path, statement);
        return `--file=${path}`;
      }),
    );
    const { success, stderr } = await new Deno.Command("pgbench", {
      args: [
        ...["--no-vacuum", "--protocol=prepared", "--client=1", `--transactions=${statements.length * rounds}`],
        ...["--log", `--log-prefix=${join(folder, "log")}`, ...scripts, databaseUrl],
      ],
    }).output();
    if (!success) throw new Error(`pgbench failed: ${new TextDecoder().decode(stderr)}`);
    const log = (await readdir(folder)).find((name) => name.startsWith("log"));
    return timingOf([roundOf(await readFile(join(folder, log ?? ""), "utf8"))]);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The third field of a line of pgbench's log is the transaction's time in microseconds. */
function roundOf(log: string) {
  const times = log
    .trim()
    .split("\n")
    .map((line) => Number(line.split(" ")[2]) / 1000);
  return { times, elapsedMs: times.reduce((sum, time) => sum + time, 0) };
}
