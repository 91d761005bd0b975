import type { Connection } from "../../database/connection.ts";
import { loadBatch } from "../../ingest/load.ts";
import type { Dataset, RecordOf } from "../../ingest/record.ts";
import { type DemoOptions, demoContracts, demoFunders, demoGrants } from "./generate.ts";

export interface LoadOptions {
  /** Records that are loaded at once: 500 if not given. Other statements of an embedded database wait for them. */
  batchSize?: number;
  /** Further connections to the same database, each of which loads batches at the same time. */
  beside?: readonly Connection[];
}

/**
 * Generates demo records and loads them. Loading the same ones again changes nothing.
 *
 * @param report called with a dataset and the number of its records loaded so far.
 */
export async function loadDemoData(
  connection: Connection,
  options: DemoOptions,
  report: (dataset: Dataset, records: number) => void,
  { batchSize = 500, beside = [] }: LoadOptions = {},
): Promise<void> {
  const connections = [connection, ...beside];
  await loadAll(connections, "funders", demoFunders(options), report, batchSize);
  await loadAll(connections, "grants", demoGrants(options), report, batchSize);
  await loadAll(connections, "contracts", demoContracts(options), report, batchSize);
}

async function loadAll<Name extends Dataset>(
  connections: readonly Connection[],
  dataset: Name,
  records: Iterable<RecordOf[Name]>,
  report: (dataset: Dataset, records: number) => void,
  batchSize: number,
): Promise<void> {
  let loaded = 0;
  // Each connection takes the next batch when it is done with one. After an error, there is no next one for any.
  const batches = inBatches(records, batchSize);
  await Promise.all(
    connections.map(async (connection) => {
      for (const batch of batches) {
        const { refused } = await loadBatch(connection, dataset, batch);
        if (refused[0] !== undefined) throw new Error(`a generated record was refused: ${refused[0].reason}`);
        loaded += batch.length;
        report(dataset, loaded);
      }
    }),
  );
}

function* inBatches<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
