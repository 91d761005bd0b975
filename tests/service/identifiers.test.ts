import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fitLexicon } from "../../database/lexicon/fit.ts";
import { loadBatch } from "../../ingest/load.ts";
import { runs, share } from "../support/properties.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { oddIdentifiers, spellingsOf } from "../support/spellings.ts";

type Dataset = "grants" | "contracts" | "funders";

/** A record and one of its identifiers. */
interface Identified {
  dataset: Dataset;
  id: string;
  identifier: string;
  isOpen: boolean;
}

type Query = Record<string, string>;

/** Every way in which a list searches and is ordered. */
const ways: Query[] = [
  {},
  { sort_by: "created_at", order: "asc" },
  { sort_by: "relevance" },
  { search_mode: "semantic" },
  { search_mode: "hybrid" },
  { search_mode: "hybrid", sort_by: "created_at" },
];

let service: TestService;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await openTestService();
  headers = bearer((await service.newKey()).key);
});
afterAll(() => service.close());

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await service.fetch(path, { ...init, headers: { ...headers, ...init.headers } });
  expect(response.status, `${path}: ${response.ok ? "" : await response.clone().text()}`).toBe(200);
  return response;
}

const listPath = (dataset: Dataset, query: Query) => `/${dataset}-api?${new URLSearchParams(query)}`;

/** The ids of the whole list, in its order. */
async function listed(dataset: Dataset, query: Query): Promise<string[]> {
  const response = await ask(listPath(dataset, { ...query, format: "csv" }));
  const rows = parse(await response.text(), { columns: true, record_delimiter: "\r\n" }) as { id: string }[];
  return rows.map(({ id }) => id);
}

/** Expects every list that is searched for a number to find the record that has it. */
async function expectFound({ dataset, id, isOpen }: Identified, search: string, way: Query): Promise<void> {
  const everything: Query = dataset === "funders" ? {} : { opportunity_type: "all", include_archived: "true" };
  const query = { ...everything, ...way, search };
  const path = listPath(dataset, query);
  const ids = await listed(dataset, query);
  expect(ids, path).toContain(id);

  const facets: Query = dataset === "funders" ? {} : { facets: "status" };
  const page = (await (await ask(listPath(dataset, { ...query, ...facets, limit: "3" }))).json()) as {
    results: { id: string }[];
    pagination: { total: number };
    facets?: { status: { count: number }[] };
  };
  expect(page.pagination.total, path).toBe(ids.length);
  expect(
    page.results.map((result) => result.id),
    path,
  ).toEqual(ids.slice(0, 3));
  if (page.facets !== undefined) {
    expect(
      page.facets.status.reduce((sum, { count }) => sum + count, 0),
      path,
    ).toBe(ids.length);
  }
  const counted = (await (await ask(listPath(dataset, { ...query, count_only: "true" }))).json()) as { total: number };
  expect(counted.total, path).toBe(ids.length);
  if (dataset === "funders") return;

  expect(await listed(dataset, { ...query, posted_after: "2999-01-01" }), `${path}, but later`).toEqual([]);
  if (!isOpen) return;
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: search, type: dataset, limit: 100 }),
  };
  const { results } = (await (await ask("/semantic-search", init)).json()) as { results: { id: string }[] };
  expect(
    results.map((result) => result.id),
    `semantic-search ${search}`,
  ).toContain(id);
}

/** Every identifier of the stored records, or of those from one source. */
async function stored(source = "%"): Promise<Identified[]> {
  return service.connection.query<Identified & Record<string, unknown>>(
    `select * from (
       select 'grants' as dataset, id, unnest(identifiers) as identifier, source,
              classification = 'opportunity' and archived_at is null as "isOpen"
       from funding.grants
       union all
       select 'contracts', id, unnest(array_remove(identifiers || naics, null)), source,
              classification = 'opportunity' and archived_at is null
       from funding.contracts
       union all
       select 'funders', id, source_id, source, false from funding.funders where source_id ~ '[0-9]'
     ) as identified
     where source like $1
     order by dataset, id, identifier`,
    [source],
  );
}

async function expectAllFound(records: readonly Identified[], numRuns: number): Promise<void> {
  expect(records.length).toBeGreaterThan(0);
  await fc.assert(
    fc.asyncProperty(
      fc
        .constantFrom(...records)
        .chain((record) => fc.tuple(fc.constant(record), spellingsOf(record.identifier), fc.constantFrom(...ways))),
      ([record, search, way]) => expectFound(record, search, way),
    ),
    { numRuns: runs(numRuns) },
  );
}

/** Loads a record of each dataset for each identifier. */
async function load(source: string, identifiers: readonly string[]): Promise<void> {
  const rows = identifiers.map((identifier, index) => ({
    source,
    source_id: identifier,
    title: `Paper clips, lot ${index}`,
    description: "Of steel.",
    status: "open",
    created_at: "2026-06-01T00:00:00Z",
    funder_name: "Office of Tests",
    identifiers: [`Lot ${index}-${source}`, identifier],
  }));
  for (const dataset of ["grants", "contracts"] as const) {
    const { refused } = await loadBatch(service.connection, dataset, rows as never);
    expect(refused).toEqual([]);
  }
  const funders = identifiers.map((identifier, index) => ({
    source,
    source_id: identifier,
    name: `${source} foundation ${index}`,
    summary: null,
    website: null,
    created_at: "2026-06-01T00:00:00Z",
  }));
  await loadBatch(service.connection, "funders", funders as never);
}

