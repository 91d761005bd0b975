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

/** Lets the next renewal begin, of data that has changed. */
async function makeDue() {
  await sealRecords(service.connection);
  await service.connection.query("update funding.suggestion_renewal set version = -1, duration = '0'");
}

async function renew() {
  await makeDue();
  await sealRecords(service.connection);
}

async function queryOne<Row>(sql: string, parameters: unknown[] = []): Promise<Row> {
  const [row] = await service.connection.query<Row>(sql, parameters);
  if (row === undefined) throw new Error(`no row: ${sql}`);
  return row;
}

/** One call of the upkeep, with nothing to seal and no statistics due. Returns the steps of a renewal that it made. */
async function step(most: number): Promise<number> {
  await service.connection.query("delete from funding.funder_statistics_due");
  const { result } = await queryOne<{ result: { suggested: number; failures: string[] } }>(
    "select public.seal_records($1, 8000) as result",
    [most],
  );
  expect(result.failures).toEqual([]);
  return result.suggested;
}

/** Begins a renewal that is due, and makes its steps until it has read all records. */
async function readAll() {
  do expect(await step(1000)).toBe(1);
  while ((await queryOne<{ stage: number }>("select stage from funding.suggestion_progress")).stage <= 3);
}

function everySuggestion() {
  return service.connection.query(
    `select kind, form, value, label, words::text, grants, contracts, funders, weight from funding.suggestions
     union all select 'mistyped', word, null, null, null, suggestions, null, null, null from funding.suggestion_words order by 1, 2`,
  );
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

test("a renewal is made in steps, and whoever asks meanwhile gets what was there before or what comes after", async () => {
  await insert("grants", "Tapir quaggas", ["Tapir Authority"]);
  await renew();
  await service.connection.query("update funding.grants set title = 'Tapir okapis' where title = 'Tapir quaggas'");
  await makeDue();
  const titles = new Set<string>();
  let steps = 0;
  for (; (await step(40)) === 1; steps++) {
    // Each current record has one funder.
    const { read } = await queryOne<{ read: number }>(
      `select coalesce(max(records), 0)::int as read
       from (
         select sum(count) as records from funding.suggestion_parts as part, unnest(part.counts) as count
         where part.kind = 'funder' and part.dataset <> 'funders' group by part.part
       ) as one`,
    );
    expect(read).toBeLessThanOrEqual(20);
    const found = await suggest("tapir", "agency,title");
    expect(found.map(({ kind, records }) => [kind, records])).toEqual([
      ["agency", 1],
      ["title", 1],
    ]);
    titles.add(found[1]?.label ?? "");
  }
  const { records } = await queryOne<{ records: number }>(
    "select ((select count(*) from funding.grants) + (select count(*) from funding.contracts))::int as records",
  );
  expect(steps).toBeGreaterThan(records / 20);
  expect([...titles]).toEqual(["Tapir quaggas", "Tapir okapis"]);
  expect(await suggest("quaggas", "word,title")).toEqual([]);
  expect(await suggest("okapis", "word")).toMatchObject([{ value: "okapis", records: 1 }]);
  expect(await service.connection.query("select from funding.suggestion_parts")).toEqual([]);
});

test("what changes while a renewal is under way is in the next one", async () => {
  await insert("grants", "Ibex trails", ["Ibex Authority"]);
  await makeDue();
  await readAll();
  await service.connection.query(
    `update funding.grants set title = 'Ibex huts', details = '{"agency": ["Ibex Bureau"]}' where title = 'Ibex trails'`,
  );
  while ((await step(1000)) === 1);
  expect((await suggest("ibex", "agency")).map(({ value }) => value)).toEqual(["Ibex Authority"]);
  await renew();
  expect((await suggest("ibex", "agency,title")).map(({ label }) => label)).toEqual(["Ibex Bureau", "Ibex huts"]);
});

test.each([
  ["lost in a crash", "truncate funding.suggestion_parts, funding.suggestion_progress"],
  ["begun by other functions", "update funding.suggestion_progress set method = 0"],
])("a renewal that was %s begins anew", async (_, fault) => {
  const before = await everySuggestion();
  await makeDue();
  await readAll();
  await service.connection.execute(fault);
  expect(await step(1000)).toBe(1);
  expect(await queryOne("select part, stage from funding.suggestion_progress")).toMatchObject({ part: 1 });
  await sealRecords(service.connection);
  expect(await everySuggestion()).toEqual(before);
});

test("a step that runs out of time ends the renewal, which is not made again at once", async () => {
  await insert("grants", "Slow wells", ["Bureau of Slow Wells"]);
  await makeDue();
  await readAll();
  await service.connection.query("update funding.suggestion_progress set duration = '1 hour'");
  await service.connection.execute(
    "alter function funding.merge_suggested_values(text, integer) rename to merged_in_time",
  );
  await service.connection.execute(
    `create function funding.merge_suggested_values(kind text, part integer) returns void language plpgsql as
       $$begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end$$`,
  );
  try {
    await expect(sealRecords(service.connection)).rejects.toThrow("suggestions: 57014");
    expect(
      await queryOne(
        `select version::text, duration >= '1 hour' as has_all_steps, (select count(*)::int from funding.suggestion_progress) as under_way
         from funding.suggestion_renewal`,
      ),
    ).toEqual({ version: "-1", has_all_steps: true, under_way: 0 });
    expect(await step(1000)).toBe(0);
  } finally {
    await service.connection.execute("drop function funding.merge_suggested_values(text, integer)");
    await service.connection.execute(
      "alter function funding.merged_in_time(text, integer) rename to merge_suggested_values",
    );
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
  const found: Suggestion[] = [];
  for (const word of words) found.push((await suggest(word, "word"))[0] as Suggestion);
  expect(found.map(({ value }) => value)).toEqual(words);
  for (const kind of ["agency", "funder", "category", "assistance_listing", "naics", "psc", "set_aside"]) {
    found.push(
      ...(await suggest(
        kind === "naics" ? "5" : kind === "psc" ? "R" : kind === "assistance_listing" ? "10" : "s",
        kind,
      )),
    );
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
