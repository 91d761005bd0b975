import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storeGeneratedDocuments } from "../../bench/speed/generated-documents.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { indexesOf, plansOf, rowsRead, tablesScanned } from "./plans.ts";
import { databaseUrl, openService, type Service } from "./service.ts";

/** Plans of searches that also look into documents: three of each of 400 grants, with some forty passages each. */

const tables = ["documents", "document_passages", "document_records", "document_parts", "document_postings"];
/** Parts of documents, one of each document, that a search reads at most: as many as it lists records, some of them again. */
const mostParts = 800;

let service: Service;

beforeAll(async () => {
  const connection = await connectPostgres(databaseUrl);
  try {
    await storeGeneratedDocuments(connection, 400, () => undefined);
    await connection.execute(`vacuum analyze ${tables.map((name) => `funding.${name}`).join(", ")}`);
  } finally {
    await connection.close();
  }
  service = await openService();
  // The tables have a fiftieth of the documents of 20,000 opportunities: reading them whole must look as dear as it is there.
  await service.session.query("set seq_page_cost = 50");
});
afterAll(() => service.close());

describe.each(["documents", "all"])("search_in=%s", (place) => {
  test.each([
    ["keyword", "search=community+development+research&sort_by=relevance"],
    ["hybrid", "search=community+development+research&search_mode=hybrid"],
    ["hybrid, with a filter", "search=rural+broadband&search_mode=hybrid&states=ID"],
    ["hybrid, with passages", "search=rural+broadband&search_mode=hybrid&passages=true"],
  ])("%s reads no table from end to end, and the index of the documents' words", async (_, query) => {
    await service.session.query("truncate funding.pages");
    const statements = await plansOf(service, `/grants-api?${query}&search_in=${place}`);
    const scanned = statements.flatMap(({ plan }) => tablesScanned(plan));
    expect(scanned.filter((table) => ["grants", ...tables].includes(table))).toEqual([]);
    expect(statements.flatMap(({ plan }) => indexesOf(plan))).toContainEqual(
      expect.stringMatching(/^document_postings_/),
    );
    const read = statements.reduce((rows, { plan }) => rows + rowsRead(plan, "document_parts"), 0);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(mostParts);
  });
});

test("a document is found by its id, with its passages and records", async () => {
  const { results } = await service.get<{ results: { passages: { document_id: string }[] }[] }>(
    "/grants-api?search=community&search_in=documents&passages=true&limit=1",
  );
  const statements = await plansOf(service, `/documents/${results[0]?.passages[0]?.document_id}`);
  expect(statements.flatMap(({ plan }) => tablesScanned(plan)).filter((table) => tables.includes(table))).toEqual([]);
});
