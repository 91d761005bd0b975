import type { Connection } from "../../database/connection.ts";
import type { Row } from "../read/row.ts";
import { type RunOptions, type RunResult, runImport } from "../run-import.ts";
import { commonGrantsAt } from "../sources/common-grants.ts";
import { namedMapping } from "../sources/named.ts";
import type { GetJson } from "./client.ts";
import { readCursor, saveCursor } from "./cursor.ts";
import { OpportunityWalk } from "./walk.ts";

export interface ApiImportOptions
  extends Omit<RunOptions, "importer" | "file" | "asOf" | "prepare" | "connect" | "readAgain"> {
  /** List of opportunities: `listAddress`. */
  address: URL;
  /** The `source` of the records that are not of Grants.gov. */
  source: string;
  getJson: GetJson;
  /** Absent on a dry run, which reads the whole list. */
  connection?: Connection | undefined;
  nowMs?: number;
}

const grantsGov = "grants-gov";

/**
 * Imports what changed in an API of CommonGrants since its last complete import, as {@link runImport} does. After an interruption, the next run goes
 * on where the rows of this one ended. `isFull` reads the whole list, and archives the source's records that it lacks.
 *
 * @throws {InputError} when the API does not answer as the protocol says.
 */
export async function importApi(options: ApiImportOptions): Promise<RunResult> {
  const { address, source, getJson, connection, nowMs = Date.now(), summary } = options;
  const cursor = connection === undefined ? {} : await readCursor(connection, source, address.href);
  const walk = new OpportunityWalk(address, getJson, { cursor, isFull: options.isFull ?? false, nowMs });
  const rows = walk.rows();
  const first = await rows.next();
  const save = (reached: ReturnType<typeof walk.cursorAfter>) =>
    connection === undefined || reached === undefined
      ? Promise.resolve()
      : saveCursor(connection, source, address.href, reached);
  let result: RunResult = { outcome: "completed" };
  if (!first.done) {
    const commonGrants = { ...commonGrantsAt(address), recordSource: source };
    result = await runImport(withFirst(first.value, rows), {
      ...options,
      // What is archived of Grants.gov, its extract says: the API is one of several sources of these records.
      isFull: options.isFull === true && source !== grantsGov,
      prepare: namedMapping(commonGrants),
      importer: commonGrants.name,
      file: address.href,
      asOf: new Date(nowMs),
      ...(connection === undefined ? {} : { connect: () => Promise.resolve([connection]) }),
      report: async (written) => {
        await options.report?.(written);
        await save(walk.cursorAfter(summary.read));
      },
    });
  }
  await save(walk.cursorAtEnd());
  const warning = walk.warning();
  return warning === undefined || result.outcome === "refused" ? result : { ...result, warning };
}

async function* withFirst(first: Row, rest: AsyncGenerator<Row>): AsyncGenerator<Row> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
