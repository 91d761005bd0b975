import { type CpuReading, type CpuUse, cpuBetween } from "./cpu.ts";
import { rotate } from "./in-turns.ts";
import { type Round, summarizeRounds, type Timing } from "./row.ts";

/** A side that takes many requests at once. Each call of `run` is one request. */
export interface LoadedSide<Answer = unknown> {
  name: string;
  /** @param count number of requests that this side had before in its turn, for choosing the next. */
  run(count: number): Promise<Answer>;
}

export interface Load {
  connections: number;
  /** Duration of a side's turn. */
  sliceMs: number;
  rounds: number;
}

/** Timing of a side, with the CPU time of a request in milliseconds, by process. */
export interface LoadedTiming extends Timing {
  cpu: CpuUse;
}

/**
 * Keeps `connections` concurrent requests running at one side after the other, each for a slice of time. The first round
 * is for warming up and does not count.
 *
 * @param readCpu reads the CPU time that the processes have used so far.
 * @returns the timings by the sides' names.
 */
export async function loadInTurns(
  sides: readonly LoadedSide[],
  load: Load,
  readCpu: () => Promise<CpuReading> = () => Promise.resolve(new Map()),
): Promise<Map<string, LoadedTiming>> {
  const measured = new Map<string, Slice[]>(sides.map(({ name }) => [name, []]));
  for (let round = 0; round <= load.rounds; round++) {
    for (const side of rotate(sides, round)) {
      const before = await readCpu();
      const slice = await loadOnce(side, load);
      if (round > 0) measured.get(side.name)?.push({ ...slice, cpu: cpuBetween(before, await readCpu()) });
    }
  }
  return new Map(
    [...measured].map(([name, slices]) => [name, { ...summarizeRounds(slices), cpu: perRequest(slices) }]),
  );
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
      const startedAt = performance.now();
      await side.run(count++);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return { times, elapsedMs: performance.now() - start };
}
