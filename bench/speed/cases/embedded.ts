import { compare, costRatio } from "../compare.ts";
import { embeddedFolder } from "../embedded/folder.ts";
import { type EmbeddedServer, withEmbeddedServer } from "../embedded/server.ts";
import { bearer } from "../http/api.ts";
import { get } from "../http/requests.ts";
import { askInTurns } from "../in-turns.ts";
import { modes } from "../modes.ts";
import { speedRow, type Timing } from "../row.ts";
import type { Effort, Findings, Report } from "../speed-case.ts";
import { timingOf } from "../timing.ts";

/**
 * The stack of `npm start`: from the start of the process until it serves, its memory, and each mode
 * through HTTP, one request at a time. Their ratio is to a new keyword list.
 */
export async function measureEmbedded(rows: number, effort: Effort, report: Report): Promise<Findings> {
  const folder = await embeddedFolder(rows, report);
  report("embedded: starting");
  const times: number[] = [];
  // The first start finds the files cold.
  for (let start = 0; start <= effort.rounds; start++) {
    const { startMs } = await withEmbeddedServer(folder, async (server) => server);
    if (start > 0) times.push(startMs);
  }
  const elapsedMs = times.reduce((sum, time) => sum + time, 0);
  return withEmbeddedServer(folder, async (server) => {
    const started = await server.memory();
    report("embedded: each mode");
    const timings = await timeModes(server, effort);
    const used = await server.memory();
    return {
      rows: [
        speedRow("embedded", "start", rows, timingOf([{ times, elapsedMs }]), null),
        ...compare("embedded", rows, timings, [...timings.keys()], "new keyword list", costRatio),
      ],
      tables: [
        {
          title: "memory of the embedded stack, MiB of RAM",
          lines: [{ rows, "after the start": started?.now, "after all searches": used?.now, "at most": used?.most }],
        },
      ],
    };
  });
}

async function timeModes({ baseUrl, key }: EmbeddedServer, effort: Effort): Promise<Map<string, Timing>> {
  const headers = bearer(key);
  const sides = modes.map(({ name, requestAt }) => ({
    name,
    ask: (place: number) => get(`${baseUrl}/grants-api${requestAt(place)}`, headers),
  }));
  const places = modes.reduce((longest, { places }) => Math.max(longest, places.length), 0);
  return askInTurns(
    sides,
    Array.from({ length: places }, (_, place) => place),
    effort.rounds,
  );
}
