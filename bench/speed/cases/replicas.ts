import type { Connection } from "../../../database/connection.ts";
import { connectPostgres } from "../../../database/postgres.ts";
import { readCpu, readServersCpu } from "../cpu.ts";
import { bearer, type RunningApi, withApi } from "../http/api.ts";
import { withDistance } from "../http/far.ts";
import { makeSecret, type PostgRest, servePostgRest, withPostgRest } from "../http/postgrest.ts";
import { get } from "../http/requests.ts";
import { type Side, timeInTurns } from "../in-turns.ts";
import { findMode } from "../modes.ts";
import { makeSpeedRow, type Timing } from "../row.ts";
import type { ServerCase } from "../speed-case.ts";
import { type LoadedSide, type LoadedTiming, loadInTurns } from "../under-load.ts";

const modeNames = ["list", "new list", "new keyword list", "new semantic", "new hybrid"];
const accounts = ["unlimited", "metered"] as const;
type Account = (typeof accounts)[number];
const maximumLagMs = 60_000;
/** Between the functions and a primary in another region: there and back. */
const roundTripMs = 70;

/**
 * Measures what replicas bring, by account, with and without a quota, and by mode.
 *
 * - `replicas`: CPU time of a request on the primary, of Postgres (all of its processes) and of PostgREST. The ratio is that with replicas,
 *   over that without. The times of the replicas are in a table.
 * - `regions`: one request at a time, with the primary 70 ms away from the functions and the replicas. The ratio is the median time, over that
 *   with the primary beside them.
 */
export const measureReplicas: ServerCase = async ({ database, serverUrl, replicaUrls, effort, report }) => {
  const { rows, url, connection, keys } = database;
  const secret = makeSecret();
  const name = new URL(url).pathname;
  const urls = replicaUrls.map((replicaUrl) => new URL(name, replicaUrl).href);

  return withPostgRest(
    connection,
    url,
    async (primary) => {
      await untilCaughtUp(connection, urls);
      const servers = await Promise.all(
        [serverUrl, ...replicaUrls].map(
          async (one, index) => [nameOf("postgres", index), await firstProcess(one)] as const,
        ),
      );
      return withReplicas(urls, secret, (replicas) => {
        const programs = [primary, ...replicas].map(({ pid }, index) => [nameOf("postgrest", index), pid] as const);
        return withApis(primary, replicas, keys.unlimited, async (alone, near, far) => {
          const request = (api: RunningApi, mode: string, account: Account, index: number) =>
            get(`${api.url}/grants-api${findMode(mode).requestAt(index)}`, bearer(keys[account]));

          report(`replicas: ${replicas.length}, ${effort.connections} requests at once`);
          const sides = modeNames.flatMap((mode) =>
            accounts.flatMap((account) =>
              [alone, near].map(
                (api): LoadedSide => ({
                  name: sideName(mode, account, api === near),
                  run: (count) => request(api, mode, account, count),
                }),
              ),
            ),
          );
          const loaded = await loadInTurns(sides, effort, async () => {
            const readings = [readCpu(programs, "no session of any database"), readServersCpu(servers)];
            return new Map((await Promise.all(readings)).flatMap((reading) => [...reading]));
          });

          report(`replicas: the primary ${roundTripMs} ms away`);
          const timed = new Map<string, Timing>();
          for (const mode of modeNames) {
            const times = await timeInTurns(
              accounts.flatMap((account) =>
                [near, far].map(
                  (api): Side<number> => ({
                    name: farName(mode, account, api === far),
                    run: (index) => request(api, mode, account, index),
                  }),
                ),
              ),
              findMode(mode).indexes,
              effort.rounds,
            );
            for (const [side, timing] of times) timed.set(side, timing);
          }
          const { rows: measured, tables } = findings(rows, loaded);
          return { rows: [...measured, ...regionRows(rows, timed)], tables };
        });
      });
    },
    secret,
  );
};

