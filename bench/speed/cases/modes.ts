import { hashKey } from "../../../shared/auth/key.ts";
import { compare, costRatio } from "../compare.ts";
import { bearer, withApi } from "../http/api.ts";
import { withPostgRest } from "../http/postgrest.ts";
import { get } from "../http/requests.ts";
import { askInTurns, type Side } from "../in-turns.ts";
import { modeOf, modes } from "../modes.ts";
import { rpcStatement, timeWithPgbench } from "../pgbench.ts";
import { speedRow } from "../row.ts";
import type { ServerCase } from "../speed-case.ts";
import { listCall } from "../sql.ts";

const newKeywordList = "new keyword list";

/**
 * Each way of asking for grants, one request at a time.
 *
 * - `modes`: through the whole API. The ratio is to a keyword list that is new.
 * - `modes_again`: the same where both were asked before, so that the API remembers totals and pages.
 * - `floor`: the same RPCs asked by a client of the database and by pgbench: what is left when the
 *   function, PostgREST and HTTP are taken away. The ratio is to the whole: 0.6 is 60 % of its time.
 */
export const measureModes: ServerCase = ({ database: { rows, url, connection, keys }, effort, report }) =>
  withPostgRest(connection, url, (postgrest) =>
    withApi(postgrest, keys.unlimited, async (api) => {
      const headers = bearer(keys.unlimited);
      const keyHash = await hashKey(keys.unlimited);
      const ask = (query: string) => get(`${api.url}/grants-api${query}`, headers);

      report("modes: through the API, and its SQL alone");
      const whole = modes.map(({ name, requestAt }): Side<number> => ({ name, ask: (place) => ask(requestAt(place)) }));
      const sqlAlone = modes.map(
        ({ name, requestAt }): Side<number> => ({
          name: sqlName(name),
          ask: (place) => listCall(connection, keyHash, requestAt(place)),
        }),
      );
      const places = modeOf(newKeywordList).places;
      const timings = await askInTurns([...whole, ...sqlAlone], places, effort.rounds);
      const measured = [
        ...compare("modes", rows, timings, namesOf(true), newKeywordList, costRatio),
        ...compare("modes_again", rows, timings, namesOf(false), "keyword list", costRatio),
        ...modes.flatMap(({ name }) => compare("floor", rows, timings, [sqlName(name)], name, costRatio)),
      ];

      for (const { name, isNew, places, requestAt } of modes) {
        report(`modes: ${name} by pgbench`);
        const statements = places.map((place) => rpcStatement(keyHash, requestAt(place), isNew));
        const timing = await timeWithPgbench(url, statements, effort.rounds);
        if (timing === undefined) {
          report("SKIPPED pgbench: it is not installed (on Debian it comes with postgresql-15)");
          break;
        }
        const p95 = timings.get(name)?.p95_ms ?? Number.NaN;
        measured.push(speedRow("floor", `${name}, pgbench`, rows, timing, timing.p95_ms / p95));
      }
      return { rows: measured };
    }),
  );

function namesOf(isNew: boolean): string[] {
  return modes.filter((mode) => mode.isNew === isNew).map(({ name }) => name);
}

function sqlName(mode: string): string {
  return `${mode}, sql alone`;
}
