import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { csvParseCells, itemsOf, textOf } from "../support/csv-readers.ts";
import { csvText } from "../support/csv-text.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

/** Text as publishers and attackers write it, stored, asked for as CSV and read by a program of somebody else's making. */
const rows = 300;
let service: TestService;
let key: string;

beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
  const text = csvText({ nul: false }).map((given) => given.toWellFormed());
  const texts = fc.sample(text, { seed: 20261122, numRuns: rows * 4 });
  await service.connection.query(
    `update funding.grants as grants set title = given.title || 'x', description = given.description, listing_url = given.url,
            categories = array[given.title, given.category]
     from (select id, row_number() over (order by id) as ordinal from funding.grants) as numbered
     join (select * from rows from (unnest($1::text[]), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]))
             with ordinality as texts(title, description, url, category, ordinal)) as given using (ordinal)
     where grants.id = numbered.id`,
    [0, 1, 2, 3].map((turn) => texts.slice(turn * rows, (turn + 1) * rows)),
  );
});
afterAll(() => service.close());

test("records of any text are in a CSV answer as they are in a JSON answer", async () => {
  const query = "opportunity_type=all&include_archived=true&sort_by=title";
  const send = (path: string) => service.fetch(path, { headers: bearer(key) });
  const [columns = [], ...lines] = csvParseCells(await (await send(`/grants-api?${query}&format=csv`)).text());
  const read = new Map(
    lines.map((cells) => {
      expect(cells).toHaveLength(columns.length);
      return [cells[0], new Map(columns.map((column, index) => [column, cells[index] ?? ""]))];
    }),
  );
  let compared = 0;
  for (let offset = 0; ; offset += 100) {
    const response = await send(`/grants-api?${query}&limit=100&offset=${offset}`);
    const { results } = (await response.json()) as { results: Record<string, unknown>[] };
    if (results.length === 0) break;
    for (const record of results) {
      const row = read.get(String(record.id));
      expect(textOf(row?.get("title") ?? "")).toBe(record.title);
      expect(textOf(row?.get("description") ?? "")).toBe(record.description);
      expect(textOf(row?.get("listing_url") ?? "")).toBe(record.listing_url ?? "");
      expect(itemsOf(row?.get("categories") ?? "")).toEqual(record.categories);
      expect(row?.get("amount_min")).toBe(record.amount_min === null ? "" : String(record.amount_min));
      compared += 1;
    }
  }
  expect(compared).toBe(lines.length);
  expect(compared).toBeGreaterThan(rows);
});
