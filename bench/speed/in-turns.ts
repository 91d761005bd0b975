import { type Round, summarizeRounds, type Timing } from "./row.ts";

/** A side of a comparison. The time of `run` is measured. */
export interface Side<Item> {
  name: string;
  /** Prepares an item. The time is not counted. */
  prepare?(item: Item): Promise<unknown>;
  run(item: Item, prepared: unknown): Promise<unknown>;
}

/**
 * Runs every item on every side, one at a time. The sides take turns for each item, so that other load on the machine
 * affects all of them alike. The first rounds are for warming up and do not count.
 *
 * @param warmUps how many: where sides are modes, `warmUpRounds` of modes.ts.
 * @default 1
 * @returns the timings by the sides' names.
 */
export async function timeInTurns<Item>(
  sides: readonly Side<Item>[],
  items: readonly Item[],
  rounds: number,
  warmUps = 1,
): Promise<Map<string, Timing>> {
  const measured = new Map<string, Round[]>(sides.map(({ name }) => [name, []]));
  for (let round = 0; round < warmUps + rounds; round++) {
    const times = new Map<string, number[]>(sides.map(({ name }) => [name, []]));
    for (const [index, item] of items.entries()) {
      // The side that is first changes with each item, since the first may find the caches cold.
      for (const side of rotate(sides, index + round)) {
        const prepared = await side.prepare?.(item);
        const start = performance.now();
        await side.run(item, prepared);
        times.get(side.name)?.push(performance.now() - start);
      }
    }
    if (round < warmUps) continue;
    for (const [name, taken] of times) {
      measured.get(name)?.push({ times: taken, elapsedMs: taken.reduce((sum, time) => sum + time, 0) });
    }
  }
  return new Map([...measured].map(([name, all]) => [name, summarizeRounds(all)]));
}

/** Returns the items from `start` on, then those before it. */
export function rotate<Item>(items: readonly Item[], start: number): Item[] {
  const first = start % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}
