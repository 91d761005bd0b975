import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bearer, openTestService, type TestService } from "../support/service.ts";

const docs = readFileSync(new URL("../../docs/searching.md", import.meta.url), "utf8");
const documented = /The stop words are: ([a-z\s]+)\./.exec(docs)?.[1]?.split(/\s+/) ?? [];

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
  const grant = (source_id: string, title: string) => ({
    source: "test",
    source_id,
    title,
    status: "open",
    classification: "opportunity",
    funder_name: "Office",
  });
  const grants = [
    grant("1", "Zyzzyva Title I funds"),
    grant("2", "Zyzzyva Title IV funds"),
    grant("3", "Zyzzyva information technology"),
    grant("4", "Zyzzyva IT"),
  ];
  await service.connection.query("select funding.upsert_records('grants', $1::jsonb)", [JSON.stringify(grants)]);
});
afterAll(() => service.close());

async function titles(search: string): Promise<string[]> {
  const response = await service.fetch(`/grants-api?sort_by=title&order=asc&search=${encodeURIComponent(search)}`, {
    headers: bearer(key),
  });
  expect(response.status).toBe(200);
  const { results } = (await response.json()) as { results: { title: string }[] };
  return results.map(({ title }) => title.replace("Zyzzyva ", ""));
}

describe("the stop words that docs/searching.md lists", () => {
  test("are no words of a search", async () => {
    const words = await service.connection.query<{ word: string; text: string }>(
      "select word, to_tsvector('funding.english', word)::text as text from unnest($1::text[]) as word",
      [documented],
    );
    expect(words.filter(({ text }) => text !== "")).toEqual([]);
    expect(new Set(documented).size).toBe(127);
  });

  test("are all that texts have", async () => {
    const others = await service.connection.query(
      `select distinct word
       from (select title || ' ' || description as text from funding.grants union all select title || ' ' || description from funding.contracts) as record,
         regexp_split_to_table(lower(text), '[^a-z]+') as word
       where word <> '' and word <> all ($1::text[]) and to_tsvector('funding.english', word) = ''`,
      [documented],
    );
    expect(others).toEqual([]);
  });
});

describe("a search", () => {
  test("of stop words alone finds nothing, and of others with them what the others find", async () => {
    expect(await titles("IT")).toEqual([]);
    expect(await titles("zyzzyva IT")).toEqual(await titles("zyzzyva"));
    expect(await titles('zyzzyva "information technology"')).toEqual(["information technology"]);
  });

  test("takes a stop word in a phrase for any one word", async () => {
    expect(await titles('zyzzyva "Title I"')).toEqual(["Title I funds", "Title IV funds"]);
    expect(await titles('zyzzyva "Title I funds"')).toEqual(["Title I funds", "Title IV funds"]);
    expect(await titles('zyzzyva "Title funds"')).toEqual([]);
  });
});
