import type { Connection } from "../../../database/connection.ts";
import { connectPostgres } from "../../../database/postgres.ts";
import { readCpu, readServersCpu } from "../cpu.ts";
import { bearer, withApi } from "../http/api.ts";
import { makeSecret, type PostgRest, servePostgRest, withPostgRest } from "../http/postgrest.ts";
import { get } from "../http/requests.ts";
import { findMode } from "../modes.ts";
import { makeSpeedRow } from "../row.ts";
import type { ServerCase } from "../speed-case.ts";
import { type LoadedSide, type LoadedTiming, loadInTurns } from "../under-load.ts";

const modeNames = ["list", "new list", "new keyword list", "new semantic", "new hybrid"];
const maximumLagMs = 60_000;

/**
 * Measures what reads cost the primary, with and without replicas: CPU time of Postgres, all of its processes, and of PostgREST.
 *
 * - `replicas`: by account, with and without a quota, and by mode. The ratio is the primary's CPU time of a request with replicas, over that
 *   without. The times of the replicas are in a table.
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
      return withReplicas(urls, secret, (replicas) =>
        withApi(primary, keys.unlimited, (alone) =>
          withApi(
            primary,
            keys.unlimited,
            async (replicated) => {
              const sides = modeNames.flatMap((mode) =>
                (["unlimited", "metered"] as const).flatMap((key) =>
                  [alone, replicated].map((api, index): LoadedSide => {
                    const { requestAt } = findMode(mode);
                    return {
                      name: sideName(mode, key, index === 1),
                      run: (count) => get(`${api.url}/grants-api${requestAt(count)}`, bearer(keys[key])),
                    };
                  }),
                ),
              );
              const programs = [primary, ...replicas].map(
                ({ pid }, index) => [nameOf("postgrest", index), pid] as const,
              );
              report(`replicas: ${replicas.length}, ${effort.connections} requests at once`);
              const loaded = await loadInTurns(sides, effort, async () => {
                const [one, other] = await Promise.all([
                  readCpu(programs, "no session of any database"),
                  readServersCpu(servers),
                ]);
                return new Map([...one, ...other]);
              });
              return findings(rows, loaded);
            },
            { SUPABASE_READ_URL: replicas.map((replica) => replica.url).join(",") },
          ),
        ),
      );
    },
    secret,
  );
};

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

function sideName(mode: string, key: "unlimited" | "metered", isReplicated: boolean): string {
  return `${mode}${key === "metered" ? ", with a quota" : ""}${isReplicated ? "" : ", no replicas"}`;
}

function findings(rows: number, loaded: ReadonlyMap<string, LoadedTiming>) {
  const primaryMs = ({ cpu }: LoadedTiming) => (cpu[nameOf("postgres", 0)] ?? 0) + (cpu[nameOf("postgrest", 0)] ?? 0);
  const measured = modeNames.flatMap((mode) =>
    (["unlimited", "metered"] as const).map((key) => {
      const [side, before] = [loaded.get(sideName(mode, key, true)), loaded.get(sideName(mode, key, false))];
      if (side === undefined || before === undefined) throw new Error(`replicas: ${mode} was not measured`);
      return makeSpeedRow("replicas", sideName(mode, key, true), rows, side, primaryMs(side) / primaryMs(before));
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
