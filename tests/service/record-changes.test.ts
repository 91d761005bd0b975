import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bearer, openTestService, type TestService } from "../support/service.ts";

interface Changes {
  results: { changed_at: string; changes: { field: string; from: unknown; to: unknown }[] }[];
  next: string | null;
}

let service: TestService;
let key: string;
let id: string;
beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

const record = {
  source: "test",
  source_id: "1",
  title: "Clean water",
  description: "For rivers.",
  amount_min: null,
  amount_max: 100,
  deadline_date: "2027-03-05",
  project_end_date: null,
  status: "open",
  classification: "opportunity",
  states: ["OH"],
  is_national: false,
  geography: "Ohio",
  funder_name: "Office of Water",
  funder_source_id: null,
  listing_url: null,
  created_at: "2026-06-01T00:00:00.000Z",
  archived_at: null,
  categories: [],
  identifiers: [],
  details: { cost_sharing: true } as object,
};

/** Imports the record with these changes. Each import is a transaction, so a later one has a later moment. */
async function load(changes: Partial<typeof record>): Promise<void> {
  await service.connection.query("select funding.upsert_records('grants', $1::jsonb)", [[{ ...record, ...changes }]]);
}

async function ask(query = ""): Promise<Changes> {
  const response = await service.fetch(`/grants-api/${id}/changes${query}`, { headers: bearer(key) });
  expect(response.status).toBe(200);
  return (await response.json()) as Changes;
}

describe("GET /grants-api/{id}/changes", () => {
  test("has none of a record that never changed", async () => {
    await load({});
    const [row] = await service.connection.query<{ id: string }>("select id from funding.grants where source = 'test'");
    id = row?.id ?? "";
    expect(await ask()).toEqual({ results: [], next: null });
  });

  test("says of each change what the fields were and became, newest first", async () => {
    await load({ deadline_date: "2027-04-02" });
    await load({ deadline_date: "2027-04-09", amount_max: 250, details: { cost_sharing: false, agency: ["EPA"] } });
    await load({ deadline_date: "2027-04-09", amount_max: 250, title: "Cleaner water", details: { agency: ["EPA"] } });
    const { results, next } = await ask();
    expect(next).toBeNull();
    expect(results.map(({ changes }) => changes)).toEqual([
      [
        { field: "title", from: "Clean water", to: "Cleaner water" },
        { field: "cost_sharing", from: false, to: null },
      ],
      [
        { field: "amount_max", from: 100, to: 250 },
        { field: "deadline_date", from: "2027-04-02", to: "2027-04-09" },
        { field: "agency", from: null, to: ["EPA"] },
        { field: "cost_sharing", from: true, to: false },
      ],
      [{ field: "deadline_date", from: "2027-03-05", to: "2027-04-02" }],
    ]);
    const moments = results.map(({ changed_at }) => Date.parse(changed_at));
    expect(moments).toEqual(moments.toSorted((one, other) => other - one));
  });

  test("comes in pages", async () => {
    const whole = (await ask()).results;
    const first = await ask("?limit=2");
    expect(first.results).toEqual(whole.slice(0, 2));
    expect(await ask(`?limit=2&cursor=${first.next}`)).toEqual({ results: whole.slice(2), next: null });
  });

  test("leaves out what no answer shows, such as the codes of states", async () => {
    await load({
      deadline_date: "2027-04-09",
      amount_max: 250,
      title: "Cleaner water",
      details: { agency: ["EPA"] },
      states: ["PA"],
    });
    expect((await ask()).results).toHaveLength(3);
  });

  test("says when a record left the catalogue, and came back", async () => {
    await service.connection.query("select funding.archive_records('grants', 'test', array['1'])");
    const [left] = (await ask("?limit=1")).results;
    expect(left?.changes).toMatchObject([
      { field: "status", from: "open", to: "closed" },
      { field: "archived_at", from: null, to: expect.stringMatching(/^2\d{3}-.*\.\d{3}Z$/) },
    ]);
    await load({
      deadline_date: "2027-04-09",
      amount_max: 250,
      title: "Cleaner water",
      details: { agency: ["EPA"] },
      states: ["PA"],
    });
    const [back] = (await ask("?limit=1")).results;
    expect(back?.changes).toMatchObject([
      { field: "status", from: "closed", to: "open" },
      { field: "archived_at", to: null },
    ]);
  });

  test("of a record of which no details were ever known, says what its fields became", async () => {
    const { details: _, ...plain } = record;
    const bare = { ...plain, source_id: "bare" };
    for (const title of ["Old", "New"]) {
      await service.connection.query("select funding.upsert_records('grants', $1::jsonb)", [[{ ...bare, title }]]);
    }
    const [row] = await service.connection.query<{ id: string }>(
      "select id from funding.grants where source_id = 'bare' and details is null",
    );
    const response = await service.fetch(`/grants-api/${row?.id}/changes`, { headers: bearer(key) });
    expect(((await response.json()) as Changes).results.map(({ changes }) => changes)).toEqual([
      [{ field: "title", from: "Old", to: "New" }],
    ]);
  });

  test.each([
    ["/grants-api/00000000-0000-4000-8000-000000000000/changes", 404],
    ["/grants-api/none/changes", 400],
    ["/contracts-api/ID/changes", 404],
    ["/grants-api/ID/changes?limit=101", 400],
    ["/grants-api/ID/changes?cursor=x", 400],
    ["/grants-api/ID/changes/1", 404],
  ])("%s is answered %i", async (path, status) => {
    expect((await service.fetch(path.replace("ID", id), { headers: bearer(key) })).status).toBe(status);
  });
});
