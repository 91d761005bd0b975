import type { Connection } from "../../database/connection.ts";
import { migrate } from "../../database/migrate.ts";
import { tablesToVacuum, vacuum } from "../../database/vacuum.ts";
import { Retention } from "../../functions/dispatch/retention.ts";
import type { RpcClient } from "../../shared/database/rpc.ts";
import { silentLog } from "../../shared/log/log.ts";
import { withScratchDatabase } from "../relevance/scratch-database.ts";
import { percentile, round } from "../statistics.ts";
import { makeClock, setClock } from "./clock.ts";
import { type DailyTraffic, prepareTraffic, runDay } from "./traffic.ts";

/** Months at whose end sizes are noted. */
const reportedMonths = [1, 6, 12, 15, 18, 24];
const dayMs = 86_400_000;

export interface RetentionMeasures {
  /** Size of each table with its indexes in MB, and rows, at the end of months. */
  sizes: Record<string, string>[];
  /** Times of the batches, by table. */
  batches: object[];
}

/**
 * Simulates months on a scratch database: traffic of a day, the dispatcher's retention, vacuum where autovacuum would have
 * run, and the clock moves on. The last day is today.
 */
export async function measureRetention(
  serverUrl: string,
  months: number,
  traffic: DailyTraffic,
  report: (line: string) => void,
): Promise<RetentionMeasures> {
  return withScratchDatabase(serverUrl, async (connection) => {
    await migrate(connection);
    await makeClock(connection);
    const days = Math.round((months * 365) / 12);
    const firstDay = Date.now() - days * dayMs;
    await setClock(connection, new Date(firstDay));
    const keyIds = await prepareTraffic(connection, traffic);
    const times = new Map<string, number[]>();
    const sizes = new Map<string, Record<string, string>>();
    for (let day = 1; day <= days; day++) {
      const moment = new Date(firstDay + day * dayMs);
      await setClock(connection, moment);
      await runDay(connection, moment, keyIds, traffic);
      await retain(connection, times);
      await vacuum(connection, await tablesToVacuum(connection));
      const month = reportedMonths.find((reported) => Math.round((reported * 365) / 12) === day);
      if (month !== undefined) {
        await noteSizes(connection, `month ${month}`, sizes);
        report(`month ${month}: ${JSON.stringify([...sizes.values()].slice(0, 12))}`);
      }
    }
    return { sizes: [...sizes.values()], batches: [...times].map(([table, list]) => summarise(table, list)) };
  });
}

/** Runs the dispatcher's retention until nothing is overdue. */
async function retain(connection: Connection, times: Map<string, number[]>): Promise<void> {
  const database = {
    async call(name: string, parameters: Record<string, unknown>) {
      const names = Object.keys(parameters);
      const places = names.map((parameter, index) => `${parameter} => $${index + 1}`).join(", ");
      const started = performance.now();
      const [row] = await connection.query<{ value: unknown }>(
        `select public.${name}(${places}) as value`,
        Object.values(parameters),
      );
      const timed = String(parameters.table_name ?? name);
      times.set(timed, [...(times.get(timed) ?? []), performance.now() - started]);
      return { ok: true, value: row?.value };
    },
  } as unknown as RpcClient;
  const retention = new Retention({ database, log: silentLog, isOver: () => false });
  while ((await retention.runBatch()).found > 0);
}

async function noteSizes(
  connection: Connection,
  column: string,
  sizes: Map<string, Record<string, string>>,
): Promise<void> {
  const tables = await connection.query<{ name: string; bytes: number; rows: number }>(
    `select relname as name, pg_total_relation_size(oid)::double precision as bytes,
       (xpath('/row/count/text()', query_to_xml(format('select count(*) from funding.%I', relname), false, true, '')))[1]::text::integer as rows
     from pg_class where relnamespace = 'funding'::regnamespace and relkind = 'r' order by 2 desc`,
  );
  for (const { name, bytes, rows } of tables) {
    sizes.set(name, { table: name, ...sizes.get(name), [column]: `${round(bytes / 1e6, 1)} MB, ${rows} rows` });
  }
}

function summarise(table: string, times: number[]): object {
  return {
    table,
    batches: times.length,
    "p50 ms": round(percentile(times, 0.5), 1),
    "p95 ms": round(percentile(times, 0.95), 1),
    "max ms": round(Math.max(...times), 1),
  };
}