describe("a search that is a number finds the records that have it, however it is written, in every mode and order", () => {
  test("of every record of the demo data", async () => {
    await expectAllFound(await stored(), 120);
  });

  test("of every record of the demo data, each of its numbers in each of some spellings", async () => {
    const numbers = await stored("demo");
    const spelled = numbers.flatMap(({ identifier }) =>
      [identifier, identifier.toLowerCase(), identifier.toUpperCase(), identifier.replace(/[^a-z0-9]+/gi, "")]
        .flatMap((text) => [text, `"${text}"`, ` ${text.replaceAll("-", " ")} `, `Opportunity number: ${text}`])
        .map((search) => ({ identifier, search })),
    );
    const lost = await service.connection.query(
      `select identifier, search from jsonb_to_recordset($1) as spelled(identifier text, search text)
       where not funding.query_identifiers(search) && funding.identifier_forms(array[identifier])`,
      [JSON.stringify(spelled)],
    );
    expect(lost).toEqual([]);
  });

  test("of records that came since the last fit, whatever form their publisher gives it", async () => {
    await load("since", fc.sample(oddIdentifiers, 40));
    await expectAllFound(await stored("since"), 80);
  });

  test("of numbers that strangers look for", async () => {
    const numbers = [
      "ZX99-26-R-0043",
      "W912DY-24-R-0012",
      "PA-12-295",
      "93.243",
      "12-3456789",
      "2024",
      "HHS-2026-ACF-OCS-EE-0021",
    ];
    await load("strangers", numbers);
    const records = (await stored("strangers")).filter(({ identifier }) => numbers.includes(identifier));
    expect(records).toHaveLength(numbers.length * 3);
    for (const [index, record] of records.entries()) {
      for (const way of share(ways, index)) await expectFound(record, record.identifier, way);
    }
    const zx = records.find(({ dataset, identifier }) => dataset === "contracts" && identifier === "ZX99-26-R-0043");
    for (const search of [
      "ZX9926R0043",
      "zx99 26 r 0043",
      ' "zx99-26-r-0043" ',
      "solicitation number: ZX99-26-R-0043",
    ]) {
      expect(await listed("contracts", { search }), search).toEqual([zx?.id]);
    }
    const listing = records.find(({ dataset, identifier }) => dataset === "grants" && identifier === "93.243");
    for (const search of [
      "93.243",
      "CFDA 93.243",
      "cfda: 93.243",
      "ALN 93.243",
      "Assistance Listing 93.243",
      "93243",
    ]) {
      expect(await listed("grants", { search }), search).toContain(listing?.id);
    }
  });

  test("before the first fit, where a semantic search has no vectors", async () => {
    await service.connection.execute(`
      update funding.lexicon_fit set dimensions = 0;
      select funding.drop_segments(dataset), funding.delete_vectors(dataset) from unnest(array['grants', 'contracts', 'funders']) as dataset;
    `);
    await expectAllFound(await stored(), 40);
    await fitLexicon(service.connection, () => undefined, 64);
    await expectAllFound(await stored("since"), 20);
  });
});

test("a record's id is one of its numbers", async () => {
  const [{ id = "" } = {}] = await stored("demo");
  for (const way of ways) {
    for (const search of [id, `"${id.toUpperCase()}"`, id.replaceAll("-", "")]) {
      expect(
        (await listed("contracts", { ...way, search, opportunity_type: "all", include_archived: "true" }))[0],
      ).toBe(id);
    }
  }
});

describe("a search that is no number", () => {
  test("finds what has its words, though a number is among them", async () => {
    expect(await listed("contracts", { search: "ZX99-26-R-0043 deadline" })).toEqual([]);
    expect(await listed("contracts", { search: "PA", sort_by: "title" })).not.toContain(
      (await stored("strangers")).find(({ identifier }) => identifier === "PA-12-295")?.id,
    );
  });

  test("does not take a listing's number for another that has its digits", async () => {
    await load("digits", ["93243", "932.43"]);
    const ids = (await stored("digits")).map(({ id }) => id);
    const found = await listed("grants", { search: "93.243" });
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((id) => ids.includes(id))).toEqual([]);
  });

  test("leaves out what it excludes, though the number is right", async () => {
    expect(await listed("contracts", { search: "ZX99-26-R-0043 -paper" })).toEqual([]);
    expect(await listed("contracts", { search: "ZX99-26-R-0043 -paper", sort_by: "relevance" })).toEqual([]);
    expect(await listed("contracts", { search: "ZX99-26-R-0043 -water" })).toHaveLength(1);
  });
});
