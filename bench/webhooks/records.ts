import { demoGrants } from "../../local/demo/generate.ts";

const batchSize = 500;

/** Generated grants of a source of their own, as JSON batches for `funding.upsert_records`. */
export function* benchGrants(source: string, count: number): Generator<string> {
  let batch: object[] = [];
  for (const record of demoGrants({ grants: count })) {
    batch.push({ ...record, source });
    if (batch.length === batchSize) {
      yield JSON.stringify(batch);
      batch = [];
    }
  }
  if (batch.length > 0) yield JSON.stringify(batch);
}
