import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeAfter } from "../../../database/connection.ts";
import { connectPostgres } from "../../../database/postgres.ts";
import { readFiles } from "../../../ingest/read/files.ts";
import { runImport } from "../../../ingest/run-import.ts";
import { grantsGov } from "../../../ingest/sources/grants-gov.ts";
import { namedMapping } from "../../../ingest/sources/named.ts";
import { emptySummary } from "../../../ingest/summary.ts";
import type { MirrorPosition } from "../../../packages/client/src/collection.ts";
import { chunksOf } from "../../unit/ingest/helpers.ts";
import { databaseCollection } from "./database-collection.ts";

const { DATABASE_URL = "" } = process.env;
if (DATABASE_URL === "") throw new Error("DATABASE_URL must name the native stack's database");

const sources = ["grants-gov", "late-desk"];
let reader: pg.Client;

async function connect(): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: DATABASE_URL });
  await session.connect();
  return session;
}

beforeAll(async () => {
  reader = await connect();
  const { rows } = await reader.query("select from funding.grants where source = any($1)", [sources]);
  if (rows.length > 0) throw new Error("the database has records of the sources that this test imports and removes");
});
afterAll(async () => {
  for (const table of ["grants", "funder_codes", "funders", "imports"]) {
    await reader.query(`delete from funding.${table} where source = any($1)`, [sources]);
  }
  await reader.end();
});

const hours = 24;
const below = (limit: number) => Math.floor(Math.random() * limit);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The publisher: what its list has, by number, with the version of each. */
const published = new Map(Array.from({ length: 300 }, (_, index) => [index + 1, 0]));
let lastPublished = published.size;

/** An hour at the publisher: some opportunities change, some come, some go. */
function publish(): string {
  for (let changes = below(30); changes > 0; changes--) {
    const number = 1 + below(lastPublished);
    if (published.has(number)) published.set(number, (published.get(number) ?? 0) + 1);
  }
  for (let more = below(10); more > 0; more--) published.set(++lastPublished, 0);
  for (let less = below(8); less > 0; less--) published.delete(1 + below(lastPublished));
  const synopses = [...published].map(
    ([number, version]) => `<OpportunitySynopsisDetail_1_0><OpportunityID>${number}</OpportunityID>
      <OpportunityTitle>Opportunity ${number}, version ${version}</OpportunityTitle>
      <AgencyCode>A${number % 7}</AgencyCode><AgencyName>Hourly Agency ${number % 7}</AgencyName>
      <PostDate>04152026</PostDate><CloseDate>0${1 + (version % 9)}012027</CloseDate></OpportunitySynopsisDetail_1_0>`,
  );
  return `<?xml version="1.0"?>\n<Grants>\n${synopses.join("\n")}</Grants>\n`;
}

/** Imports an extract as the command does: over two connections, and archives what the list no longer has. */
async function importExtract(content: string, hour: number): Promise<string> {
  const connections = await Promise.all([connectPostgres(DATABASE_URL), connectPostgres(DATABASE_URL)]);
  const [first, second] = connections as [(typeof connections)[0], (typeof connections)[0]];
  const result = await closeAfter(first, () =>
    closeAfter(second, () =>
      runImport(readFiles([{ chunks: chunksOf(content, 10_000) }], grantsGov.read), {
        prepare: namedMapping(grantsGov),
        connect: () => Promise.resolve([first, second]),
        importer: grantsGov.name,
        file: `hour-${hour}.xml`,
        asOf: new Date(Date.UTC(2026, 5, 1, hour)),
        isFull: true,
        isForced: false,
        rejects: { write: async (rejects) => expect(rejects).toEqual([]) },
        summary: emptySummary(),
      }),
    ),
  );
  return result.outcome;
}

/** A writer who commits hours after it wrote, or takes everything back. */
async function writeLate(hourMs: number): Promise<void> {
  const writer = await connect();
  try {
    await writer.query("begin");
    for (let batch = 1 + below(3); batch > 0; batch--) {
      const first = below(150);
      const records = Array.from({ length: 1 + below(10) }, (_, index) => ({
        source: "late-desk",
        source_id: String(first + index),
        title: `Late ${crypto.randomUUID()}`,
        status: "open",
        funder_name: "Late Desk",
      }));
      await writer.query("select funding.upsert_records('grants', $1::jsonb)", [JSON.stringify(records)]);
      if (below(3) === 0) {
        const ids = [String(below(150))];
        await writer.query("select funding.archive_records('grants', 'late-desk', $1)", [ids]);
      }
      await pause(below(hourMs));
    }
    await writer.query(below(6) === 0 ? "rollback" : "commit");
  } catch (error) {
    // Two who wait for each other: one of them gives up.
    if ((error as { code?: string }).code !== "40P01") throw error;
  } finally {
    await writer.end();
  }
}

test("a mirror that is brought up to date each hour equals the database after a day of imports", async () => {
  const grants = databaseCollection<{ id: string }>(reader, "grants");
  const query = { expand: ["details" as const] };
  const copy = new Map<string, object>();
  // The consumer stores what it applied together with the position, as text.
  let stored: string | undefined;
  let received = 0;
  let batches = 0;
  let crashes = 0;
  const synchronize = async () => {
    const position = stored === undefined ? undefined : (JSON.parse(stored) as MirrorPosition);
    for await (const batch of grants.mirror(position, query)) {
      // It ends before it has applied every eighth batch, and begins again there the next hour.
      if (++received % 8 === 0) {
        crashes++;
        return;
      }
      for (const record of batch.records) copy.set(record.id, record);
      for (const { id } of batch.archived) copy.delete(id);
      stored = JSON.stringify(batch.position);
      batches++;
    }
  };

  const hourMs = 400;
  const outcomes: string[] = [];
  const late: Promise<void>[] = [];
  for (let hour = 0; hour < hours; hour++) {
    late.push(writeLate(hourMs), writeLate(hourMs));
    const [outcome] = await Promise.all([importExtract(publish(), hour), pause(below(hourMs)).then(synchronize)]);
    outcomes.push(outcome);
  }
  await Promise.all(late);
  const stop = Date.now() + 60_000;
  const isCurrent = async () => {
    const before = crashes;
    await synchronize();
    return crashes === before;
  };
  while (!(await isCurrent())) if (Date.now() > stop) throw new Error("the mirror did not end");

  expect(outcomes).toEqual(Array.from({ length: hours }, () => "completed"));
  const current = new Map<string, object>();
  for await (const record of grants.iterate({ opportunity_type: "all", ...query })) current.set(record.id, record);
  expect(copy).toEqual(current);
  const { rows } = await reader.query(
    "select count(*) filter (where archived_at is null)::int as current, count(*) filter (where archived_at is not null and source = any($1))::int as archived from funding.grants",
    [sources],
  );
  expect(rows).toEqual([{ current: copy.size, archived: expect.any(Number) }]);
  expect(rows[0].archived).toBeGreaterThan(10);
  expect([batches > hours, crashes > 0]).toEqual([true, true]);
});
