import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readFiles } from "../../ingest/read/files.ts";
import { type RunOptions, runImport } from "../../ingest/run-import.ts";
import { grantsGov } from "../../ingest/sources/grants-gov.ts";
import { namedMapping } from "../../ingest/sources/named.ts";
import { emptySummary } from "../../ingest/summary.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { chunksOf } from "../unit/ingest/helpers.ts";

/** `last_seen_at`: when an import's input last had a record, by the API. Seeing a record again changes nothing else. */

let service: TestService;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await openTestService();
  headers = bearer((await service.newKey()).key);
});
beforeEach(() =>
  service.connection.execute(
    `truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes, funding.record_changes, funding.imports,
       funding.sightings, funding.full_lists`,
  ),
);
afterAll(() => service.close());

const extractOf = (...ids: number[]) =>
  `<?xml version="1.0"?>\n<Grants>\n${ids
    .map(
      (
        id,
      ) => `<OpportunitySynopsisDetail_1_0><OpportunityID>${id}</OpportunityID><OpportunityTitle>Opportunity ${id}</OpportunityTitle>
<AgencyCode>EPA</AgencyCode><AgencyName>Environmental Protection Agency</AgencyName><PostDate>04152026</PostDate>
<CloseDate>07012099</CloseDate><Description>Water</Description></OpportunitySynopsisDetail_1_0>\n`,
    )
    .join("")}</Grants>\n`;

async function importExtract(day: string, ids: readonly number[], options: Partial<RunOptions> = {}) {
  return await runImport(readFiles([{ chunks: chunksOf(extractOf(...ids), 1_000) }], grantsGov.read), {
    prepare: namedMapping(grantsGov),
    connect: () => Promise.resolve([service.connection]),
    importer: "grants-gov",
    file: "extract.xml",
    asOf: new Date(`2026-06-${day}T05:00:00Z`),
    isFull: true,
    isForced: true,
    rejects: { write: async () => undefined },
    summary: emptySummary(),
    ...options,
  });
}
const partial = { isFull: false, isForced: false };

async function get(path: string): Promise<{ results: { title: string; details?: Record<string, unknown> }[] }> {
  const response = await service.fetch(path, { headers });
  expect(response.status, path).toBe(200);
  return (await response.json()) as never;
}

/** Days on which records were last seen, by the numbers of their titles. */
async function seen(): Promise<Record<string, string | null>> {
  const { results } = await get("/grants-api?include_archived=true&limit=100&fields=title,last_seen_at&sort_by=title");
  return Object.fromEntries(
    results.map(({ title, details }) => [
      title.split(" ")[1],
      (details?.last_seen_at as string | null)?.slice(8, 10) ?? null,
    ]),
  );
}

describe("a full list", () => {
  test("was the last to have its records, and writes one row for them", async () => {
    await importExtract("01", [1, 2, 3]);
    expect(await seen()).toEqual({ 1: "01", 2: "01", 3: "01" });
    await importExtract("02", [1, 2, 3]);
    expect(await seen()).toEqual({ 1: "02", 2: "02", 3: "02" });
    expect(await service.connection.query("select 1 from funding.sightings")).toEqual([]);
    expect(await service.connection.query("select dataset, source from funding.full_lists")).toEqual([
      { dataset: "grants", source: "grants-gov" },
    ]);
  });

  test("that lacks a record leaves it at the day of the list before, until one has it again", async () => {
    await importExtract("01", [1, 2]);
    await importExtract("02", [1]);
    await importExtract("03", [1]);
    expect(await seen()).toEqual({ 1: "03", 2: "01" });
    await importExtract("04", [1, 2]);
    expect(await seen()).toEqual({ 1: "04", 2: "04" });
    await importExtract("05", [1]);
    expect(await seen()).toEqual({ 1: "05", 2: "04" });
  });

  test("also leaves records that it does not archive, since they would be too many", async () => {
    await importExtract("01", [1, 2, 3, 4]);
    expect(await importExtract("02", [1], { isForced: false })).toMatchObject({ outcome: "refused" });
    expect(await seen()).toEqual({ 1: "02", 2: "01", 3: "01", 4: "01" });
  });

  test("of an earlier day than the newest takes nothing back", async () => {
    await importExtract("05", [1, 2]);
    await importExtract("03", [1], { isForced: false });
    expect(await seen()).toEqual({ 1: "05", 2: "05" });
  });

  test("that is cut tells nothing", async () => {
    await importExtract("01", [1, 2]);
    const cut = chunksOf(extractOf(1, 2).slice(0, -30), 1_000);
    await expect(importCut(cut)).rejects.toThrow();
    expect(await seen()).toEqual({ 1: "01", 2: "01" });
  });

  const importCut = (chunks: AsyncIterable<Uint8Array>) =>
    runImport(readFiles([{ chunks }], grantsGov.read), {
      prepare: namedMapping(grantsGov),
      connect: () => Promise.resolve([service.connection]),
      importer: "grants-gov",
      file: "extract.xml",
      asOf: new Date("2026-06-09T05:00:00Z"),
      isFull: true,
      isForced: false,
      rejects: { write: async () => undefined },
      summary: emptySummary(),
    });
});

