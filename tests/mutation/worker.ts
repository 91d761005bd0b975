import type { PGlite } from "@electric-sql/pglite";
import { openPgtapDatabase, pgtapFiles, runPgtapFile } from "../sql/pgtap-database.ts";

/** A function of the database, and the files of the SQL suite that call it, quickest first. */
export interface CoveredFunction {
  oid: number;
  name: string;
  definition: string;
  body: string;
  files: string[];
}

/** Task of a worker. */
export type WorkerTask = { kind: "cover" } | { kind: "try"; statement: string; restore: string; files: string[] };
/** Answer of a worker. */
export type WorkerAnswer =
  | { kind: "covered"; functions: CoveredFunction[] }
  | { kind: "tried"; outcome: "killed" | "survived" | "invalid" };

declare const self: {
  onmessage: (event: { data: WorkerTask }) => void;
  postMessage(answer: WorkerAnswer): void;
};

const database = openPgtapDatabase();

self.onmessage = async ({ data: task }) => {
  const opened = await database;
  self.postMessage(
    task.kind === "cover"
      ? { kind: "covered", functions: await cover(opened) }
      : { kind: "tried", outcome: await tryMutant(opened, task) },
  );
};

/** Finds out which files call which functions. */
async function cover(opened: PGlite): Promise<CoveredFunction[]> {
  await opened.exec("set track_functions = 'all'");
  const calls = new Map<number, { name: string; seconds: number }[]>();
  for (const name of pgtapFiles) {
    await opened.exec("select pg_stat_reset()");
    const started = performance.now();
    const faults = await runPgtapFile(opened, name);
    if (faults.length > 0) throw new Error(`${name} fails without any mutation: ${faults[0]}`);
    const seconds = (performance.now() - started) / 1_000;
    await opened.exec("select pg_stat_force_next_flush()");
    const { rows } = await opened.query<{ oid: number }>(
      "select funcid::int as oid from pg_stat_user_functions where schemaname in ('funding', 'public')",
    );
    for (const { oid } of rows) calls.set(oid, [...(calls.get(oid) ?? []), { name, seconds }]);
  }
  await opened.exec("set track_functions = 'none'");
  const { rows } = await opened.query<Omit<CoveredFunction, "files">>(
    `select oid::int as oid, oid::regprocedure::text as name, pg_get_functiondef(oid) as definition, prosrc as body
     from pg_proc where oid::int = any ($1) and prokind = 'f' order by 2`,
    [[...calls.keys()]],
  );
  return rows.map((row) => ({
    ...row,
    files: (calls.get(row.oid) ?? []).sort((one, other) => one.seconds - other.seconds).map(({ name }) => name),
  }));
}

async function tryMutant(
  opened: PGlite,
  { statement, restore, files }: Extract<WorkerTask, { kind: "try" }>,
): Promise<"killed" | "survived" | "invalid"> {
  try {
    await opened.exec(statement);
  } catch {
    return "invalid";
  }
  try {
    for (const name of files) if ((await runPgtapFile(opened, name)).length > 0) return "killed";
    return "survived";
  } catch {
    return "killed";
  } finally {
    await opened.exec(restore);
  }
}
