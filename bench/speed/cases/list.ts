import { compare, speedRatio, throughputRatio } from "../compare.ts";
import { withApi } from "../http/api.ts";
import { withConstantAnswer } from "../http/constant-answer.ts";
import { withPostgRest } from "../http/postgrest.ts";
import { askInTurns } from "../in-turns.ts";
import { listRequests } from "../list-requests.ts";
import type { ServerCase } from "../speed-case.ts";
import { loadInTurns } from "../under-load.ts";
import { checkSameRecords, listSides } from "./list-sides.ts";

/**
 * The whole API against PostgREST on the same table: the same filters, the same order, 20 records.
 *
 * - `list`: throughput; and what its parts do alone: the RPC asked of PostgREST directly, an RPC that
 *   answers a constant, and the function over a database that answers a constant at once;
 * - `list_counted`: against PostgREST with `Prefer: count=exact`;
 * - "new lists" in both: never asked before, so that the API remembers neither page nor total;
 * - `list_alone`: one request at a time.
 */
export const measureList: ServerCase = ({ database: { rows, url, connection, keys }, effort, report }) =>
  withPostgRest(connection, url, (postgrest) =>
    withConstantAnswer(postgrest, keys, (constantAnswer) =>
      withApi(postgrest, keys.unlimited, (api) =>
        withApi({ constantAnswer }, keys.unlimited, async (functionAlone) => {
          const sides = await listSides({ postgrest, api, functionAlone, keys });
          await checkSameRecords(sides);
          report(`list: ${effort.connections} requests at once`);
          const loaded = await loadInTurns(Object.values(sides), effort);
          report("list: one request at a time");
          const { api: whole, postgrest: table, counted } = sides;
          const alone = await askInTurns(
            [whole, table, counted].map(({ name, ask }) => ({ name, ask: (place: number) => ask(place) })),
            listRequests.map((_, place) => place),
            effort.rounds,
          );
          const named = (...keys: (keyof typeof sides)[]) => keys.map((key) => sides[key].name);
          return {
            rows: [
              ...compare(
                "list",
                rows,
                loaded,
                named("api", "metered", "postgrest", "rpc", "constantRpc", "functionAlone"),
                table.name,
                throughputRatio,
              ),
              ...compare(
                "list",
                rows,
                loaded,
                named("newLists", "newListsOfPostgrest"),
                sides.newListsOfPostgrest.name,
                throughputRatio,
              ),
              ...compare(
                "list_counted",
                rows,
                loaded,
                named("api", "metered", "counted"),
                counted.name,
                throughputRatio,
              ),
              ...compare(
                "list_counted",
                rows,
                loaded,
                named("newLists", "newListsCounted"),
                sides.newListsCounted.name,
                throughputRatio,
              ),
              ...compare("list_alone", rows, alone, named("api", "postgrest", "counted"), table.name, speedRatio),
            ],
          };
        }),
      ),
    ),
  );
