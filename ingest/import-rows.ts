import type { Connection } from "../database/connection.ts";
import { BatchWriter } from "./batch-writer.ts";
import { measureRow, RowDecider, type RowMapping } from "./decide-row.ts";
import { DerivedIds } from "./derived-ids.ts";
import type { RejectSink } from "./entry-file.ts";
import { InputError } from "./errors.ts";
import type { PlaceReadingMode } from "./fields/place.ts";
import { IdTable } from "./id-table.ts";
import type { NoteSink } from "./notes.ts";
import { peek } from "./peek.ts";
import { type GoodRow, isBroken, type Row } from "./read/row.ts";
import type { Dataset } from "./record.ts";
import type { RawRow } from "./sources/source.ts";
import type { ImportSummary } from "./summary.ts";

/** Makes the mapping of a file from its first rows, or refuses the file. */
export type PrepareMapping = (sample: readonly RawRow[]) => RowMapping & {
  unusedColumns: string[];
  /** Columns of the source that a file lacks, and that its records miss. Called after the last row. */
  missingColumns?(): string[];
  /**
   * Called before each row: gathers facts that the mapping needs from other rows.
   *
   * @param isCut whether a file was cut in a row.
   */
  beforeRow?(row: GoodRow, isCut: (row: Row) => boolean): void | Promise<void>;
  /** Sentences for the summary about ambiguous dates: how they were read. */
  dateNotes?(): string[];
};

export interface ImportOptions {
  prepare: PrepareMapping;
  /**
   * Opens the database, after the input and the mapping were checked. With several connections, as many batches are
   * written at a time. Absent on a dry run.
   */
  connect?(mapping: RowMapping): Promise<readonly Connection[]>;
  /** Whether the source's files end with a line break, so that one without it was cut. Called after `connect`. */
  expectsFinalLineBreak?(): boolean;
  /** Stored records that were changed then or later stay as they are. Called after `connect`. */
  keptSince?(): Date | undefined;
  /** When the input was written, where the database is to note that it had its records. Called after `connect`. */
  seenAt?(): Date | undefined;
  /** How states are read. Default: `guess`. */
  places?: PlaceReadingMode;
  /** Whether the input is the source's full list, so that current records that it lacks are archived. Default: as the mapping says. */
  isFull?: boolean | undefined;
  /** Reads the input once more, from its first row. Called for records without an identifier of their own, while the first reading is in progress. */
  readAgain?(): AsyncIterable<Row>;
  rejects: RejectSink;
  /** Receiver of what was left out of the records or assumed of them. */
  notes?: NoteSink;
  /** Called after every batch, and awaited. */
  report?(summary: ImportSummary): unknown;
  /** When aborted, the import ends after the current batch and throws the signal's reason. */
  signal?: AbortSignal;
  /** Gets the counts of the rows by outcome, also when the import fails. */
  summary: ImportSummary;
}

export interface ImportResult {
  mapping: RowMapping;
  /** Has the identifiers of the rows. */
  decider: RowDecider;
  /** Whether every file that consists of lines ended with a line break. */
  hasFinalLineBreak: boolean;
}

/** Rows that a mapping is checked against. More than one, because JSON rows need not have every member. */
const sampleRows = 100;
/** Size of the sample at which it ends earlier, since it is kept in memory. */
const sampleCharacters = 16_000_000;

/**
 * Imports rows. A bad row goes to the rejects and does not affect the others. Rows that were read before an error are
 * written before the error is thrown.
 *
 * @throws {InputError} when there is no row, or the input fails.
 * @throws {MappingError} when the mapping does not fit.
 */
