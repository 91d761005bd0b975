import { hashKey } from "../../../shared/auth/key.ts";
import { compare, costRatio } from "../compare.ts";
import { bearer, withApi } from "../http/api.ts";
import { withPostgRest } from "../http/postgrest.ts";
import { get } from "../http/requests.ts";
import { type Side, timeInTurns } from "../in-turns.ts";
import { callListRpc } from "../list-requests.ts";
import { findMode, type Mode, modes, modesByKind, warmUpRounds } from "../modes.ts";
import { rpcStatement, timeWithPgbench } from "../pgbench.ts";
import { makeSpeedRow } from "../row.ts";
import type { ServerCase } from "../speed-case.ts";

const newKeywordList = "new keyword list";

/**
 * Measures each mode of using the list of grants, one request at a time.
 *
 * - `modes`: through the whole API. The reference is a new keyword list.
 * - `modes_again`: the same with repeated requests, so that the API has totals and pages cached.
 * - `floor`: the same RPCs, called by a client of the database and by pgbench: without the function, PostgREST and HTTP.
 *   The reference is the whole API: 0.6 is 60 % of its time.
 * - `kinds`: the same RPCs by the kind of query: common, middling, rare and misspelt words, and with a filter. The reference is
 *   that of common words.
 */
export const measureModes: ServerCase = ({ database: { rows, url, connection, keys }, effort, report }) =>
  withPostgRest(connection, url, (postgrest) =>
    withApi(postgrest, keys.unlimited, async (api) => {
      const headers = bearer(keys.unlimited);
      const keyHash = await hashKey(keys.unlimited);
      const request = (query: string) => get(`${api.url}/grants-api${query}`, headers);

      report("modes: through the API, and its SQL alone");
      const whole = modes().map(
        ({ name, requestAt }): Side<number> => ({ name, run: (index) => request(requestAt(index)) }),
      );
      const callRpc = ({ requestAt }: Mode, index: number) => callListRpc(connection, keyHash, requestAt(index));
      const sqlAlone = modes().map(
        (mode): Side<number> => ({
          name: sqlName(mode.name),
          run: (index) => callRpc(mode, index),
        }),
      );
      const indexes = findMode(newKeywordList).indexes;
      const timings = await timeInTurns([...whole, ...sqlAlone], indexes, effort.rounds, warmUpRounds);
      const measured = [
        ...compare("modes", rows, timings, modeNames(true), newKeywordList, costRatio),
        ...compare("modes_again", rows, timings, modeNames(false), "keyword list", costRatio),
        ...modes().flatMap(({ name }) => compare("floor", rows, timings, [sqlName(name)], name, costRatio)),
      ];

      if (!effort.onlyGoals) {
        report("modes: by the kind of query");
        const byKind = modesByKind();
        const sides = byKind.map((mode): Side<number> => ({ name: mode.name, run: (index) => callRpc(mode, index) }));
        const timings = await timeInTurns(sides, byKind[0]?.indexes ?? [], effort.rounds);
        for (const { name } of byKind) {
          const common = name.replace(/, \w+$/, ", common");
          measured.push(...compare("kinds", rows, timings, [name], common, costRatio));
        }
      }

      for (const { name, isNew, indexes, requestAt } of effort.onlyGoals ? [] : modes()) {
        report(`modes: ${name} by pgbench`);
        const statements = indexes.map((index) => rpcStatement(keyHash, requestAt(index), isNew));
        const timing = await timeWithPgbench(url, statements, effort.rounds);
        if (timing === undefined) {
          report("SKIPPED pgbench: it is not installed (on Debian it comes with postgresql-15)");
          break;
        }
        const p95 = timings.get(name)?.p95_ms ?? Number.NaN;
        measured.push(makeSpeedRow("floor", `${name}, pgbench`, rows, timing, timing.p95_ms / p95));
      }
      return { rows: measured };
    }),
  );

function modeNames(isNew: boolean): string[] {
  return modes()
    .filter((mode) => mode.isNew === isNew)
    .map(({ name }) => name);
}

function sqlName(mode: string): string {
  return `${mode}, sql alone`;
}
