import type { UpkeepDone } from "../../shared/database/rpc.ts";
import { type Connection, queryValue } from "../connection.ts";
import { vacuum } from "../vacuum.ts";
import { withoutStatementTimeout } from "../without-statement-timeout.ts";

/** Tables of segments, from which merges, cleaning and fits delete. */
export const segmentTables: readonly string[] = [
  "blocks",
  "bitmaps",
  "ranks",
  "postings",
  "segment_values",
  "segment_slices",
  "retired_slots",
];

/**
 * Indexes the records that came or changed since the last time, in segments, and cleans these. Makes lexemes of an earlier version anew, and the
 * statistics of funders and the suggestions where they are due. Records of a transaction that still runs are left to the next call.
 *
 * @throws when a dataset's cannot be indexed. They are found all the same, each by itself.
 */
export async function sealRecords(connection: Connection): Promise<void> {
  for (let calls = 0; ; calls++) {
    const [row] = await withoutStatementTimeout(connection, (transaction) =>
      transaction.query<{ result: UpkeepDone }>("select public.seal_records() as result"),
    );
    if (row === undefined) return;
    const { failures, ...counts } = row.result;
    if (failures.length > 0) throw new Error(`the new records could not be indexed: ${failures.join("; ")}`);
    if (Object.values(counts).some((count) => count > 0)) continue;
    if (calls > 0) await vacuum(connection, segmentTables);
    return;
  }
}

/** Most attempts at a renewal while another session is in the way, one a second. */
const maximumLooks = 120;

/**
 * Makes lexemes that an earlier version made anew, if there are any: this version reads some texts differently. It does so in small
 * batches, and tries again each second while another session is in the way, for two minutes. {@link sealRecords} goes on with the rest.
 *
 * @param report called once, before the first batch.
 * @returns the obstacle, in words, or undefined when no such lexemes are left.
 */
export async function renewDocuments(
  connection: Connection,
  report: (step: string) => void,
): Promise<string | undefined> {
  if (!(await hasOutdatedDocuments(connection))) return undefined;
  report("reading texts anew that an earlier version indexed");
  for (let looks = 1; ; looks++) {
    const failure = await sealRecords(connection).then(
      () => undefined,
      (error) => String(error.message ?? error),
    );
    if (!(await hasOutdatedDocuments(connection))) return undefined;
    if (looks === maximumLooks) return failure ?? "others write these records all the time";
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** Whether records may have lexemes of an earlier version. */
export async function hasOutdatedDocuments(connection: Connection): Promise<boolean> {
  return queryValue<boolean>(connection, "select funding.has_outdated_documents()");
}
