/** The first items of an iterable, at most `count`, and an iterable that still has all of them. */
export async function peek<Item>(
  items: AsyncIterable<Item>,
  count: number,
): Promise<{ sample: Item[]; rows: AsyncGenerator<Item> }> {
  const iterator = items[Symbol.asyncIterator]();
  const sample: Item[] = [];
  while (sample.length < count) {
    const next = await iterator.next();
    if (next.done) break;
    sample.push(next.value);
  }
  return { sample, rows: all() };

  async function* all(): AsyncGenerator<Item> {
    try {
      // Taken out one by one, so that the sample is not kept while the rest is read.
      for (let item = sample.shift(); item !== undefined; item = sample.shift()) yield item;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
}
