import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readParameters } from "./list-requests.ts";
import { summarizeRounds, type Timing } from "./row.ts";

/**
 * Makes a statement of a pgbench script that calls the RPC of the list endpoint.
 *
 * @param isNew whether nothing of it may be cached: it then has a filter with a moment before all records, a different one
 *   each time.
 */
export function rpcStatement(keyHash: string, request: string, isNew: boolean): string {
  // With a space after each colon, since pgbench reads `:name` as a variable.
  const parameters = JSON.stringify(readParameters(request), null, 1).replaceAll("'", "''");
  if (!isNew) return `select public.list_grants('${keyHash}', '${parameters}');\n`;
  return `\\set unseen random(1, 300000000000)
select public.list_grants('${keyHash}', '${parameters}'
  || jsonb_build_object('posted_after', timestamptz 'epoch' + :unseen ::bigint * interval '1 ms'));\n`;
}

/**
 * Times statements with pgbench: one client, prepared statements, drawn at random.
 *
 * @param rounds average number of executions of each.
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
      statements.map(async (statement, index) => {
        const path = join(folder, `${index}.sql`);
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
    return summarizeRounds([parseLog(await readFile(join(folder, log ?? ""), "utf8"))]);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads pgbench's log. The third field of a line is the transaction's time in microseconds. */
function parseLog(log: string) {
  const times = log
    .trim()
    .split("\n")
    .map((line) => Number(line.split(" ")[2]) / 1000);
  return { times, elapsedMs: times.reduce((sum, time) => sum + time, 0) };
}
