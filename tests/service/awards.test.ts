import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Award } from "../../shared/responses/awards.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

let service: TestService;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await openTestService();
  headers = bearer((await service.newKey()).key);
});
afterAll(() => service.close());

interface Given {
  number?: string;
  agency?: string[];
  listings?: string[];
  day?: string;
  archived?: boolean;
}

/** Imports a record and gives its id. */
async function insert(classification: "opportunity" | "awarded_project", title: string, given: Given): Promise<string> {
  const { number, agency = ["Department of Tides", "Tide Office"], listings = [], day = "2026-05-01" } = given;
  const record = {
    source: "test",
    source_id: title,
    title,
    description: "",
    amount_min: null,
    amount_max: 100,
    deadline_date: null,
    project_end_date: null,
    status: "closed",
    classification,
    states: [],
    is_national: false,
    geography: null,
    funder_name: "Tide Office",
    funder_source_id: null,
    listing_url: null,
    created_at: `${day}T00:00:00.000Z`,
    archived_at: given.archived ? "2026-05-02T00:00:00.000Z" : null,
    categories: [],
    identifiers: [],
    details: {
      agency,
      ...(number === undefined ? {} : { opportunity_number: number }),
      ...(listings.length === 0
        ? {}
        : { assistance_listings: listings.map((item) => ({ number: item, title: null })) }),
      ...(classification === "opportunity" ? {} : { recipient: { name: `Winner of ${title}` } }),
    },
  };
  await service.connection.query("select funding.upsert_records('grants', $1::jsonb)", [[record]]);
  const [row] = await service.connection.query<{ id: string }>(
    "select id from funding.grants where source = 'test' and source_id = $1",
    [title],
  );
  return row?.id ?? "";
}
const opportunity = (title: string, given: Given) => insert("opportunity", title, given);
const award = (title: string, given: Given) => insert("awarded_project", title, given);

interface Awards {
  results: Award[];
  pagination: { total: number; limit: number; returned: number; next: string | null };
}

async function ask(id: string, query = ""): Promise<Awards> {
  const response = await service.fetch(`/grants-api/${id}/awards${query}`, { headers });
  expect(response.status).toBe(200);
  return (await response.json()) as Awards;
}
const found = ({ results }: Awards) => results.map(({ title, link, certainty }) => [title, link, certainty]);

