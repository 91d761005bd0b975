import { compare, speedRatio, throughputRatio } from "../compare.ts";
import { readCpu } from "../cpu.ts";
import { withApi } from "../http/api.ts";
import { withConstantAnswer } from "../http/constant-answer.ts";
import { withPostgRest } from "../http/postgrest.ts";
import { askInTurns } from "../in-turns.ts";
import { listRequests } from "../list-requests.ts";
import type { ServerCase } from "../speed-case.ts";
import { type LoadedTiming, loadInTurns } from "../under-load.ts";
import { checkSameRecords, type ListSide, listSides } from "./list-sides.ts";

/** The cases of throughput: their sides, and the one that the others are compared with. */
const comparisons: readonly { name: string; sides: readonly ListSide[]; reference: ListSide }[] = [
  {
    name: "list",
    sides: ["api", "metered", "postgrest", "rpc", "constantRpc", "functionAlone"],
    reference: "postgrest",
  },
  { name: "list", sides: ["newLists", "newListsOfPostgrest"], reference: "newListsOfPostgrest" },
  { name: "list_counted", sides: ["api", "metered", "counted"], reference: "counted" },
  { name: "list_counted", sides: ["newLists", "newListsCounted"], reference: "newListsCounted" },
];

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
          const sides = await listSides({ postgrest, api: api.url, functionAlone: functionAlone.url, keys });
          await checkSameRecords(sides);
          const processes = [
            ["function", api.pid],
            ["function", functionAlone.pid],
            ["postgrest", postgrest.pid],
            ["client", process.pid],
          ] as const;
          const database = new URL(url).pathname.slice(1);

          report(`list: ${effort.connections} requests at once`);
          const loaded = await loadInTurns(Object.values(sides), effort, () => readCpu(processes, database));
          report("list: one request at a time");
          const alone = await askInTurns(
            [sides.api, sides.postgrest, sides.counted].map(({ name, ask }) => ({
              name,
              ask: (place: number) => ask(place),
            })),
            listRequests.map((_, place) => place),
            effort.rounds,
          );
          return {
            rows: [
              ...comparisons.flatMap(({ name, sides: compared, reference }) => {
                const names = compared.map((side) => sides[side].name);
                return compare(name, rows, loaded, names, sides[reference].name, throughputRatio);
              }),
              ...compare("list_alone", rows, alone, [...alone.keys()], sides.postgrest.name, speedRatio),
            ],
            tables: [{ title: "milliseconds of CPU a request, under load", lines: cpuTable(loaded) }],
          };
        }),
      ),
    ),
  );

function cpuTable(loaded: ReadonlyMap<string, LoadedTiming>): object[] {
  return [...loaded].map(([side, { cpu }]) => {
    const shown = (name: string) => cpu[name]?.toFixed(2);
    return {
      side,
      function: shown("function"),
      postgrest: shown("postgrest"),
      postgres: shown("postgres"),
      client: shown("client"),
    };
  });
}
