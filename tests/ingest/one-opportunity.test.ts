import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { deleteRecord, findRecord } from "../../database/records.ts";
import { readFiles } from "../../ingest/read/files.ts";
import { runImport } from "../../ingest/run-import.ts";
import { grantsGov } from "../../ingest/sources/grants-gov.ts";
import { namedMapping } from "../../ingest/sources/named.ts";
import { simpler } from "../../ingest/sources/simpler.ts";
import type { Source } from "../../ingest/sources/source.ts";
import { emptySummary } from "../../ingest/summary.ts";
import { openEmptyDatabase } from "../support/service.ts";
import { chunksOf } from "../unit/ingest/helpers.ts";
import { csvOf } from "../unit/ingest/source-records.ts";

/** An opportunity that comes from Grants.gov's extract and from Simpler.Grants.gov is one record, whichever comes first. */

let connection: Connection;

beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
});

beforeEach(() =>
  connection.execute(
    "truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes, funding.record_changes, funding.record_aliases, funding.imports",
  ),
);

afterAll(() => connection.close());

interface Opportunity {
  id: number;
  number: string;
  title?: string;
  archived?: boolean;
}

/** Grants.gov's extract of opportunities. */
function extractOf(...opportunities: Opportunity[]): string {
  const records = opportunities.map(
    ({ id, number, title = `Opportunity ${number}` }) =>
      `<OpportunitySynopsisDetail_1_0><OpportunityID>${id}</OpportunityID><OpportunityNumber>${number}</OpportunityNumber><OpportunityTitle>${title}</OpportunityTitle><AgencyCode>EPA</AgencyCode><AgencyName>Environmental Protection Agency</AgencyName><PostDate>04152026</PostDate><CloseDate>07012096</CloseDate><Description>What it pays for</Description></OpportunitySynopsisDetail_1_0>`,
  );
  return `<Grants>${records.join("")}</Grants>`;
}

const uuid = (id: number) => `aaaaaaaa-0000-4000-8000-${String(id).padStart(12, "0")}`;

/** The CSV that Simpler.Grants.gov's site exports: without legacy ids. */
function exportOf(...opportunities: Opportunity[]): string {
  return csvOf(
    ...opportunities.map(({ id, number, title = `Opportunity ${number}`, archived = false }) => ({
      opportunity_id: uuid(id),
      opportunity_number: number,
      opportunity_title: title,
      opportunity_status: archived ? "archived" : "posted",
      agency_code: "EPA",
      agency_name: "Environmental Protection Agency",
      post_date: "2026-04-15",
      close_date: archived ? "2020-01-01" : "2096-07-01",
      summary_description: "What it pays for",
    })),
  );
}

/** Simpler's extract in JSON: with legacy ids. */
function jsonOf(...opportunities: Opportunity[]): string {
  return JSON.stringify({
    opportunities: opportunities.map(({ id, number, title = `Opportunity ${number}` }) => ({
      opportunity_id: uuid(id),
      legacy_opportunity_id: id,
      opportunity_number: number,
      opportunity_title: title,
      opportunity_status: "posted",
      agency_code: "EPA",
      agency_name: "Environmental Protection Agency",
      summary: { post_date: "2026-04-15", close_date: "2096-07-01", summary_description: "What it pays for" },
    })),
  });
}

async function run(source: Source, content: string) {
  const summary = emptySummary();
  const result = await runImport(readFiles([{ chunks: chunksOf(content, 1_000) }], source.read), {
    prepare: namedMapping(source),
    connect: () => Promise.resolve([connection]),
    importer: source.name,
    file: "file",
    asOf: new Date(),
    isForced: false,
    rejects: { write: async () => undefined },
    summary,
  });
  return { ...result, ...summary.records.get("grants") };
}

function stored() {
  return connection.query<{ id: string; source_id: string; title: string; listing_url: string; archived: boolean }>(
    "select id, source_id, title, listing_url, archived_at is not null as archived from funding.grants order by details->>'opportunity_number', source_id",
  );
}

const one = { id: 350_001, number: "EPA-27-001" };

