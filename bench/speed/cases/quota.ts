import { compare, costRatio, throughputRatio } from "../compare.ts";
import { bearer, withApi } from "../http/api.ts";
import { withPostgRest } from "../http/postgrest.ts";
import { rotate } from "../in-turns.ts";
import { findMode } from "../modes.ts";
import { type Round, summarizeRounds } from "../row.ts";
import type { Effort, ServerCase } from "../speed-case.ts";
import { loadInTurns } from "../under-load.ts";

/** Requests under way of the account that sends as much as it can. */
const floodConnections = 64;

/** Phases of the neighbour, in slices: it gets few answers beside the others. */
const neighbourSlices = 3;

/** Each refusal is a warning. */
const quiet = { LOG_LEVEL: "error" };

/** Sends a request, and gives its status. */
type Send = () => Promise<number>;

/**
 * Measures what accounts cost each other. All requests are new hybrid searches.
 *
 * - `quota`: throughput of one account with a quota against that of one without.
 * - `neighbour`: one account sends a request at a time, while another, with a quota, keeps 64 under way.
 */
export const measureQuota: ServerCase = ({ database: { rows, url, connection, keys }, effort, report }) =>
  withPostgRest(connection, url, (postgrest) =>
    withApi(
      postgrest,
      keys.unlimited,
      async (api) => {
        const { requestAt } = findMode("new hybrid");
        let searches = 0;
        const sender =
          (key: string): Send =>
          async () => {
            const response = await fetch(`${api.url}/grants-api${requestAt(searches++)}`, { headers: bearer(key) });
            await response.arrayBuffer();
            return response.status;
          };

        report(`quota: ${effort.connections} requests at once`);
        const [free, metered] = ["without a quota", "with a quota"];
        const loaded = await loadInTurns(
          [
            { name: free, run: answered(sender(keys.unlimited)) },
            { name: metered, run: answered(sender(keys.metered)) },
          ],
          effort,
        );

        report(`quota: beside ${floodConnections} requests of another account`);
        const { calm, beside } = await timeNeighbour(sender(keys.unlimited), sender(keys.metered), effort);
        const [alone, flooded] = ["alone", `beside ${floodConnections} requests of another account`];
        const timings = new Map([
          [alone, summarizeRounds(calm.rounds)],
          [flooded, summarizeRounds(beside.rounds)],
        ]);
        return {
          rows: [
            ...compare("quota", rows, loaded, [free, metered], free, throughputRatio),
            ...compare("neighbour", rows, timings, [alone, flooded], alone, costRatio),
          ],
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
      },
      quiet,
    ),
  );

/** Makes a request of which only the answer 200 is expected. */
function answered(send: Send): () => Promise<void> {
  return async () => {
    const status = await send();
    if (status !== 200) throw new Error(`a search was answered ${status}`);
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
