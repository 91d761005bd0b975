import { compare, costRatio } from "./compare.ts";
import { rotate } from "./in-turns.ts";
import { type Round, summarizeRounds } from "./row.ts";
import type { Effort, Findings } from "./speed-case.ts";

/** Requests under way of the account that sends as much as it can. */
export const floodConnections = 64;

/** Phases of the neighbour, in slices: it gets few answers beside the others. */
const neighbourSlices = 3;

/** Sends a request, and gives its status. */
export type Send = () => Promise<number>;

/**
 * Measures one account that sends a request at a time (`single`), in turns alone and while another keeps 64 under way (`flood`).
 *
 * @param name case of the rows.
 */
export async function measureNeighbour(
  name: string,
  single: Send,
  flood: Send,
  rows: number,
  effort: Effort,
): Promise<Findings> {
  const { calm, beside } = await timeNeighbour(single, flood, effort);
  const [alone, flooded] = ["alone", `beside ${floodConnections} requests of another account`];
  const timings = new Map([
    [alone, summarizeRounds(calm.rounds)],
    [flooded, summarizeRounds(beside.rounds)],
  ]);
  return {
    rows: compare(name, rows, timings, [alone, flooded], alone, costRatio),
    tables: [
      {
        title: "answers of the neighbour",
        lines: [
          { side: alone, answered: answersOf(calm), refused: calm.refused },
          { side: flooded, answered: answersOf(beside), refused: beside.refused },
        ],
      },
    ],
  };
}

interface Phase {
  /** Times of the answers alone. */
  rounds: Round[];
  refused: number;
}

const answersOf = ({ rounds }: Phase) => rounds.reduce((sum, { times }) => sum + times.length, 0);

/** Times `single`, one request at a time, in turns alone and while `flood` keeps its connections busy. */
async function timeNeighbour(single: Send, flood: Send, { rounds, sliceMs }: Effort) {
  const calm: Phase = { rounds: [], refused: 0 };
  const beside: Phase = { rounds: [], refused: 0 };
  for (let round = 0; round <= rounds; round++) {
    for (const phase of rotate([calm, beside], round)) {
      const stop = phase === beside ? startFlood(flood) : () => Promise.resolve();
      const { refused, ...timed } = await timeAnswers(single, neighbourSlices * sliceMs);
      await stop();
      // The first round is for warming up.
      if (round === 0) continue;
      phase.rounds.push(timed);
      phase.refused += refused;
    }
  }
  return { calm, beside };
}

async function timeAnswers(send: Send, sliceMs: number): Promise<Round & { refused: number }> {
  const times: number[] = [];
  let refused = 0;
  const start = performance.now();
  while (performance.now() - start < sliceMs) {
    const startedAt = performance.now();
    if ((await send()) === 200) times.push(performance.now() - startedAt);
    else refused++;
  }
  return { times, refused, elapsedMs: performance.now() - start };
}

/** Keeps requests under way until the returned function is called. A connection that is refused pauses, as a client does. */
function startFlood(send: Send): () => Promise<unknown> {
  let isOver = false;
  const connection = async () => {
    while (!isOver) {
      if ((await send()) !== 200) await new Promise((resolve) => setTimeout(resolve, refusedPauseMs));
    }
  };
  const flood = Promise.all(Array.from({ length: floodConnections }, connection));
  return () => {
    isOver = true;
    return flood;
  };
}

/** Shorter than `Retry-After`, so that the flood goes on. */
const refusedPauseMs = 100;