describe("an opportunity of Grants.gov and of Simpler.Grants.gov", () => {
  test("that Grants.gov brought first keeps its id, its source_id and its address", async () => {
    await run(grantsGov, extractOf(one));
    const [before] = await stored();
    expect(await run(simpler, exportOf({ ...one, number: "epa-27-001", title: "Changed" }))).toMatchObject({
      inserted: 0,
      updated: 1,
    });
    expect(await stored()).toEqual([{ ...before, title: "Changed" }]);
    expect(await run(simpler, exportOf({ ...one, number: "epa-27-001", title: "Changed" }))).toMatchObject({
      unchanged: 1,
    });
  });

  test("that Simpler brought first keeps its id, and gets Grants.gov's identifier", async () => {
    await run(simpler, exportOf(one));
    const [before] = await stored();
    expect(before).toMatchObject({
      source_id: uuid(one.id),
      listing_url: `https://simpler.grants.gov/opportunity/${uuid(one.id)}`,
    });
    expect(await run(grantsGov, extractOf(one))).toMatchObject({ outcome: "completed", inserted: 0, updated: 1 });
    const listing_url = "https://www.grants.gov/search-results-detail/350001";
    expect(await stored()).toEqual([{ ...before, source_id: "350001", listing_url }]);
    // The next export finds it by its UUID, also where the number was corrected.
    expect(await run(simpler, exportOf({ ...one, number: "EPA-27-001-REV" }))).toMatchObject({ inserted: 0 });
    expect(await stored()).toMatchObject([{ id: before?.id, source_id: "350001", listing_url }]);
  });

  test("is known by the legacy id, whatever its number says", async () => {
    await run(grantsGov, extractOf(one, { id: 350_002, number: "EPA-27-002" }));
    expect(await run(simpler, jsonOf({ ...one, number: "EPA-27-002" }))).toMatchObject({ inserted: 0, updated: 1 });
    expect((await stored()).map(({ source_id }) => source_id)).toEqual(["350001", "350002"]);
  });

  test("is another one where the number is not the only one of its kind", async () => {
    await run(grantsGov, extractOf(one, { id: 350_009, number: one.number }));
    expect(await run(simpler, exportOf(one))).toMatchObject({ inserted: 1 });
    expect((await stored()).map(({ source_id }) => source_id).sort()).toEqual(
      ["350001", "350009", uuid(one.id)].sort(),
    );
  });

  test("is the current one of several with its number", async () => {
    await run(grantsGov, extractOf(one, { id: 350_009, number: one.number }));
    await connection.execute("update funding.grants set archived_at = now() where source_id = '350009'");
    expect(await run(simpler, exportOf(one))).toMatchObject({ inserted: 0 });
    expect(
      await connection.query(
        "select grants.source_id from funding.record_aliases join funding.grants on grants.id = record_id",
      ),
    ).toEqual([{ source_id: "350001" }]);
  });

  test("two of one export with one number are two", async () => {
    await run(grantsGov, extractOf(one));
    expect(await run(simpler, exportOf(one, { id: 2, number: one.number }))).toMatchObject({ inserted: 2 });
  });

  test("that Simpler alone has is not archived by Grants.gov's list, and is by its own word", async () => {
    const many = Array.from({ length: 9 }, (_, index) => ({ id: 100 + index, number: `N-${index}` }));
    await run(grantsGov, extractOf(one, ...many));
    await run(simpler, exportOf({ id: 7, number: "OTHER" }));
    expect(await run(grantsGov, extractOf(...many))).toMatchObject({ outcome: "completed", archived: 1 });
    const archived = async () => (await stored()).filter((record) => record.archived).map(({ source_id }) => source_id);
    expect(await archived()).toEqual(["350001"]);
    await run(simpler, exportOf({ id: 7, number: "OTHER", archived: true }));
    expect((await archived()).sort()).toEqual(["350001", uuid(7)]);
  });

  test("that is deleted leaves no alias behind", async () => {
    await run(simpler, exportOf(one));
    const [record] = await stored();
    await deleteRecord(connection, (await findRecord(connection, record?.id ?? "")) ?? expect.fail());
    expect(await connection.query("select from funding.record_aliases")).toEqual([]);
  });

  test("has one history: who follows the catalogue sees a change and no second record", async () => {
    await run(simpler, exportOf(one));
    await run(grantsGov, extractOf({ ...one, title: "Changed" }));
    const changes = await connection.query<{ previous: object }>("select previous from funding.record_changes");
    expect(changes).toEqual([{ previous: expect.objectContaining({ title: "Opportunity EPA-27-001" }) }]);
  });
});