describe("GET /grants-api/{id}/awards", () => {
  test("has the awards under the opportunity's number, newest first, with recipients where details are asked for", async () => {
    const id = await opportunity("Tides", { number: "TIDE-26-00123", listings: ["11.991"] });
    await award("Tides old", { number: "TIDE-26-00123", day: "2026-06-01" });
    await award("Tides new", { number: "tide-26-00123", day: "2026-07-01" });
    await award("Tides gone", { number: "TIDE-26-00123", archived: true });
    await award("Tides other", { number: "TIDE-26-00124", listings: ["11.991"], day: "2026-01-01" });
    const answer = await ask(id, "?expand=details");
    expect(found(answer)).toEqual([
      ["Tides new", "number", "certain"],
      ["Tides old", "number", "certain"],
    ]);
    expect(answer.results[0]?.details?.recipient).toMatchObject({ name: "Winner of Tides new" });
    expect(answer.pagination).toEqual({ total: 2, limit: 20, returned: 2, next: null });
    expect((await ask(id)).results[0]).not.toHaveProperty("details");
  });

  test.each([
    ["other spaces and case", "spel 26 - 7001", true],
    ["no hyphens", "SPEL267001", true],
    ["a version", "SPEL-26-7001-01", true],
    ["an amendment", "SPEL-26-7001 Amendment 2", true],
    ["a modification in brackets", "SPEL-26-7001 (Modification No. 3)", true],
    ["a revision", "SPEL-26-7001-Rev. 1", true],
    ["a digit more", "SPEL-26-70011", false],
    ["another number", "SPEL-26-7002", false],
    ["a longer suffix", "SPEL-26-7001-001", false],
  ])("a number with %s is linked as likely, if at all", async (what, number, isLinked) => {
    const [row] = await service.connection.query<{ id: string }>(
      "select id from funding.grants where source = 'test' and source_id = 'Spelling'",
    );
    const id = row?.id ?? (await opportunity("Spelling", { number: "SPEL-26-7001" }));
    await award(what, { number });
    const titles = found(await ask(id, "?limit=100"));
    expect(titles.filter(([title]) => title === what)).toEqual(isLinked ? [[what, "number", "likely"]] : []);
  });

  test.each([["NSF"], ["National Science Foundation"], ["U.S. National Science Foundation"]])(
    "earlier awards of a programme are those of %s, however they name the agency",
    async (name) => {
      const listings = [`47.${name.length}`];
      const id = await opportunity(`Programme of ${name}`, { agency: [name], listings, day: "2026-06-01" });
      const titles = ["NSF", "National Science Foundation", "U.S. National Science Foundation"];
      for (const agency of titles) {
        await award(`${agency} for ${name}`, { agency: [agency, "Directorate for Geosciences"], listings });
      }
      await award(`Of another for ${name}`, { agency: ["Department of Energy"], listings });
      const answer = found(await ask(id));
      expect(answer.map(([title]) => title).sort()).toEqual(titles.map((title) => `${title} for ${name}`).sort());
      expect(new Set(answer.map(([, link, certainty]) => `${link} ${certainty}`))).toEqual(
        new Set(["programme possible"]),
      );
    },
  );

  test("a wrong number is linked only where it means one opportunity", async () => {
    const first = await opportunity("Unique 1", { number: "UNIQ-26-55-01" });
    await award("UNIQ without version", { number: "UNIQ 26 55" });
    await award("UNIQ of another version", { number: "UNIQ-26-55-03" });
    await award("UNIQ squeezed", { number: "UNIQ265501" });
    expect(found(await ask(first)).map(([title]) => title)).toEqual(
      expect.arrayContaining(["UNIQ without version", "UNIQ squeezed"]),
    );
    expect((await ask(first)).pagination.total).toBe(2);
    const second = await opportunity("Unique 2", { number: "UNIQ-26-55-02" });
    expect(found(await ask(first))).toEqual([["UNIQ squeezed", "number", "likely"]]);
    expect(found(await ask(second))).toEqual([]);
    await award("UNIQ exact", { number: "UNIQ-26-55-02" });
    expect(found(await ask(second))).toEqual([["UNIQ exact", "number", "certain"]]);
    await opportunity("Unique 1, again", { number: "UNIQ 26 5501" });
    expect(found(await ask(first))).toEqual([]);
  });

  test("an award whose number several opportunities have is likely in each", async () => {
    const ids = [
      await opportunity("Same 1", { number: "SAME-2026" }),
      await opportunity("Same 2", { number: "same-2026" }),
    ];
    await award("Same award", { number: "SAME-2026" });
    for (const id of ids) expect(found(await ask(id))).toEqual([["Same award", "number", "likely"]]);
  });

  test("a short number is compared as it is", async () => {
    const id = await opportunity("Short", { number: "A-7" });
    await award("Short same", { number: "a-7" });
    await award("Short squeezed", { number: "A7" });
    await award("Short version", { number: "A-7-01" });
    expect(found(await ask(id))).toEqual([["Short same", "number", "certain"]]);
  });

  test("without an award of its number, it has earlier ones of the listing and agency", async () => {
    const programme = { agency: ["Department of Tides", "Moon Bureau"], listings: ["11.992", "11.993"] };
    const id = await opportunity("Moons", { ...programme, number: "MOON-26-1", day: "2026-05-01" });
    await award("Moons before", { ...programme, number: "MOON-25-1", day: "2025-05-01" });
    await award("Moons of one listing", { ...programme, listings: ["11.993"], day: "2025-04-01" });
    await award("Moons after", { ...programme, day: "2026-05-02" });
    await award("Moons of another agency", { ...programme, agency: ["Department of Tides", "Sun Bureau"] });
    await award("Moons of another listing", { ...programme, listings: ["11.994"], day: "2025-03-01" });
    expect(found(await ask(id))).toEqual([
      ["Moons before", "programme", "possible"],
      ["Moons of one listing", "programme", "possible"],
    ]);
    await award("Moons themselves", { ...programme, number: "MOON-26-1", day: "2026-08-01" });
    expect(found(await ask(id))).toEqual([["Moons themselves", "number", "certain"]]);
  });

  test("an award has none, and neither has an opportunity without number and programme", async () => {
    const given = { number: "NONE-26-100", listings: ["11.995"] };
    await opportunity("None", given);
    const id = await award("None award", given);
    expect(await ask(id)).toMatchObject({ results: [], pagination: { total: 0, next: null } });
    expect(found(await ask(await opportunity("Bare", {})))).toEqual([]);
  });

  test.each([
    ["number", { number: "PAGE-26-900" }, { number: "PAGE-26-900" }],
    ["programme", { listings: ["11.996"] }, { listings: ["11.996"] }],
  ])("pages of link %s have each award once, also those of one moment", async (link, own, theirs) => {
    const id = await opportunity(`Pages ${link}`, own);
    for (let index = 0; index < 7; index++) {
      await award(`Page ${link} ${index}`, { ...theirs, day: `2026-04-0${1 + Math.floor(index / 3)}` });
    }
    const whole = await ask(id, "?limit=100");
    const pages: Awards[] = [];
    let next: string | null = null;
    do {
      pages.push(await ask(id, `?limit=2${next === null ? "" : `&cursor=${next}`}`));
      next = pages.at(-1)?.pagination.next ?? null;
    } while (next !== null);
    expect(pages.flatMap(({ results }) => results)).toEqual(whole.results);
    expect(pages.map(({ pagination: { total, returned } }) => [total, returned])).toEqual([
      [7, 2],
      [7, 2],
      [7, 2],
      [7, 1],
    ]);
    expect(whole.results.every((one) => one.link === link)).toBe(true);
    const created = whole.results.map(({ created_at }) => created_at);
    expect(created).toEqual(created.toSorted().reverse());
  });

  test("its index finds them, whatever the number of records", async () => {
    const plan = await service.connection.query<{ "QUERY PLAN": string }>(
      `explain select from funding.grants as record where record.details ? 'opportunity_number'
         and funding.number_keys(record.details->>'opportunity_number') && array['=TIDE2600123']`,
    );
    expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("grants_number_keys");
  });
});
