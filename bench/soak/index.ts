import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, closeAfter } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { maintain } from "../../functions/dispatch/retention.ts";
import { createRpcClient } from "../../shared/database/client.ts";
import { silentLog } from "../../shared/log/log.ts";
import { type AnswerCheck, compareAnswers, countMatching } from "../speed/answers.ts";
import { withLoadedDatabases } from "../speed/databases.ts";
import { bearer, withApi } from "../speed/http/api.ts";
import { type PostgRest, withPostgRest } from "../speed/http/postgrest.ts";
import { fetchDirectly } from "../speed/http/requests.ts";
import { listRequests } from "../speed/list-requests.ts";
import { median, percentile, round } from "../statistics.ts";
import { readMemory, readTableSizes } from "./sizes.ts";
import { importFile, pause, type Requests, Searches, Writes, writeImportFile } from "./traffic.ts";

export interface SoakOptions {
  rows: number;
  minutes: number;
  writesPerSecond: number;
  searchesPerSecond: number;
  importEveryMinutes: number;
  reportEveryMinutes: number;
}

/** One period between two reports. */
interface Period {
  minute: number;
  p95: Record<string, number>;
  line: object;
  sizes: object;
}

export interface SoakMeasures {
  times: object[];
  sizes: object[];
  /** p95 of the second half's periods to that of the first half's, by mode: medians. */
  trend: object[];
  /** Faults of the answers; none is expected. */
  wrong: string[];
}

/** How often a dispatcher is called, in milliseconds. */
const dispatchEveryMs = 5_000;

/**
 * Runs the API over a scratch database with grants for a time: searches at a rate, single writes at a rate, imports of a file that changes,
 * and the dispatcher's work. Each period, totals are compared with counts at one moment; at the end, those that the API gives.
 */
export async function measureSoak(
  serverUrl: string,
  options: SoakOptions,
  report: (line: string) => void,
): Promise<SoakMeasures> {
  return withLoadedDatabases(serverUrl, [options.rows], report, async ([database]) => {
    if (database === undefined) throw new Error("no database was loaded");
    const { connection, url, keys } = database;
    return withPostgRest(connection, url, (postgrest) =>
      withApi(postgrest, keys.unlimited, async (api) => {
        const searches = new Searches(api.url, keys.unlimited);
        const periods: Period[] = [];
        const wrong: string[] = [];
        const importSeconds: number[] = [];
        const over = new AbortController();
        const writer = await connectPostgres(url);
        const writes = new Writes(writer);
        const work = [
          searches.run(options.searchesPerSecond, over.signal),
          writes.run(options.writesPerSecond, over.signal),
          importRegularly(url, options.importEveryMinutes, over.signal, importSeconds),
          dispatchRegularly(postgrest, over.signal),
        ];
        // A failure of any ends the run at once.
        const failed = Promise.all(work).then(() => undefined);
        failed.catch(() => over.abort());
        try {
          for (let minute = 0; minute < options.minutes && !over.signal.aborted; ) {
            await pause(options.reportEveryMinutes * 60_000, over.signal);
            if (over.signal.aborted) break;
            minute += options.reportEveryMinutes;
            const requests = searches.take();
            const written = writes.take();
            const answers = await compareAtOneMoment(url);
            if (answers.wrongTotals > 0) wrong.push(`minute ${minute}: ${answers.wrongTotals} totals are wrong`);
            wrong.push(...describeFailures(minute, requests));
            const period = {
              minute,
              p95: p95ByMode(requests),
              line: toLine(minute, requests, written, importSeconds.splice(0), answers),
              sizes: {
                minute,
                ...(await readTableSizes(connection)),
                ...(await readMemory(connection, { api: api.pid, postgrest: postgrest.pid })),
              },
            };
            periods.push(period);
            report(JSON.stringify(period.line));
            report(JSON.stringify(period.sizes));
          }
        } finally {
          over.abort();
          await failed.finally(() => writer.close());
        }
        wrong.push(...(await checkApiTotals(connection, api.url, keys.unlimited)));
        return {
          times: periods.map(({ line }) => line),
          sizes: periods.map(({ sizes }) => sizes),
          trend: trendOf(periods),
          wrong,
        };
      }),
    );
  });
}

async function importRegularly(url: string, everyMinutes: number, signal: AbortSignal, seconds: number[]) {
  const path = join(tmpdir(), `soak-${crypto.randomUUID()}.csv`);
  try {
    for (let run = 0; !signal.aborted; run++) {
      await writeImportFile(path, run);
      const took = await importFile(url, path);
      seconds.push(took);
      await pause(Math.max(0, everyMinutes * 60_000 - took * 1_000), signal);
    }
  } finally {
    await rm(path, { force: true });
  }
}

async function dispatchRegularly({ url, serviceKey }: PostgRest, signal: AbortSignal): Promise<void> {
  const database = createRpcClient({ url, serviceKey, fetch: fetchDirectly });
  while (!signal.aborted) {
    await maintain({ database, log: silentLog, budgetMs: 60_000 });
    await pause(dispatchEveryMs, signal);
  }
}

/** Both sides of each comparison see the same records. */
async function compareAtOneMoment(url: string): Promise<AnswerCheck> {
  return closeAfter(await connectPostgres(url), async (connection) => {
    await connection.execute("begin isolation level repeatable read");
    return compareAnswers(connection);
  });
}

/** Compares the totals that the API gives with counts, when nobody writes any more. */
async function checkApiTotals(connection: Connection, url: string, key: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const { api } of listRequests) {
    const response = await fetch(`${url}/grants-api${api}`, { headers: bearer(key) });
    const { pagination } = (await response.json()) as { pagination: { total: number } };
    const counted = await countMatching(connection, api);
    if (pagination.total !== counted) wrong.push(`${api}: the API says ${pagination.total}, there are ${counted}`);
  }
  return wrong;
}

function describeFailures(minute: number, { failures, leftOut }: Requests): string[] {
  return [
    ...[...failures].map(([status, count]) => `minute ${minute}: ${count} requests answered ${status || "not at all"}`),
    ...(leftOut > 0 ? [`minute ${minute}: ${leftOut} requests left out, too many were under way`] : []),
  ];
}

function p95ByMode({ times }: Requests): Record<string, number> {
  return Object.fromEntries([...times].map(([mode, list]) => [mode, round(percentile(list, 0.95), 1)]));
}

function toLine(minute: number, requests: Requests, written: number[], imports: number[], answers: AnswerCheck) {
  const ms = (list: number[]) => `${round(percentile(list, 0.5), 1)}/${round(percentile(list, 0.95), 1)}`;
  return {
    minute,
    ...Object.fromEntries([...requests.times].map(([mode, list]) => [mode, ms(list)])),
    write: ms(written),
    writes: written.length,
    "import s": imports.map((seconds) => round(seconds, 0)).join(" "),
    "wrong totals": `${answers.wrongTotals} of ${answers.totals}`,
    "recall@10": answers.recall,
    segments: answers.segments,
  };
}

/** Compares the halves of the run, without its first period, which fills caches. */
function trendOf(periods: Period[]): object[] {
  const counted = periods.slice(1);
  const middle = Math.floor(counted.length / 2);
  if (middle === 0) return [];
  const modes = Object.keys(counted[0]?.p95 ?? {});
  const p95 = (some: Period[], mode: string) => median(some.map((period) => period.p95[mode] ?? Number.NaN));
  return modes.map((mode) => {
    const [early, late] = [p95(counted.slice(0, middle), mode), p95(counted.slice(-middle), mode)];
    return { mode, "p95 ms, first half": early, "second half": late, ratio: round(late / early, 2) };
  });
}
