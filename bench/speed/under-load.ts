import { type CpuReading, type CpuUse, cpuBetween } from "./cpu.ts";
import { rotated } from "./in-turns.ts";
import type { Timing } from "./row.ts";
import { type Round, timingOf } from "./timing.ts";

/** Something that takes many requests at once. Each call of `ask` is one request. */
export interface LoadedSide<Answer = unknown> {
  name: string;
  /** @param count how many requests this side had before in its turn, to choose the next by. */
  ask(count: number): Promise<Answer>;
}

export interface Load {
  connections: number;
  /** How long a side works before it is the next one's turn. */
  sliceMs: number;
  rounds: number;
}

/** What a side took, and the CPU that each request cost, in milliseconds by process. */
export interface LoadedTiming extends Timing {
  cpu: CpuUse;
}

/**
 * Keeps `connections` requests under way at each side for a slice of time, the sides in turn. The
 * first round warms up and does not count.
 *
 * @param readCpu reads what the processes at work have used so far.
 * @returns the timings by the sides' names.
 */
export async function loadInTurns(
  sides: readonly LoadedSide[],
  load: Load,
  readCpu: () => Promise<CpuReading> = () => Promise.resolve(new Map()),
): Promise<Map<string, LoadedTiming>> {
  const measured = new Map<string, Slice[]>(sides.map(({ name }) => [name, []]));
  for (let round = 0; round <= load.rounds; round++) {
    for (const side of rotated(sides, round)) {
      const before = await readCpu();
      const slice = await loadOnce(side, load);
      if (round > 0) measured.get(side.name)?.push({ ...slice, cpu: cpuBetween(before, await readCpu()) });
    }
  }
  return new Map([...measured].map(([name, slices]) => [name, { ...timingOf(slices), cpu: perRequest(slices) }]));
}

interface Slice extends Round {
  cpu: CpuUse;
}

function perRequest(slices: readonly Slice[]): CpuUse {
  const requests = slices.reduce((sum, { times }) => sum + times.length, 0);
  const names = new Set(slices.flatMap(({ cpu }) => Object.keys(cpu)));
  return Object.fromEntries(
    [...names].map((name) => [name, slices.reduce((sum, { cpu }) => sum + (cpu[name] ?? 0), 0) / requests]),
  );
}

async function loadOnce(side: LoadedSide, { connections, sliceMs }: Load): Promise<Round> {
  const times: number[] = [];
  const start = performance.now();
  let count = 0;
  const connection = async () => {
    while (performance.now() - start < sliceMs) {
      const asked = performance.now();
      await side.ask(count++);
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return { times, elapsedMs: performance.now() - start };
}
