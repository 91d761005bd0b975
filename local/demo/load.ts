import type { Connection } from "../../database/connection.ts";
import { loadBatch } from "../../ingest/load.ts";
import type { Dataset, RecordOf } from "../../ingest/record.ts";
import { type DemoOptions, demoContracts, demoFunders, demoGrants } from "./generate.ts";

/**
 * Generates demo records and loads them. Loading the same ones again changes nothing.
 *
 * @param report called with a dataset and the number of its records loaded so far.
 * @param batchSize records that are loaded at once. Other statements of an embedded database wait for them.
 */
export async function loadDemoData(
  connection: Connection,
  options: DemoOptions,
  report: (dataset: Dataset, records: number) => void,
  batchSize = 500,
): Promise<void> {
  await loadAll(connection, "funders", demoFunders(options), report, batchSize);
  await loadAll(connection, "grants", demoGrants(options), report, batchSize);
  await loadAll(connection, "contracts", demoContracts(options), report, batchSize);
}

async function loadAll<Name extends Dataset>(
  connection: Connection,
  dataset: Name,
  records: Iterable<RecordOf[Name]>,
  report: (dataset: Dataset, records: number) => void,
  batchSize: number,
): Promise<void> {
  let batch: RecordOf[Name][] = [];
  let loaded = 0;
  const load = async () => {
    const { refused } = await loadBatch(connection, dataset, batch);
    if (refused[0] !== undefined) throw new Error(`a generated record was refused: ${refused[0].reason}`);
    loaded += batch.length;
    batch = [];
    report(dataset, loaded);
  };
  for (const record of records) {
    batch.push(record);
    if (batch.length === batchSize) await load();
  }
  if (batch.length > 0) await load();
}
