import { compare, medianRatio, speedRatio, throughputRatio } from "../compare.ts";
import { readCpu } from "../cpu.ts";
import { withApi } from "../http/api.ts";
import { withConstantAnswer } from "../http/constant-answer.ts";
import { withPostgRest } from "../http/postgrest.ts";
import { timeInTurns } from "../in-turns.ts";
import { filtersOfSeveral, listRequests } from "../list-requests.ts";
import type { ServerCase } from "../speed-case.ts";
import { type LoadedTiming, loadInTurns } from "../under-load.ts";
import { checkSameRecords, createListSides, type ListSide } from "./list-sides.ts";

/** Cases of throughput, with their sides and the reference. */
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
 * Compares the whole API with PostgREST on the same table: the same filters, the same order, 20 records.
 *
 * - `list`: throughput; also of the parts alone: the RPC called through PostgREST directly, an RPC with a constant answer,
 *   and the function over a database with a constant answer;
 * - `list_counted`: against PostgREST with `Prefer: count=exact`;
 * - "new lists" in both: every request is new, so that the API has neither the page nor the total cached;
 * - `list_alone`: one request at a time;
 * - `list_several`: new lists with several values of a filter, and values of another that are excluded, beside one value. p50 over that of one value.
 */
export const measureList: ServerCase = ({ database: { rows, url, connection, keys }, effort, report }) =>
  withPostgRest(connection, url, (postgrest) =>
    withConstantAnswer(postgrest, keys, (constantAnswer) =>
      withApi(postgrest, keys.unlimited, (api) =>
        withApi({ constantAnswer }, keys.unlimited, async (functionAlone) => {
          const sides = await createListSides({ postgrest, api: api.url, functionAlone: functionAlone.url, keys });
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
          const alone = await timeInTurns(
            [sides.api, sides.postgrest, sides.counted].map(({ name, run }) => ({
              name,
              run: (index: number) => run(index),
            })),
            listRequests.map((_, index) => index),
            effort.rounds,
          );
          report("list: one value, and several values with others excluded, of new lists");
          const filtered = await timeInTurns(
            [sides.oneValue, sides.severalValues],
            Array.from({ length: 5 * filtersOfSeveral.length }, (_, index) => index),
            effort.rounds,
          );
          return {
            rows: [
              ...comparisons.flatMap(({ name, sides: compared, reference }) => {
                const names = compared.map((side) => sides[side].name);
                return compare(name, rows, loaded, names, sides[reference].name, throughputRatio);
              }),
              ...compare("list_alone", rows, alone, [...alone.keys()], sides.postgrest.name, speedRatio),
              ...compare("list_several", rows, filtered, [...filtered.keys()], sides.oneValue.name, medianRatio),
            ],
            figures: [...loaded].flatMap(([side, { cpu }]) =>
              Object.entries(cpu).map(([name, value]) => ({ case: `cpu_${name}`, side, value })),
            ),
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
