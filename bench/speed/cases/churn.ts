import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Connection, closeAfter, queryOne } from "../../../database/connection.ts";
import { sealRecords } from "../../../database/lexicon/seal.ts";
import { openPGlite, pgliteConnection } from "../../../database/pglite.ts";
import { connectPostgres } from "../../../database/postgres.ts";
import { hashKey } from "../../../shared/auth/key.ts";
import { round } from "../../statistics.ts";
import { compareAnswers } from "../answers.ts";
import { costRatio } from "../compare.ts";
import { withCopy } from "../databases.ts";
import { ensureEmbeddedFolder, speedKeysFile } from "../embedded/folder.ts";
import { timeInTurns } from "../in-turns.ts";
import { callListRpc } from "../list-requests.ts";
import { findMode } from "../modes.ts";
import { makeSpeedRow, type SpeedRow } from "../row.ts";
import type { Effort, Findings, Report, ServerCase, SpeedKeys } from "../speed-case.ts";

/** Records changed since the fit, in all. */
const levels = [0, 1, 500, 2_500, 10_000, 40_000];
/** Changes of one transaction, as an import makes them. */
const batchSize = 500;
/** Records a second that are written while requests are measured. */
const writesPerSecond = 20;
/** How often a dispatcher seals, in milliseconds. */
const sealEveryMs = 5_000;

const searches = ["new keyword list", "new keyword by relevance", "new semantic", "new hybrid"];

/** Measures what changes cost on a server. The writer has a session of its own, and so has the sealing. */
export const measureChurn: ServerCase = async ({ database, serverUrl, effort, report }) =>
  withCopy(serverUrl, database, (copy, copyUrl) =>
    measureChanges({
      name: "churn",
      rows: database.rows,
      key: database.keys.unlimited,
      fresh: database.connection,
      copy,
      openWriter: () => connectPostgres(copyUrl),
      effort,
      report,
    }),
  );

/**
 * Measures the same embedded, over two copies of the data folder. Each has one session: a request waits for the write, or the sealing, that is
 * under way.
 */
export async function measureEmbeddedChurn(rows: number, effort: Effort, report: Report): Promise<Findings> {
  const folder = await ensureEmbeddedFolder(rows, report);
  const keys: SpeedKeys = JSON.parse(await readFile(join(folder, speedKeysFile), "utf8"));
  const copies = await mkdtemp(join(tmpdir(), "funding-churn-"));
  const open = async (name: string) => {
    await cp(join(folder, "postgres"), join(copies, name), { recursive: true });
    return pgliteConnection(await openPGlite(join(copies, name)));
  };
  try {
    return await closeAfter(await open("fresh"), async (fresh) =>
      closeAfter(await open("changed"), (copy) =>
        measureChanges({
          name: "embedded_churn",
          rows,
          key: keys.unlimited,
          fresh,
          copy,
          openWriter: async () => ({ ...copy, close: async () => undefined }),
          effort,
          report,
        }),
      ),
    );
  } finally {
    await rm(copies, { recursive: true, force: true });
  }
}

interface ChurnSetting {
  /** Name of the case. */
  name: string;
  rows: number;
  /** A key without a quota. */
  key: string;
  /** The database as the fit left it. */
  fresh: Connection;
  /** A copy of it, in which records change. */
  copy: Connection;
  /** Opens a session on the copy for writing beside the requests. The caller closes it. */
  openWriter(): Promise<Connection>;
  effort: Effort;
  report: Report;
}

/**
 * Measures the RPCs of lists and searches while the data changes, in turns with a copy of the database as the fit left it. The
 * reference is that copy. A tenth of the changes are deletions, another tenth new records; the others rewrite a record's text or facts.
 */
async function measureChanges(setting: ChurnSetting): Promise<Findings> {
  const { name: caseName, rows, fresh, copy, effort, report } = setting;
  const measured: SpeedRow[] = [];
  const answers: object[] = [];
  const keyHash = await hashKey(setting.key);
  const measure = async (label: string) => {
    report(`${caseName}: ${label}`);
    for (const { name, indexes, run } of requestsOf(keyHash)) {
      const timings = await timeInTurns(
        [
          { name: "fresh", run: (index: number) => run(fresh, index) },
          { name: "changed", run: (index: number) => run(copy, index) },
        ],
        indexes,
        effort.rounds,
      );
      const [before, after] = [timings.get("fresh"), timings.get("changed")];
      if (before === undefined || after === undefined) throw new Error(`${caseName}: ${name} was not measured`);
      measured.push(
        makeSpeedRow(caseName, `${name}, ${label}`, rows, after, costRatio(after, before)),
        makeSpeedRow(`${caseName}_median`, `${name}, ${label}`, rows, after, after.p50_ms / before.p50_ms),
      );
    }
  };
  let changes = 0;
  for (const level of levels.filter((count) => count <= rows)) {
    const [changedBefore, walBefore] = [changes, await writtenWal(copy)];
    for (; changes < level; changes += Math.min(batchSize, level - changes)) {
      await changeRecords(copy, Math.min(batchSize, level - changes), changes);
      await sealRecords(copy);
    }
    const walKb = ((await writtenWal(copy)) - walBefore) / 1_024 / (changes - changedBefore);
    await measure(`${level} changed`);
    answers.push({ changed: level, ...(await describeAnswers(copy)), ...(await describeWal(copy, walKb)) });
  }
  await whileWriting(setting, changes, () => measure(`${writesPerSecond} written a second`));
  answers.push({ changed: `${changes}, then ${writesPerSecond} a second`, ...(await describeAnswers(copy)) });
  return {
    rows: measured,
    tables: [{ title: "Answers while the data changes, against those of reading each record", lines: answers }],
  };
}

