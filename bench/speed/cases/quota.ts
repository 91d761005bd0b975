import { compare, throughputRatio } from "../compare.ts";
import { bearer, withApi } from "../http/api.ts";
import { withPostgRest } from "../http/postgrest.ts";
import { findMode } from "../modes.ts";
import { floodConnections, measureNeighbour, type Send } from "../neighbour.ts";
import type { ServerCase } from "../speed-case.ts";
import { loadInTurns } from "../under-load.ts";

/** Each refusal is a warning. */
const quiet = { LOG_LEVEL: "error" };

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
        const neighbour = await measureNeighbour(
          "neighbour",
          sender(keys.unlimited),
          sender(keys.metered),
          rows,
          effort,
        );
        return {
          ...neighbour,
          rows: [...compare("quota", rows, loaded, [free, metered], free, throughputRatio), ...neighbour.rows],
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
