/** Groups items into batches of a size. The last batch may be smaller. */
export function* batchesOf<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const lowestId = "00000000-0000-0000-0000-000000000000";

/**
 * Reads rows in batches, by keyset pagination on their ids.
 *
 * @param readAfter reads the next rows after an id, ordered by id. It returns none at the end.
 */
export async function* readBatchesById<Row extends { id: string }>(
  readAfter: (id: string) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let last = lowestId; ; ) {
    const batch = await readAfter(last);
    if (batch.length === 0) return;
    yield batch;
    last = batch.at(-1)?.id ?? last;
  }
}
