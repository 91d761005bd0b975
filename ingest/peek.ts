/**
 * Reads the first items of an iterable, until they are `count` or have this size together.
 *
 * @returns those items; an iterable of all items; and the error if the iterable failed so early. The iterable throws it
 *   after the items.
 */
export async function peek<Item>(
  items: AsyncIterable<Item>,
  count: number,
  { size, sizeOf }: { size: number; sizeOf(item: Item): number },
): Promise<{ sample: Item[]; rows: AsyncGenerator<Item>; failure: unknown }> {
  const iterator = items[Symbol.asyncIterator]();
  const taken: Item[] = [];
  let failure: unknown;
  try {
    for (let sum = 0; taken.length < count && sum < size; ) {
      const next = await iterator.next();
      if (next.done) break;
      taken.push(next.value);
      sum += sizeOf(next.value);
    }
  } catch (error) {
    failure = error;
  }
  return { sample: [...taken], rows: all(), failure };

  async function* all(): AsyncGenerator<Item> {
    try {
      // Items are removed one by one, so that they are not kept in memory while the rest is read.
      for (let item = taken.shift(); item !== undefined; item = taken.shift()) yield item;
      if (failure !== undefined) throw failure;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
}