describe("a part of a list", () => {
  test("was the last to have its own records alone, and never takes a day back", async () => {
    await importExtract("01", [1, 2, 3]);
    await importExtract("02", [2, 4], partial);
    expect(await seen()).toEqual({ 1: "01", 2: "02", 3: "01", 4: "02" });
    await importExtract("01", [2], partial);
    expect(await seen()).toMatchObject({ 2: "02" });
  });

  test("again, of the same day, writes no row", async () => {
    await importExtract("02", [1, 2], partial);
    const rows = () => service.connection.query("select record_id, xmin::text from funding.sightings order by 1");
    const before = await rows();
    expect(before).toHaveLength(2);
    await importExtract("02", [1, 2], partial);
    expect(await rows()).toEqual(before);
  });

  test("has its rows forgotten by the next full list, but for records that the list lacks", async () => {
    await importExtract("01", [1, 2, 3], partial);
    await importExtract("02", [1, 2]);
    expect(await seen()).toEqual({ 1: "02", 2: "02", 3: "01" });
    expect(await service.connection.query("select is_missing from funding.sightings")).toEqual([{ is_missing: true }]);
    await importExtract("03", [3], partial);
    expect(await seen()).toEqual({ 1: "02", 2: "02", 3: "03" });
  });
});

describe("a run that saw the records again", () => {
  test("moves neither entity tags, nor the feed, nor their rows", async () => {
    await importExtract("01", [1, 2]);
    const [one] = (await get("/grants-api?limit=1")).results as unknown as { id: string }[];
    const traces = async () => {
      const response = await service.fetch(`/grants-api/${one?.id}?expand=details`, { headers });
      const feed = await get("/grants-api?sort_by=updated_at&order=asc&limit=100");
      const rows = await service.connection.query(
        "select id, xmin::text, updated_at::text from funding.grants order by 1",
      );
      const versions = await service.connection.query(
        "select dataset, version::text from funding.data_versions order by 1",
      );
      return [response.headers.get("etag"), feed.results, rows, versions];
    };
    const before = await traces();
    await importExtract("02", [1, 2]);
    await importExtract("03", [1], partial);
    expect(await traces()).toEqual(before);
    expect(await service.connection.query("select from funding.record_changes")).toEqual([]);
  });

  test("is told to those who ask for it by name, whatever a list's cached page says", async () => {
    await importExtract("01", [1]);
    for (const day of ["01", "02", "03"]) {
      await importExtract(day, [1]);
      for (const path of [
        "/grants-api?fields=last_seen_at",
        "/grants-api?fields=last_seen_at&sort_by=updated_at&order=asc",
        "/grants-api?fields=title,last_seen_at&search=water",
      ]) {
        const [record] = (await get(path)).results;
        expect(record?.details, path).toEqual({ last_seen_at: `2026-06-${day}T05:00:00.000Z` });
      }
    }
    const { results } = await get("/grants-api?expand=details");
    expect(results[0]?.details).not.toHaveProperty("last_seen_at");
  });
});

test("when a record came first stays, and lists filter by it", async () => {
  const came = async () => (await get("/grants-api?fields=first_seen_at")).results[0]?.details?.first_seen_at as string;
  const total = async (query: string) => (await get(`/grants-api?${query}`)).results.length;
  await importExtract("01", [1]);
  const first = await came();
  await importExtract("02", [1]);
  expect(await came()).toBe(first);
  const justBefore = new Date(Date.parse(first) - 1).toISOString();
  const justAfter = new Date(Date.parse(first) + 1).toISOString();
  expect(await total(`first_seen_after=${first}`)).toBe(0);
  expect(await total(`first_seen_after=${justBefore}`)).toBe(1);
  expect(await total(`first_seen_before=${first}`)).toBe(0);
  expect(await total(`first_seen_before=${justAfter}`)).toBe(1);
  expect(await total(`first_seen_after=${justBefore}&first_seen_before=${justAfter}&search=water`)).toBe(1);
});

test("in CSV it is a column, and a record has it by its id and among ids", async () => {
  await importExtract("01", [1]);
  const csv = await service.fetch("/grants-api?format=csv&fields=title,last_seen_at,link_status", { headers });
  expect((await csv.text()).split("\r\n").slice(0, 2)).toEqual([
    "id,title,last_seen_at,link_status",
    expect.stringMatching(/^[\w-]{36},Opportunity 1,2026-06-01T05:00:00.000Z,$/),
  ]);
  const [one] = (await get("/grants-api?limit=1")).results as unknown as { id: string }[];
  const details = { source: "grants-gov", last_seen_at: "2026-06-01T05:00:00.000Z" };
  const named = "fields=source,last_seen_at";
  expect(await get(`/grants-api/${one?.id}?${named}`)).toEqual({ id: one?.id, details });
  expect((await get(`/grants-api?ids=${one?.id}&${named}`)).results).toEqual([{ id: one?.id, details }]);
});

test("a record that no import has had since is seen at no time", async () => {
  await importExtract("01", [1]);
  await service.connection.execute("truncate funding.full_lists");
  expect(await seen()).toEqual({ 1: null });
  const { results } = await get("/funders-api?fields=name,last_seen_at");
  expect(results[0]?.details).toEqual({ last_seen_at: null });
});
