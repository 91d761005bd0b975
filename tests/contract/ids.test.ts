import { beforeAll, describe, expect, test } from "vitest";
import { csvParseCells } from "../support/csv-readers.ts";
import { apiClient, idsOf, pathOf, type Query } from "./client.ts";
import { mcpClient } from "./mcp-client.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);
const mcp = mcpClient(target);

interface Answer {
  results: Record<string, unknown>[];
  missing: string[];
  pagination: object;
  meta: Record<string, unknown>;
}

const nobody = ["10000000-0000-4000-8000-000000000000", "00000000-0000-4000-8000-000000000000"];

describe.each(["grants-api", "contracts-api", "funders-api"] as const)("ids of /%s", (name) => {
  const everything: Query = name === "funders-api" ? {} : { opportunity_type: "all", include_archived: true };
  let known: string[];
  beforeAll(async () => {
    known = idsOf((await client.list(name, { ...everything, limit: 100 })).results);
  });
  const ask = async (query: Query) => (await client.json(pathOf(name, query))) as Answer;

  test("give the records in the order of the ids, as each is given by itself, and name those that there are not", async () => {
    const [first = "", second = "", third = ""] = known;
    const ids = [third, nobody[0], first.toUpperCase(), third, second, nobody[1]];
    const { results, missing, pagination, meta } = await ask({ ids: ids.join(",") });
    expect(results).toEqual(await Promise.all([third, first, second].map((id) => client.json(`/${name}/${id}`))));
    expect(missing).toEqual(nobody);
    expect(pagination).toEqual({ total: 3, limit: 5, offset: 0, returned: 3, next: null });
    expect(meta).toMatchObject({ sort_by: "ids", order: "asc", search_mode: "keyword" });
  });

  test("may be a hundred, of awarded and archived records too, and no more", async () => {
    expect(known).toHaveLength(name === "funders-api" ? known.length : 100);
    const ids = known.toReversed();
    const { results, missing } = await ask({ ids: ids.join(",") });
    expect([results.map(({ id }) => id), missing]).toEqual([ids, []]);
    const more = Array.from(
      { length: 101 },
      (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    );
    expect((await client.refused(pathOf(name, { ids: more.join(",") }), 400)).errors).toEqual([
      { parameter: "ids", message: "must be at most 100 ids" },
    ]);
  });

  test("of no record at all are an empty list", async () => {
    const { results, missing, pagination } = await ask({ ids: nobody.join(",") });
    expect([results, missing, pagination]).toEqual([
      [],
      nobody,
      { total: 0, limit: 2, offset: 0, returned: 0, next: null },
    ]);
  });

  test("go with details, with fields, and with CSV", async () => {
    const ids = known.slice(0, 3);
    const query = { ids: ids.join(",") };
    const [detailed] = (await ask({ ...query, expand: "details" })).results;
    expect(detailed).toEqual(await client.json(`/${name}/${ids[0]}?expand=details`));
    const chosen = await ask({ ids: [...ids, nobody[0]].join(","), fields: "source" });
    expect(chosen.results).toEqual(ids.map((id) => ({ id, details: { source: expect.any(String) } })));
    expect(chosen.missing).toEqual([nobody[0]]);
    const csv = await target.send(pathOf(name, { ...query, fields: "created_at", format: "csv" }));
    expect(csv.headers.get("x-total-count")).toBe("3");
    const [columns, ...rows] = csvParseCells(await csv.text());
    expect(columns).toEqual(["id", "created_at"]);
    expect(rows.map(([id]) => id)).toEqual(ids);
  });

  test("are the same from the function's cache", async () => {
    const query = { ids: [known[1], nobody[0], known[0]].join(",") };
    const { meta: _, ...first } = await ask(query);
    const { meta: __, ...again } = await ask(query);
    expect(again).toEqual(first);
  });

  test.each(
    Object.entries({
      search: "water",
      search_mode: "keyword",
      limit: 20,
      offset: 0,
      sort_by: "created_at",
      order: "desc",
      count_only: false,
      similar_to: nobody[0],
      explain: false,
      ...(name === "funders-api" ? {} : { opportunity_type: "open", states: "OH", facets: "status" }),
    } as Query),
  )("leave nothing to %s=%s", async (parameter, value) => {
    const { errors } = await client.refused(pathOf(name, { ids: known[0], [parameter]: value } as Query), 400);
    expect(errors).toEqual([
      { parameter, message: "cannot be combined with ids, which name the records and their order" },
    ]);
  });

  test("are UUIDs", async () => {
    expect((await client.refused(pathOf(name, { ids: `${known[0]},541511` }), 400)).errors).toEqual([
      { parameter: "ids", message: 'must be UUIDs, separated by commas; "541511" is not one' },
    ]);
  });
});

test("ids of another dataset are missing, of MCP's get_records too, which gives whole records", async () => {
  const [grant = ""] = idsOf((await client.list("grants-api", { limit: 1 })).results);
  const records = (type: string, ids: unknown) => mcp.answer("get_records", { type, ids });
  expect(await records("contracts", [grant])).toMatchObject({ results: [], missing: [grant] });
  expect(await records("grants", [grant, nobody[0]])).toMatchObject({
    results: [await client.json(`/grants-api/${grant}`)],
    missing: [nobody[0]],
  });
});