export async function importRows(input: AsyncIterable<Row>, options: ImportOptions): Promise<ImportResult> {
  const { sample, rows, failure } = await peek(input, sampleRows, { size: sampleCharacters, sizeOf: measureRow });
  const [first] = sample;
  if (first === undefined) throw failure ?? new InputError("has no rows");
  const readable = sample.flatMap((row) => (isBroken(row) ? [] : [row.values]));
  if (readable.length === 0 && isBroken(first)) {
    throw new InputError(
      `has no row that can be read among its first ${sample.length} (line ${first.line}: ${first.reason})`,
    );
  }
  const { unusedColumns, missingColumns, beforeRow, dateNotes, ...mapping } = options.prepare(readable);
  options.summary.unusedColumns = unusedColumns;
  const connections = (await options.connect?.(mapping)) ?? [];
  const isCut = (row: Row) => row.unterminated !== undefined && options.expectsFinalLineBreak?.() === true;
  const decider: RowDecider = new RowDecider(mapping, options.places, (dataset) => {
    const { isFull = mapping.isFull ?? false, readAgain } = options;
    const { source, constants = new Set() } = mapping;
    const known = () => readStoredIds(connections[0], dataset, source);
    const lookAhead = async () => {
      if (readAgain === undefined) return undefined;
      return readIdentities(readAgain(), dataset, decider, async (row) => {
        await beforeRow?.(row, isCut);
        return !isCut(row);
      });
    };
    return new DerivedIds({ known, lookAhead, isFull, constants });
  });
  const writer = new BatchWriter(connections, options, options.summary);
  let hasFinalLineBreak = true;
  const early = new EarlyRows(async (row) => {
    await writer.add(await decider.decide(row));
    options.signal?.throwIfAborted();
  });
  try {
    for await (const row of rows) {
      if (row.unterminated !== undefined) hasFinalLineBreak = false;
      if (!isBroken(row)) await beforeRow?.(row, isCut);
      if (!isBroken(row) && mapping.isEarly?.(row.values) === true) {
        await early.add(row);
        continue;
      }
      await writer.add(await decider.decide(isCut(row) && row.unterminated === "doubtful" ? rejectCutRow(row) : row));
      if (isCut(row)) throw new InputError(lacksFinalLineBreak);
      options.signal?.throwIfAborted();
    }
    await early.decideAll();
  } catch (error) {
    try {
      if (error instanceof InputError) await early.decideAll();
    } finally {
      await writer.endAfterFailure();
    }
    throw error;
  } finally {
    options.summary.dateNotes = dateNotes?.() ?? [];
    options.summary.missingColumns = missingColumns?.() ?? [];
    options.summary.shapeNotes = decider.describeIdentity();
  }
  await writer.end();
  return { mapping, decider, hasFinalLineBreak };
}

/** Rows of early stages that wait for the others, at most 64 million characters of them; then the first are decided. */
class EarlyRows {
  readonly #decide: (row: Row) => Promise<void>;
  #rows: Row[] = [];
  #characters = 0;

  constructor(decide: (row: Row) => Promise<void>) {
    this.#decide = decide;
  }

  async add(row: Row): Promise<void> {
    this.#rows.push(row);
    this.#characters += measureRow(row);
    if (this.#characters > 64_000_000) await this.decideAll();
  }

  async decideAll(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    this.#characters = 0;
    for (const row of rows) await this.#decide(row);
  }
}

const storedIdsPage = 10_000;

/** Yields the identifiers of a source's stored records, archived ones too. */
async function* readStoredIds(
  connection: Connection | undefined,
  dataset: Dataset,
  source: string,
): AsyncGenerator<string> {
  if (connection === undefined) return;
  for (let last = ""; ; ) {
    const page = await connection.query<{ source_id: string }>(
      `select source_id from funding.${dataset} where source = $1 and source_id > $2 order by source_id limit ${storedIdsPage}`,
      [source, last],
    );
    for (const { source_id } of page) yield source_id;
    if (page.length < storedIdsPage) return;
    last = page.at(-1)?.source_id ?? "";
  }
}

/**
 * Reads the identities of an input's records that have no identifier of their own. Undefined where the input cannot be read to its end.
 *
 * @param isRead called before each row: whether the row counts.
 */
async function readIdentities(
  rows: AsyncIterable<Row>,
  dataset: Dataset,
  decider: RowDecider,
  isRead: (row: GoodRow) => Promise<boolean>,
): Promise<IdTable | undefined> {
  const table = new IdTable();
  try {
    for await (const row of rows) {
      if (isBroken(row) || !(await isRead(row))) continue;
      for (const { dataset: own, identity } of decider.identitiesOf(row))
        if (own === dataset) table.add(identity.head, identity.tail);
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return undefined;
  }
  return table;
}

const lacksFinalLineBreak =
  "is cut short: it does not end with a line break, as this source's earlier files did. If it is complete, --force imports it";

/** Turns a row whose last value may be cut into a broken row. */
function rejectCutRow(row: Row): Row {
  if (isBroken(row)) return row;
  return { ...row, reason: "the file ends in this row, without a line break", text: JSON.stringify(row.values) };
}
