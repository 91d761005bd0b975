import type { Connection } from "../database/connection.ts";
import { type RowDecision, toReject } from "./decide-row.ts";
import type { Reject, RejectSink } from "./entry-file.ts";
import { loadBatch } from "./load.ts";
import type { DatasetRecord } from "./normalize/normalize.ts";
import { type NoteEntry, type NoteSink, toNoteEntry } from "./notes.ts";
import { describePlace } from "./read/row.ts";
import type { Dataset, RecordUpdate } from "./record.ts";
import { noteSeen } from "./sightings.ts";
import { addCounts, type ImportSummary } from "./summary.ts";

/** Size of a batch: 500 rows, or fewer long ones. Its records of one dataset are written in one transaction. */
const batchRows = 500;
const batchCharacters = 4_000_000;

/** Order of writing: funders first, since the others refer to them. */
const loadOrder: readonly Dataset[] = ["funders", "grants", "contracts"];

type Accepted = Extract<RowDecision, { kind: "records" }>;

interface Options {
  rejects: RejectSink;
  notes?: NoteSink;
  report?(summary: ImportSummary): unknown;
  /** Stored records that were changed then or later stay as they are. Called for each batch. */
  keptSince?(): Date | undefined;
  /** When the input was written, where it is to be noted of its records. Called for each batch. */
  seenAt?(): Date | undefined;
  /** When aborted, no further batch is written. */
  signal?: AbortSignal;
}

/**
 * Writes rows in batches, one batch at a time on each connection, and counts the rows by outcome. Meanwhile it
 * gathers the next batch.
 */
export class BatchWriter {
  readonly #idleConnections: (Connection | undefined)[];
  readonly #options: Options;
  readonly #summary: ImportSummary;
  readonly #writing = new Set<Promise<void>>();
  #batch: RowDecision[] = [];
  #characters = 0;
  #failure: { error: unknown } | undefined;

  /** @param connections to write on; none on a dry run. */
  constructor(connections: readonly Connection[], options: Options, summary: ImportSummary) {
    this.#idleConnections = connections.length === 0 ? [undefined] : [...connections];
    this.#options = options;
    this.#summary = summary;
  }

  /** Adds a row. @throws the error of an earlier batch. */
  async add(decision: RowDecision): Promise<void> {
    if (decision.kind === "records" && decision.supersedes !== undefined) this.#supersede(decision);
    this.#batch.push(decision);
    this.#characters += decision.size;
    if (this.#batch.length >= batchRows || this.#characters >= batchCharacters) await this.#flush();
  }

  /** Writes the last batch and waits for all batches. */
  async end(): Promise<void> {
    await this.#flush();
    await Promise.all(this.#writing);
    this.#throwFailure();
  }

  /**
   * Ends after a failure. If the input failed, writes the last batch; if writing failed or the import was aborted, only
   * waits for the batches in progress, and the next run writes the rest.
   */
  async endAfterFailure(): Promise<void> {
    if (this.#failure !== undefined || this.#options.signal?.aborted) await Promise.all(this.#writing);
    else await this.end();
  }

  /** Takes an earlier row of a record out of the batch, so that the record is written once. One of an earlier batch is written over. */
  #supersede({ records, row }: Accepted): void {
    const id = records[0]?.record.source_id;
    const isEarlier = (decision: RowDecision): decision is Accepted =>
      decision.kind === "records" && decision.records[0]?.record.source_id === id;
    const index = this.#batch.findIndex(isEarlier);
    const earlier = this.#batch[index];
    if (id === undefined || earlier?.kind !== "records") return;
    const reject = toReject(earlier.row, `${describePlace(row)} has a later version of the record`, id);
    this.#batch[index] = { kind: "repeated", reject, size: earlier.size };
  }

  async #flush(): Promise<void> {
    while (this.#idleConnections.length === 0) await Promise.race(this.#writing);
    this.#throwFailure();
    this.#options.signal?.throwIfAborted();
    const batch = this.#batch;
    this.#batch = [];
    this.#characters = 0;
    if (batch.length === 0) return;
    const connection = this.#idleConnections.pop();
    const writing = this.#write(batch, connection)
      .catch((error) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#writing.delete(writing);
        this.#idleConnections.push(connection);
      });
    this.#writing.add(writing);
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #write(batch: readonly RowDecision[], connection: Connection | undefined): Promise<void> {
    const summary = this.#summary;
    const rejects: Reject[] = [];
    const accepted = batch.filter((decision) => decision.kind === "records");
    for (const dataset of loadOrder) rejects.push(...(await this.#load(connection, dataset, accepted)));
    const refused = new Set(rejects.map(describePlace));
    const notes: NoteEntry[] = [];
    for (const decision of batch) {
      summary.read++;
      if (decision.kind === "records") {
        const { row, records } = decision;
        if (refused.has(describePlace(row))) continue;
        const id = records[0]?.record.source_id ?? null;
        notes.push(...decision.notes.map((note) => toNoteEntry(row, id, note)));
      } else {
        summary[decision.kind]++;
        rejects.push(decision.reject);
      }
    }
    for (const note of notes) summary.notes.add(note);
    await this.#options.rejects.write(
      rejects.sort((one, other) => one.line - other.line || (one.record ?? 0) - (other.record ?? 0)),
    );
    await this.#options.notes?.write(notes);
    await this.#options.report?.(summary);
  }

  /** Writes the batch's records of a dataset. Returns those that the database refused. */
  async #load<Name extends Dataset>(
    connection: Connection | undefined,
    dataset: Name,
    accepted: readonly Accepted[],
  ): Promise<Reject[]> {
    const items = accepted.flatMap(({ row, records }) =>
      records.filter(belongsTo(dataset)).map(({ record }) => ({ row, record })),
    );
    if (items.length === 0) return [];
    if (connection === undefined) {
      addCounts(this.#summary, dataset, { accepted: items.length });
      return [];
    }
    const { refused, ...counts } = await loadBatch(
      connection,
      dataset,
      items.map(({ record }) => record),
      this.#options.keptSince?.(),
    );
    const seenAt = this.#options.seenAt?.();
    if (seenAt !== undefined) {
      await noteSeen(
        connection,
        dataset,
        items.map(({ record }) => record),
        seenAt,
      );
    }
    addCounts(this.#summary, dataset, counts);
    this.#summary.rejected += refused.length;
    return refused.flatMap(({ index, reason }) => {
      const item = items[index];
      return item === undefined ? [] : [toReject(item.row, `the database: ${reason}`, item.record.source_id)];
    });
  }
}

function belongsTo<Name extends Dataset>(dataset: Name) {
  return (item: DatasetRecord): item is DatasetRecord & { dataset: Name; record: RecordUpdate<Name> } =>
    item.dataset === dataset;
}
