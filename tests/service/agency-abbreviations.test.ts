import { afterAll, beforeAll, expect, test } from "vitest";
import { queryOne } from "../../database/connection.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

let service: TestService;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await openTestService();
  headers = bearer((await service.newKey()).key);
});
afterAll(() => service.close());

async function insert(dataset: "grants" | "contracts", title: string, agency: string[]) {
  await service.connection.query(
    `insert into funding.${dataset} (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash, details)
     select gen_random_uuid(), $1, '', 'open', 'opportunity', (select id from funding.funders order by id limit 1), now(), 'test', $1, '',
            jsonb_build_object('agency', $2::jsonb)`,
    [title, JSON.stringify(agency)],
  );
}

async function titles(dataset: "grants" | "contracts", query: [string, string][]): Promise<string[]> {
  const path = `/${dataset}-api?${new URLSearchParams([...query, ["source", "test"], ["sort_by", "title"], ["order", "asc"]])}`;
  const response = await service.fetch(path, { headers });
  expect(response.status, path).toBe(200);
  return ((await response.json()) as { results: { title: string }[] }).results.map(({ title }) => title);
}

/** Titles of the records that a webhook's filter matches. */
async function matched(filter: object): Promise<string[]> {
  const { found } = await queryOne<{ found: string[] }>(
    service.connection,
    `select array(select title from funding.grants where source = 'test' and id = any (
       (funding.match_records('grants', $1, array(select record from funding.grants as record))).matched) order by title) as found`,
    [JSON.stringify(filter)],
  );
  return found;
}

test("an agency is named by its abbreviation, unless a record has that as its name", async () => {
  await insert("grants", "Farms", ["Department of Agriculture", "Farm Service Agency"]);
  await insert("grants", "Reactors", ["Department of Energy"]);
  await insert("grants", "Wells", ["Bureau of Present Wells"]);

  for (const agency of ["USDA", "usda", "Department of Agriculture"]) {
    expect(await titles("grants", [["agency", agency]])).toEqual(["Farms"]);
    expect(await titles("grants", [["exclude_agency", agency]])).toEqual(["Reactors", "Wells"]);
    expect(await matched({ agency })).toEqual(["Farms"]);
  }
  expect(
    await titles("grants", [
      ["agency", "USDA"],
      ["agency", "DOE"],
    ]),
  ).toEqual(["Farms", "Reactors"]);
  expect(await matched({ source: "test", exclude_agency: ["USDA", "DOE"] })).toEqual(["Wells"]);
  expect(await titles("grants", [["agency", "ZZTOP"]])).toEqual([]);

  // A list that a cache may have is another one now.
  await insert("grants", "Poems", ["USDA"]);
  expect(await titles("grants", [["agency", "USDA"]])).toEqual(["Poems"]);
  expect(await titles("grants", [["agency", "Department of Agriculture"]])).toEqual(["Farms"]);
  expect(await matched({ agency: "USDA" })).toEqual(["Poems"]);
  // Of the list's own records: contracts have none of that name.
  await insert("contracts", "Barns", ["Department of Agriculture"]);
  expect(await titles("contracts", [["agency", "usda"]])).toEqual(["Barns"]);
});

test("a webhook's filter may name an agency by its id, as a list may", async () => {
  const { id, name } = await queryOne<{ id: string; name: string }>(
    service.connection,
    "select id, name from funding.funders order by id limit 1",
  );
  await insert("grants", "Clinics", [name]);
  expect(await titles("grants", [["agency", id]])).toEqual(["Clinics"]);
  expect(await matched({ source: "test", agency: id })).toEqual(["Clinics"]);
});