/** Runs `work` while functions serve without replicas, with them, and with them and a primary that is far away. */
function withApis<Result>(
  primary: PostgRest,
  replicas: readonly PostgRest[],
  key: string,
  work: (alone: RunningApi, near: RunningApi, far: RunningApi) => Promise<Result>,
): Promise<Result> {
  const variables = { SUPABASE_READ_URL: replicas.map(({ url }) => url).join(",") };
  return withDistance(Number(new URL(primary.url).port), roundTripMs, (port) =>
    withApi(primary, key, (alone) =>
      withApi(
        primary,
        key,
        (near) =>
          withApi({ ...primary, url: `http://127.0.0.1:${port}` }, key, (far) => work(alone, near, far), variables),
        variables,
      ),
    ),
  );
}

function farName(mode: string, account: Account, isFar: boolean): string {
  return `${sideName(mode, account, true)}, primary ${isFar ? "far away" : "beside"}`;
}

function regionRows(rows: number, timed: ReadonlyMap<string, Timing>) {
  return modeNames.flatMap((mode) =>
    accounts.map((account) => {
      const [far, near] = [timed.get(farName(mode, account, true)), timed.get(farName(mode, account, false))];
      if (far === undefined || near === undefined) throw new Error(`regions: ${mode} was not measured`);
      return makeSpeedRow("regions", sideName(mode, account, true), rows, far, far.p50_ms / near.p50_ms);
    }),
  );
}

function withReplicas<Result>(
  urls: readonly string[],
  secret: string,
  work: (replicas: PostgRest[]) => Promise<Result>,
): Promise<Result> {
  const [url, ...others] = urls;
  if (url === undefined) return work([]);
  return servePostgRest(url, secret, (one) => withReplicas(others, secret, (rest) => work([one, ...rest])));
}

function nameOf(program: string, index: number): string {
  return `${program} of ${index === 0 ? "the primary" : "replicas"}`;
}

function sideName(mode: string, account: Account, isReplicated: boolean): string {
  return `${mode}${account === "metered" ? ", with a quota" : ""}${isReplicated ? "" : ", no replicas"}`;
}

function findings(rows: number, loaded: ReadonlyMap<string, LoadedTiming>) {
  const primaryMs = ({ cpu }: LoadedTiming) => (cpu[nameOf("postgres", 0)] ?? 0) + (cpu[nameOf("postgrest", 0)] ?? 0);
  const measured = modeNames.flatMap((mode) =>
    accounts.map((account) => {
      const [side, before] = [loaded.get(sideName(mode, account, true)), loaded.get(sideName(mode, account, false))];
      if (side === undefined || before === undefined) throw new Error(`replicas: ${mode} was not measured`);
      return makeSpeedRow("replicas", sideName(mode, account, true), rows, side, primaryMs(side) / primaryMs(before));
    }),
  );
  const lines = [...loaded].map(([side, { cpu }]) => {
    const shown = (program: string, index: number) => (cpu[nameOf(program, index)] ?? 0).toFixed(2);
    return {
      side,
      "primary: postgres": shown("postgres", 0),
      postgrest: shown("postgrest", 0),
      "replicas: postgres": shown("postgres", 1),
      "postgrest ": shown("postgrest", 1),
    };
  });
  return {
    rows: measured,
    tables: [{ title: "milliseconds of CPU a request, on the primary and on all replicas", lines }],
  };
}

/** Id of the first process of a server on this machine. Only a superuser may read it. */
async function firstProcess(serverUrl: string): Promise<number> {
  return withConnection(serverUrl, async (connection) => {
    const [row] = await connection.query<{ pid: string }>(
      "select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid",
    );
    return Number(row?.pid);
  });
}

/** Waits until each replica has replayed what the primary has now. */
async function untilCaughtUp(primary: Connection, urls: readonly string[]): Promise<void> {
  const [{ lsn } = { lsn: "" }] = await primary.query<{ lsn: string }>("select pg_current_wal_lsn()::text as lsn");
  const end = performance.now() + maximumLagMs;
  for (const url of urls) {
    for (;;) {
      const isThere = await withConnection(url, async (replica) => {
        const [row] = await replica.query<{ is_there: boolean | null }>(
          "select pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there",
          [lsn],
        );
        return row?.is_there;
      }).catch(() => false);
      if (isThere === null) throw new Error("a server of --replica-url is no replica");
      if (isThere) break;
      if (performance.now() > end) throw new Error("a replica does not catch up with the server of --database-url");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

async function withConnection<Result>(url: string, work: (connection: Connection) => Promise<Result>): Promise<Result> {
  const connection = await connectPostgres(url);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
