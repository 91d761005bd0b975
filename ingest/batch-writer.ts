import type { Connection } from "../database/connection.ts";
import { type RowDecision, rejectOf } from "./decide-row.ts";
import { loadBatch } from "./load.ts";
import type { DatasetRecord } from "./normalize/normalize.ts";
import type { Dataset, RecordUpdate } from "./record.ts";
import type { Reject, RejectSink } from "./reject-file.ts";
import { addCounts, type ImportSummary } from "./summary.ts";

/** A batch is 500 rows, or fewer of long ones; its records of one dataset are one transaction. */
const batchRows = 500;
const batchCharacters = 4_000_000;

/** Funders first, since the others refer to them. */
const loadOrder: readonly Dataset[] = ["funders", "grants", "contracts"];

type Accepted = Extract<RowDecision, { kind: "records" }>;

interface Options {
  rejects: RejectSink;
  report?(summary: ImportSummary): void;
  /** When aborted, no further batch is written. */
  signal?: AbortSignal;
}

/** Writes rows in batches, one while the next is being read, and counts what became of them. */
export class BatchWriter {
  readonly #connection: Connection | undefined;
  readonly #options: Options;
  readonly #summary: ImportSummary;
  #batch: RowDecision[] = [];
  #characters = 0;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  /** @param connection absent on a dry run. */
  constructor(connection: Connection | undefined, options: Options, summary: ImportSummary) {
    this.#connection = connection;
    this.#options = options;
    this.#summary = summary;
  }

  /** Takes a row. Throws what went wrong with an earlier batch. */
  async add(decision: RowDecision): Promise<void> {
    this.#batch.push(decision);
    this.#characters += decision.size;
    if (this.#batch.length >= batchRows || this.#characters >= batchCharacters) await this.#flush();
  }

  /** Writes what is left, and waits for it. */
  async end(): Promise<void> {
    await this.#flush();
    await this.#writing;
  }

  /**
   * Writes what is left, after the input failed; where the import was stopped, or writing itself failed, that is
   * for the next run, and this waits for the batch at hand.
   */
  async endAfterFailure(): Promise<void> {
    if (this.#hasFailed || this.#options.signal?.aborted) await this.#writing.catch(() => undefined);
    else await this.end();
  }

  async #flush(): Promise<void> {
    await this.#writing;
    this.#options.signal?.throwIfAborted();
    const batch = this.#batch;
    this.#batch = [];
    this.#characters = 0;
    if (batch.length === 0) return;
    this.#writing = this.#write(batch);
    // The next flush waits for it and throws its failure, which must not count as unhandled until then.
    this.#writing.catch(() => {
      this.#hasFailed = true;
    });
  }

  async #write(batch: readonly RowDecision[]): Promise<void> {
    const summary = this.#summary;
    const rejects: Reject[] = [];
    const accepted = batch.filter((decision) => decision.kind === "records");
    for (const dataset of loadOrder) rejects.push(...(await this.#load(dataset, accepted)));
    for (const decision of batch) {
      summary.read++;
      if (decision.kind === "records") {
        for (const note of decision.notes) summary.notes.set(note, (summary.notes.get(note) ?? 0) + 1);
      } else {
        summary[decision.kind]++;
        rejects.push(decision.reject);
      }
    }
    await this.#options.rejects.write(rejects.sort((one, other) => one.line - other.line));
    this.#options.report?.(summary);
  }

  /** Writes the batch's records of a dataset; returns those that the database refused. */
  async #load<Name extends Dataset>(dataset: Name, accepted: readonly Accepted[]): Promise<Reject[]> {
    const items = accepted.flatMap(({ row, records }) =>
      records.filter(isOf(dataset)).map(({ record }) => ({ row, record })),
    );
    if (items.length === 0) return [];
    if (this.#connection === undefined) {
      addCounts(this.#summary, dataset, { accepted: items.length });
      return [];
    }
    const { refused, ...counts } = await loadBatch(
      this.#connection,
      dataset,
      items.map(({ record }) => record),
    );
    addCounts(this.#summary, dataset, counts);
    this.#summary.rejected += refused.length;
    return refused.flatMap(({ index, reason }) => {
      const item = items[index];
      return item === undefined ? [] : [rejectOf(item.row, `the database: ${reason}`, item.record.source_id)];
    });
  }
}

function isOf<Name extends Dataset>(dataset: Name) {
  return (item: DatasetRecord): item is DatasetRecord & { dataset: Name; record: RecordUpdate<Name> } =>
    item.dataset === dataset;
}
