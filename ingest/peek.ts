/**
 * The first items of an iterable, at most `count`, and an iterable that still has all of them. When the
 * iterable fails among the first, `failure` is the error, which `rows` throws after what there is.
 */
export async function peek<Item>(
  items: AsyncIterable<Item>,
  count: number,
): Promise<{ sample: Item[]; rows: AsyncGenerator<Item>; failure: unknown }> {
  const iterator = items[Symbol.asyncIterator]();
  const taken: Item[] = [];
  let failure: unknown;
  try {
    while (taken.length < count) {
      const next = await iterator.next();
      if (next.done) break;
      taken.push(next.value);
    }
  } catch (error) {
    failure = error;
  }
  return { sample: [...taken], rows: all(), failure };

  async function* all(): AsyncGenerator<Item> {
    try {
      // Taken out one by one, so that the sample is not kept while the rest is read.
      for (let item = taken.shift(); item !== undefined; item = taken.shift()) yield item;
      if (failure !== undefined) throw failure;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
}