interface Requests {
  name: string;
  indexes: number[];
  run(connection: Connection, index: number): Promise<unknown>;
}

/** Requests that no database was sent before, of each kind. */
function requestsOf(keyHash: string): Requests[] {
  const list = findMode("new list");
  // There are eleven: a percentile needs more.
  const many = list.indexes.flatMap(() => list.indexes);
  const sending = (name: string, indexes: number[], queryAt: (index: number) => string): Requests => ({
    name,
    indexes,
    run: (connection, index) => callListRpc(connection, keyHash, queryAt(index)),
  });
  return [
    sending("new list", many, (index) => list.requestAt(index)),
    ...searches.map(findMode).map(({ name, indexes, requestAt }) => sending(name, indexes, requestAt)),
    sending("new list by deadline", many, (index) => byDeadline(list.requestAt(index))),
    sending("new total", many, (index) => `${list.requestAt(index)}&count_only=true`),
  ];
}

function byDeadline(query: string): string {
  return `${query.replace(/&?(sort_by|order)=\w+/g, "")}&sort_by=deadline_date&order=asc`;
}

/** Changes so many grants, each batch others. */
async function changeRecords(connection: Connection, count: number, start: number): Promise<void> {
  const tenth = Math.floor(count / 10);
  await connection.transaction(async (transaction) => {
    // By the hash of the id: records of all ages and lists.
    await transaction.query(
      `create temporary table picked on commit drop as
       select id, row_number() over () as number from (
         select id from funding.grants where updated_at < now() order by md5(id::text || $1) limit $2) as chosen`,
      [String(start), count],
    );
    await transaction.query(
      `insert into funding.grants (id, title, description, amount_min, amount_max, deadline_date, status, classification, geography, states,
         is_national, funder_id, listing_url, created_at, categories, source, source_id, content_hash)
       select gen_random_uuid(), title, description, amount_min, amount_max, deadline_date + 7, status, classification, geography, states,
         is_national, funder_id, listing_url, now(), categories, source, gen_random_uuid()::text, content_hash
       from funding.grants join picked using (id) where number <= $1`,
      [tenth],
    );
    await transaction.query(
      "delete from funding.grants using picked where picked.id = grants.id and number > $1 and number <= 2 * $1",
      [tenth],
    );
    await transaction.query(
      `update funding.grants set title = grants.title || ' (amended)', deadline_date = grants.deadline_date + 1, updated_at = now()
       from picked where picked.id = grants.id and number > 2 * $1 and number % 2 = 0`,
      [tenth],
    );
    await transaction.query(
      `update funding.grants set amount_max = grants.amount_max * 1.1, status = case status when 'open' then 'posted' else 'open' end, updated_at = now()
       from picked where picked.id = grants.id and number > 2 * $1 and number % 2 = 1`,
      [tenth],
    );
  });
}

/** Writes records, one after the other, and seals as a dispatcher does, while `work` goes on. */
async function whileWriting({ openWriter }: ChurnSetting, start: number, work: () => Promise<void>): Promise<void> {
  const isOver = new AbortController();
  const pause = (ms: number) => setTimeout(ms, undefined, { signal: isOver.signal }).catch(() => undefined);
  const writing = closeAfter(await openWriter(), async (connection) => {
    for (let written = 0; !isOver.signal.aborted; written++) {
      await changeOne(connection, start + written);
      await pause(1000 / writesPerSecond);
    }
  });
  const sealing = closeAfter(await openWriter(), async (connection) => {
    while (!isOver.signal.aborted) {
      await sealRecords(connection);
      await pause(sealEveryMs);
    }
  });
  try {
    await work();
  } finally {
    isOver.abort();
    await Promise.all([writing, sealing]);
  }
}

async function changeOne(connection: Connection, number: number): Promise<void> {
  await connection.query(
    `update funding.grants set title = title || $1, deadline_date = deadline_date + 1
     where id = (select id from funding.grants where id >= md5($1)::uuid order by id limit 1)`,
    [` ${number}`],
  );
}

/** Bytes that Postgres has written to its write-ahead log. */
async function writtenWal(connection: Connection): Promise<number> {
  const { bytes } = await queryOne<{ bytes: number }>(
    connection,
    "select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes",
  );
  return bytes;
}

/** Write-ahead log of one change, with its sealing, in KB, and the size of a record, of which most changes write a new version. */
async function describeWal(connection: Connection, walKb: number): Promise<object> {
  const { kb } = await queryOne<{ kb: number }>(
    connection,
    "select pg_table_size('funding.grants') / 1024.0 / count(*)::float8 as kb from funding.grants",
  );
  return { "WAL KB a change": Number.isFinite(walKb) ? round(walKb, 1) : "", "KB a record": round(kb, 1) };
}

async function describeAnswers(connection: Connection): Promise<object> {
  const { recall, totals, wrongTotals, segments } = await compareAnswers(connection);
  return { "recall@10": recall, "wrong totals": `${wrongTotals} of ${totals}`, segments };
}
