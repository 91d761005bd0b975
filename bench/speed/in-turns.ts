import type { Timing } from "./row.ts";
import { type Round, timingOf } from "./timing.ts";

/** One of the things compared: what it does with an item is what is timed. */
export interface Side<Item> {
  name: string;
  /** What must be known or undone before, and does not count. */
  before?(item: Item): Promise<unknown>;
  ask(item: Item, known: unknown): Promise<unknown>;
}

/**
 * Gives every item to every side, one at a time and the sides in turn for each item, so that
 * whatever else the machine does meets them alike. The first round warms up and does not count.
 *
 * @returns the timings by the sides' names.
 */
export async function askInTurns<Item>(
  sides: readonly Side<Item>[],
  items: readonly Item[],
  rounds: number,
): Promise<Map<string, Timing>> {
  const measured = new Map<string, Round[]>(sides.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    const times = new Map<string, number[]>(sides.map(({ name }) => [name, []]));
    for (const [place, item] of items.entries()) {
      // Who is first in an item's turn changes, since the first may find the caches cold.
      for (const side of rotated(sides, place + round)) {
        const known = await side.before?.(item);
        const start = performance.now();
        await side.ask(item, known);
        times.get(side.name)?.push(performance.now() - start);
      }
    }
    if (round === 0) continue;
    for (const [name, taken] of times) {
      measured.get(name)?.push({ times: taken, elapsedMs: taken.reduce((sum, time) => sum + time, 0) });
    }
  }
  return new Map([...measured].map(([name, all]) => [name, timingOf(all)]));
}

/** The items from `start` on, then those before it. */
export function rotated<Item>(items: readonly Item[], start: number): Item[] {
  const first = start % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}
