import { compare, costRatio } from "../compare.ts";
import { ensureEmbeddedFolder } from "../embedded/folder.ts";
import { type EmbeddedServer, withEmbeddedServer } from "../embedded/server.ts";
import { bearer } from "../http/api.ts";
import { get } from "../http/requests.ts";
import { timeInTurns } from "../in-turns.ts";
import { findMode, modes, warmUpRounds } from "../modes.ts";
import { floodConnections, measureNeighbour } from "../neighbour.ts";
import { makeSpeedRow, summarizeRounds, type Timing } from "../row.ts";
import type { Effort, Findings, Report } from "../speed-case.ts";

/**
 * Measures the stack of `npm start`: the time from the start of the process until it serves, its memory, and each mode
 * through HTTP, one request at a time. The reference is a new keyword list. Then it measures one account's new hybrid searches beside
 * those of another.
 */
export async function measureEmbedded(rows: number, effort: Effort, report: Report): Promise<Findings> {
  const folder = await ensureEmbeddedFolder(rows, report);
  report("embedded: starting");
  const times: number[] = [];
  // The first start, which finds cold files, does not count.
  for (let start = 0; start <= effort.rounds; start++) {
    const { startMs } = await withEmbeddedServer(folder, async (server) => server);
    if (start > 0) times.push(startMs);
  }
  const elapsedMs = times.reduce((sum, time) => sum + time, 0);
  return withEmbeddedServer(folder, async (server) => {
    const started = await server.readMemory();
    report("embedded: each mode");
    const timings = await timeModes(server, effort);
    const used = await server.readMemory();
    report(`embedded: beside ${floodConnections} requests of another account`);
    const neighbour = await timeNeighbour(server, rows, effort);
    return {
      rows: [
        makeSpeedRow("embedded", "start", rows, summarizeRounds([{ times, elapsedMs }]), null),
        ...compare("embedded", rows, timings, [...timings.keys()], "new keyword list", costRatio),
        ...neighbour.rows,
      ],
      figures:
        started === undefined || used === undefined
          ? []
          : [
              { case: "embedded_memory", side: "after the start", value: started.now },
              { case: "embedded_memory", side: "at most", value: used.peak },
            ],
      tables: [
        {
          title: "memory of the embedded stack, MiB of RAM",
          lines: [{ rows, "after the start": started?.now, "after all searches": used?.now, "at most": used?.peak }],
        },
        ...(neighbour.tables ?? []),
      ],
    };
  });
}

async function timeModes({ baseUrl, key }: EmbeddedServer, effort: Effort): Promise<Map<string, Timing>> {
  const headers = bearer(key);
  const sides = modes().map(({ name, requestAt }) => ({
    name,
    run: (index: number) => get(`${baseUrl}/grants-api${requestAt(index)}`, headers),
  }));
  const longest = modes().reduce((longest, { indexes }) => Math.max(longest, indexes.length), 0);
  // With slices shorter than a second, a part of the requests.
  const requests = Math.ceil(longest * Math.min(1, effort.sliceMs / 1000));
  return timeInTurns(
    sides,
    Array.from({ length: requests }, (_, index) => index),
    effort.rounds,
    warmUpRounds,
  );
}

function timeNeighbour({ baseUrl, key, otherKey }: EmbeddedServer, rows: number, effort: Effort): Promise<Findings> {
  const { requestAt } = findMode("new hybrid");
  let searches = 0;
  const sender = (key: string) => async () => {
    const response = await fetch(`${baseUrl}/grants-api${requestAt(searches++)}`, { headers: bearer(key) });
    await response.arrayBuffer();
    return response.status;
  };
  return measureNeighbour("embedded_neighbour", sender(otherKey), sender(key), rows, effort);
}
