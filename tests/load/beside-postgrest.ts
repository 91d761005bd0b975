import { rawHeaders, withPostgRest } from "../../bench/speed/http/postgrest.ts";
import { listRequests } from "../../bench/speed/list-requests.ts";
import { percentile } from "../../bench/statistics.ts";
import type { Connection } from "../../database/connection.ts";
import { createCallers } from "./callers.ts";
import { closedLoop, openLoop } from "./drive.ts";
import type { Stack } from "./stacks.ts";

/** Response times of one side, by status. */
interface Timed {
  status: number;
  ms: number;
}

/** Lists and single records, three to one, asked of the API and of bare PostgREST over the same tables, in the same way. */
export async function compareWithPostgRest(
  stack: Stack,
  connection: Connection,
  connections: number,
  seconds: number,
): Promise<void> {
  const { developers } = await createCallers(connection);
  const ids = await connection.query<{ id: string }>("select id from funding.grants order by id limit 20");
  await withPostgRest(connection, stack.databaseUrl, async (postgrest) => {
    const request = (index: number) => listRequests[index % listRequests.length] as (typeof listRequests)[number];
    const id = (index: number) => ids[index % ids.length]?.id ?? "";
    const sides = [
      {
        name: "the whole API",
        headers: { authorization: `Bearer ${developers[0].key}` },
        url: (index: number) =>
          index % 4 === 3
            ? `${stack.baseUrl}/grants-api/${id(index)}`
            : `${stack.baseUrl}/grants-api${request(index).api}`,
      },
      {
        name: "bare PostgREST",
        headers: rawHeaders(postgrest),
        url: (index: number) =>
          index % 4 === 3
            ? `${postgrest.url}/grants?id=eq.${id(index)}`
            : `${postgrest.url}/grants${request(index).postgrest}`,
      },
    ];
    console.log("| lists and single records | answers/s | p50 ms | p95 | p99 | 5xx/s | p95 of 5xx |");
    console.log("|---|---|---|---|---|---|---|");
    for (const { name, headers, url } of sides) {
      let taken: Timed[] = [];
      let index = 0;
      const send = async () => {
        const start = performance.now();
        // A connection that is refused or broken off counts as a failure of its server.
        const status = await fetch(url(index++), { headers }).then(
          async (response) => await response.text().then(() => response.status),
          () => 502,
        );
        taken.push({ status, ms: performance.now() - start });
      };
      await closedLoop(send, connections, 3);
      taken = [];
      const rate = await closedLoop(send, connections, seconds);
      print(`${name}, saturation`, taken, seconds);
      taken = [];
      const start = performance.now();
      await openLoop(send, rate * 2, seconds).catch((error: Error) => console.log(`${name}: ${error.message}`));
      print(`${name}, twice as much`, taken, (performance.now() - start) / 1000);
    }
  });
}

function print(name: string, taken: readonly Timed[], seconds: number): void {
  const times = (isRefusal: boolean) => taken.filter(({ status }) => status >= 500 === isRefusal).map(({ ms }) => ms);
  const at = (list: number[], share: number) => (list.length === 0 ? 0 : percentile(list, share));
  const [answered, refused] = [times(false), times(true)];
  const figures = [
    answered.length / seconds,
    at(answered, 0.5),
    at(answered, 0.95),
    at(answered, 0.99),
    refused.length / seconds,
    at(refused, 0.95),
  ];
  console.log(`| ${[name, ...figures.map((value) => value.toFixed(value < 10 ? 1 : 0))].join(" | ")} |`);
}
