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
    grant("5", "ZYZZYVA IT SUPPORT"),
    grant("6", "Zyzzyva I.T. with WHO, may I ask who it is"),
    grant("7", "Zyzzyva for those who do: it's a start, DON'T stop"),
    grant("8", "Zyzzyva Hepatitis A, Part A.1 and a Title"),
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
  return results.map(({ title }) => title.replace(/^zyzzyva /i, ""));
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
    expect(await titles("it")).toEqual([]);
    expect(await titles("zyzzyva it")).toEqual(await titles("zyzzyva"));
    expect(await titles('zyzzyva "information technology"')).toEqual(["information technology"]);
  });

  const iT = ["IT", "I.T. with WHO, may I ask who it is", "IT SUPPORT"];
  test.each([
    ["IT", iT],
    ['"it"', iT],
    ["zyzzyva I.T.", iT],
    ["IT-support", ["IT SUPPORT"]],
    ["zyzzyva -IT funds", ["Title I funds", "Title IV funds"]],
    ["WHO", ["I.T. with WHO, may I ask who it is"]],
    ["DON", []],
    ["Title I", ["Title I funds"]],
    ['"Title I funds"', ["Title I funds"]],
    ['zyzzyva "title i"', ["Title I funds"]],
    ["zyzzyva title i", ["Hepatitis A, Part A.1 and a Title", "Title I funds", "Title IV funds"]],
    ["TITLE I", ["Title I funds"]],
    ["ZYZZYVA WHO SUPPORT", ["IT SUPPORT"]],
    ["Hepatitis A", ["Hepatitis A, Part A.1 and a Title"]],
    ["zyzzyva Part A", ["Hepatitis A, Part A.1 and a Title"]],
    ['zyzzyva "Part A"', []],
    ["can I ask zyzzyva", ["I.T. with WHO, may I ask who it is"]],
    ["acronym0", []],
  ])("%s finds acronyms, and letters behind what they number", async (search, expected) => {
    expect((await titles(search)).sort()).toEqual(expected.map((title) => title.toString()).sort());
  });

  test("marks and explains an acronym as it is written", async () => {
    const path = `/grants-api?sort_by=relevance&explain=true&highlight=true&search=${encodeURIComponent("WHO Title I")}&source=test`;
    const { results, meta } = (await (await service.fetch(path, { headers: bearer(key) })).json()) as {
      results: { title: string; highlights: { title?: { text: string; ranges: { start: number; end: number }[] } } }[];
      meta: unknown;
    };
    expect(JSON.stringify(meta)).not.toContain("acronym0");
    const marked = Object.fromEntries(
      results.map(({ title, highlights }) => [
        title,
        highlights.title?.ranges.map(({ start, end }) => title.slice(start, end)).join(" "),
      ]),
    );
    expect(marked["Zyzzyva Title I funds"]).toBe("Title I");
    expect(marked["Zyzzyva I.T. with WHO, may I ask who it is"]).toBe("WHO");
  });
});
