import { afterAll, beforeAll, expect, test } from "vitest";
import { sealRecords } from "../../database/lexicon/seal.ts";
import type { Suggestion } from "../../shared/responses/suggestions.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { expectSuggestionTotals } from "../support/suggestions.ts";

let service: TestService;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await openTestService();
  headers = bearer((await service.newKey()).key);
  await insert("grants", "Broadband for valleys", ["Department of Agriculture", "Rural Utilities Service"]);
  await insert("grants", "Old wells", ["Bureau of Former Wells"], "archived_at = now()");
  await insert("grants", "Forms of one name", ["Zyxx Office", "ZYXX office"]);
  await renew();
});
afterAll(() => service.close());

async function insert(dataset: "grants" | "contracts", title: string, agency: string[], change = "title = title") {
  await service.connection.query(
    `insert into funding.${dataset} (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash, details)
     select gen_random_uuid(), $1, '', 'open', 'opportunity', (select id from funding.funders order by id limit 1), now(), 'test', $1, '',
            jsonb_build_object('agency', $2::jsonb)`,
    [title, JSON.stringify(agency)],
  );
  await service.connection.query(`update funding.${dataset} set ${change} where title = $1`, [title]);
}

async function renew() {
  await service.connection.query("update funding.suggestion_renewal set duration = '0'");
  await sealRecords(service.connection);
}

async function json(path: string, given = headers): Promise<unknown> {
  const response = await service.fetch(path, { headers: given });
  expect(response.status, path).toBe(200);
  return response.json();
}

async function suggest(q: string, kinds: string, given = headers): Promise<Suggestion[]> {
  const query = new URLSearchParams({ q, kinds, limit: "20" });
  return ((await json(`/suggest?${query}`, given)) as { results: Suggestion[] }).results;
}

test("an agency is found by the abbreviation of the one that it is within", async () => {
  const found = await suggest("usda rur", "agency");
  expect(found[0]?.value).toBe("Rural Utilities Service");
  expect((await suggest("usda", "agency")).map(({ value }) => value)).toContain("Department of Agriculture");
});

test("a value that archived records alone have finds none, and comes last", async () => {
  await insert("grants", "New wells", ["Bureau of Present Wells"]);
  await renew();
  const found = await suggest("bureau wells", "agency");
  expect(found.map(({ value, records }) => [value, records])).toEqual([
    ["Bureau of Present Wells", 1],
    ["Bureau of Former Wells", 0],
  ]);
});

test("an attempt that runs out of time is noted, so that it is not made again each minute", async () => {
  const renewal = async () =>
    (
      await service.connection.query<{ version: string; is_due: boolean }>(
        `select version::text, renewed_at + 20 * duration <= clock_timestamp() as is_due from funding.suggestion_renewal`,
      )
    )[0];
  await insert("grants", "Slow wells", ["Bureau of Slow Wells"]);
  await service.connection.query("update funding.suggestion_renewal set duration = '0'");
  await service.connection.execute("alter function funding.renew_suggestions() rename to renewed_in_time");
  await service.connection.execute(
    `create function funding.renew_suggestions() returns boolean language plpgsql as
       $$begin perform pg_sleep(0.3); raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end$$`,
  );
  try {
    await sealRecords(service.connection).catch(() => undefined);
    expect(await renewal()).toEqual({ version: "-1", is_due: false });
  } finally {
    await service.connection.execute("drop function funding.renew_suggestions()");
    await service.connection.execute("alter function funding.renewed_in_time() rename to renew_suggestions");
  }
  await renew();
  expect((await suggest("bureau slow", "agency")).map(({ value }) => value)).toEqual(["Bureau of Slow Wells"]);
});

test("spellings that a filter takes together are one suggestion, and a record counts once", async () => {
  const found = await suggest("zyxx", "agency");
  expect(found).toEqual([
    { kind: "agency", value: "Zyxx Office", label: "Zyxx Office", records: 1, datasets: { grants: 1 } },
  ]);
});

test("what goes is suggested no more, and what is counted follows the records", async () => {
  await insert("grants", "Quokka shelters", ["Quokka Authority"]);
  await renew();
  expect(await suggest("quok", "agency,title,word")).toHaveLength(3);
  await insert("contracts", "Quokka fences", ["Quokka Authority"]);
  await renew();
  const found = await suggest("quok", "agency,word");
  expect(found.map(({ records, datasets }) => ({ records, ...datasets }))).toMatchObject([
    { records: 2, grants: 1, contracts: 1 },
    { records: 2, grants: 1, contracts: 1 },
  ]);
  await service.connection.query("delete from funding.grants where title like 'Quokka%'");
  await service.connection.query("delete from funding.contracts where title like 'Quokka%'");
  await renew();
  expect(await suggest("quok", "agency,title,word")).toEqual([]);
});

test("every suggestion of a value or a word finds as many records as it says", async () => {
  const rows = await service.connection.query<{ form: string }>(
    "select form from funding.suggestions where kind = 'word' order by weight desc, form limit 400",
  );
  const words = rows.filter((_, index) => index % 8 === 0).map(({ form }) => form);
  const found = (await Promise.all(words.map((word) => suggest(word, "word")))).map(([first]) => first as Suggestion);
  expect(found.map(({ value }) => value)).toEqual(words);
  for (const kind of ["agency", "funder", "category", "assistance_listing", "naics", "set_aside"]) {
    found.push(...(await suggest(kind === "naics" ? "5" : kind === "assistance_listing" ? "10" : "s", kind)));
  }
  await expectSuggestionTotals(json, found);
});

test("a key that reads grants alone gets what grants have, with their counts", async () => {
  const { key, keyId } = await service.newKey();
  await service.connection.query("update funding.api_keys set datasets = '{grants}' where id = $1", [keyId]);
  const given = bearer(key);
  expect(await suggest("s", "set_aside", given)).toEqual([]);
  const found = await suggest("s", "agency,category,word", given);
  expect(found.length).toBeGreaterThan(5);
  expect(new Set(found.flatMap(({ datasets }) => Object.keys(datasets)))).toEqual(new Set(["grants"]));
  await expectSuggestionTotals(json, found);
});

test("upkeep leaves the suggestions alone while the data is the same", async () => {
  await renew();
  const [before] = await service.connection.query("select * from funding.suggestion_renewal");
  await sealRecords(service.connection);
  expect(await service.connection.query("select * from funding.suggestion_renewal")).toEqual([before]);
});
