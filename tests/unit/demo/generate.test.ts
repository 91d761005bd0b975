import { describe, expect, test } from "vitest";
import type { ContractRecord, FunderRecord, GrantRecord } from "../../../ingest/record.ts";
import { type DemoOptions, demoContracts, demoFunders, demoGrants } from "../../../local/demo/generate.ts";
import { states } from "../../../local/demo/places/states.ts";

const today = new Date("2026-08-03T15:00:00Z");
const todayDate = "2026-08-03";

const funders = [...demoFunders({ today })];
const grants = [...demoGrants({ today })];
const contracts = [...demoContracts({ today })];
const opportunities: readonly (GrantRecord | ContractRecord)[] = [...grants, ...contracts];
const all: readonly (FunderRecord | GrantRecord | ContractRecord)[] = [...funders, ...opportunities];

/** Every piece of prose that a reader may see, from enough records to meet the rare combinations. */
const texts = [
  ...[...demoGrants({ today, grants: 20_000 }), ...demoContracts({ today, contracts: 8_000 })].flatMap(
    ({ title, description, geography }) => [title, description, geography ?? "-"],
  ),
  ...funders.flatMap(({ name, summary }) => [name, summary ?? "-"]),
];

function shareOf<Item>(items: readonly Item[], wanted: (item: Item) => boolean): number {
  return items.filter(wanted).length / items.length;
}

function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}

describe("determinism", () => {
  const small: DemoOptions = { today, grants: 40, contracts: 40, funders: 300 };

  test("the same options give the same records", () => {
    expect([...demoGrants(small)]).toEqual([...demoGrants(small)]);
    expect([...demoContracts(small)]).toEqual([...demoContracts(small)]);
    expect([...demoFunders(small)]).toEqual([...demoFunders(small)]);
  });

  test("a longer run starts with the shorter one", () => {
    expect(grants.slice(0, 40)).toEqual([...demoGrants(small)]);
    expect(contracts.slice(0, 40)).toEqual([...demoContracts(small)]);
    expect([...demoFunders({ today, funders: 900 })].slice(0, 300)).toEqual(funders);
  });

  test("another seed gives other records", () => {
    const other = [...demoGrants({ ...small, seed: 2 })];
    expect(other[0]?.description).not.toBe(grants[0]?.description);
  });

  test("only the UTC date of today counts", () => {
    const sameDay = { ...small, today: new Date("2026-08-03T00:00:00Z") };
    expect([...demoGrants(sameDay)]).toEqual([...demoGrants(small)]);
  });

  test("any seed and any number of funders work", () => {
    for (const seed of [0, -7, 123_456_789]) {
      for (const count of [1, 2, 9]) {
        const options = { seed, today, grants: 30, contracts: 30, funders: count };
        expect([...demoGrants(options)]).toHaveLength(30);
        expect([...demoContracts(options)].length).toBeGreaterThan(0);
      }
    }
  });
});

describe("identity", () => {
  test("source ids are distinct and follow the dataset's form", () => {
    expect(repeated(all.map(({ source_id }) => source_id))).toEqual([]);
    expect(grants[123]?.source_id).toBe("demo-grant-000123");
    expect(contracts[7]?.source_id).toBe("demo-contract-000007");
    expect(funders[299]?.source_id).toBe("demo-funder-000299");
    expect(all.every(({ source }) => source === "demo")).toBe(true);
  });

  test("funder names are distinct at any size and start with a capital", () => {
    const names = [...demoFunders({ today, funders: 25_000 })].map(({ name }) => name);
    expect(repeated(names)).toEqual([]);
    expect(names.filter((name) => !/^[A-Z]/.test(name))).toEqual([]);
  });

  test("every grant and contract refers to a generated funder by id and name", () => {
    const names = new Map(funders.map(({ source_id, name }) => [source_id, name]));
    for (const { funder_source_id, funder_name } of opportunities) {
      expect(names.get(funder_source_id ?? "")).toBe(funder_name);
    }
  });
});

describe("dates", () => {
  test("nothing is posted or listed in the future, nor before three years ago, and archiving is planned for open records alone", () => {
    for (const { created_at } of all) {
      expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(created_at && created_at < `${todayDate}T00:00:00Z`).toBe(true);
      expect(created_at && created_at > "2023-07-30").toBe(true);
    }
    const planned = opportunities.filter(({ archived_at }) => archived_at && archived_at > todayDate);
    expect(planned.length).toBeGreaterThan(0);
    expect(new Set(planned.map(({ status }) => status))).toEqual(new Set(["open", "posted"]));
  });

  test("open and upcoming deadlines lie a few days to nine months ahead, or are today, and some records have none", () => {
    const ahead = opportunities.filter(({ status }) => ["open", "posted", "upcoming", "forecasted"].includes(status));
    const outside = ahead.filter(
      ({ deadline_date: deadline }) =>
        deadline !== null && deadline !== todayDate && (deadline < "2026-08-06" || deadline > "2027-05-05"),
    );
    expect(ahead.some(({ deadline_date }) => deadline_date === todayDate)).toBe(true);
    expect(outside).toEqual([]);
    expect(shareOf(ahead, ({ deadline_date }) => deadline_date === null)).toBeGreaterThan(0.05);
  });

  test("closed deadlines are past, and every deadline follows the posting", () => {
    const closed = opportunities.filter(({ status }) => status === "closed");
    expect(closed.filter(({ deadline_date }) => deadline_date !== null && deadline_date >= todayDate)).toEqual([]);
    const backwards = opportunities.filter(
      ({ deadline_date, created_at }) => deadline_date && created_at && deadline_date <= created_at.slice(0, 10),
    );
    expect(backwards).toEqual([]);
  });

  test("archiving follows the posting and the deadline, and only closed records are archived", () => {
    const archived = opportunities.filter(({ archived_at }) => archived_at !== null);
    const isPast = (at: string | null) => at !== null && at < todayDate;
    for (const { archived_at, created_at, deadline_date, status } of archived) {
      expect(archived_at && created_at && archived_at > created_at).toBe(true);
      expect(archived_at && deadline_date && archived_at.slice(0, 10) > deadline_date).toBe(true);
      if (isPast(archived_at)) expect(status).toBe("closed");
    }
    expect(shareOf(grants, ({ archived_at }) => isPast(archived_at))).toBeCloseTo(0.12, 1);
  });

  test("federal grants are posted mostly on weekdays", () => {
    const federal = grants.filter(({ identifiers }) => identifiers.length === 2);
    const weekend = shareOf(federal, ({ created_at }) => [0, 6].includes(new Date(created_at ?? "").getUTCDay()));
    expect(weekend).toBeLessThan(0.05);
  });
});

describe("awarded projects", () => {
  const awarded = opportunities.filter(({ classification }) => classification === "awarded_project");

  test("have an end date and no deadline, and opportunities have no end date", () => {
    for (const { classification, deadline_date, project_end_date } of opportunities) {
      if (classification === "awarded_project") {
        expect(deadline_date).toBeNull();
        expect(project_end_date).toMatch(/^\d{4}-\d\d-\d\d$/);
      } else {
        expect(project_end_date).toBeNull();
      }
    }
  });

  test("end in the past as well as in the future", () => {
    expect(shareOf(awarded, ({ project_end_date }) => (project_end_date ?? "") < todayDate)).toBeGreaterThan(0.15);
    expect(shareOf(awarded, ({ project_end_date }) => (project_end_date ?? "") > todayDate)).toBeGreaterThan(0.15);
  });

  test("are closed grants or awarded contracts, about one record in five", () => {
    const grantShare = shareOf(grants, ({ classification }) => classification === "awarded_project");
    const contractShare = shareOf(contracts, ({ classification }) => classification === "awarded_project");
    expect(grantShare).toBeCloseTo(0.18, 1);
    expect(contractShare).toBeCloseTo(0.2, 1);
    for (const { classification, status } of grants) {
      if (classification === "awarded_project") expect(status).toBe("closed");
    }
    for (const { classification, status } of contracts) {
      expect(classification === "awarded_project").toBe(status === "awarded");
    }
  });
});

describe("places", () => {
  test("a national record lists no state, and says so", () => {
    for (const { is_national, states: codes, geography } of opportunities) {
      if (is_national) expect([codes, geography]).toEqual([[], "National"]);
      else expect(geography === null).toBe(codes.length === 0);
    }
  });

  test("some records are national, some local, some of unknown place", () => {
    expect(shareOf(grants, ({ is_national }) => is_national)).toBeGreaterThan(0.15);
    expect(shareOf(grants, ({ states: codes }) => codes.length > 0)).toBeGreaterThan(0.4);
    expect(shareOf(grants, ({ geography }) => geography === null)).toBeGreaterThan(0.03);
  });

  test("every state, the District, and the territories have grants", () => {
    const seen = new Set(grants.flatMap(({ states: codes }) => codes));
    expect(states.filter(({ code }) => !seen.has(code))).toEqual([]);
    expect(states).toHaveLength(56);
  });

  test("no coastal program is offered in a state without a coast", () => {
    const inland = new Set(["KS", "NE", "CO", "IA", "OH", "MN", "VT", "UT"]);
    const coastal = grants.filter(({ title }) => /shoreline|coastal|estuar|fisher/i.test(title));
    expect(coastal.length).toBeGreaterThan(10);
    expect(coastal.filter(({ states: codes }) => codes.some((code) => inland.has(code)))).toEqual([]);
  });
});

describe("variety", () => {
  test("every status occurs", () => {
    const grantStatuses = new Set(grants.map(({ status }) => status));
    expect([...grantStatuses].sort()).toEqual(["closed", "forecasted", "open", "posted", "upcoming"]);
    const contractStatuses = new Set(contracts.map(({ status }) => status));
    expect([...contractStatuses].sort()).toEqual(["awarded", "cancelled", "closed", "forecasted", "open"]);
    expect(shareOf(grants, ({ status }) => status === "posted")).toBeGreaterThan(0.35);
  });

  test("all twenty grant categories occur, one to three to a grant", () => {
    expect(new Set(grants.flatMap(({ categories }) => categories)).size).toBe(20);
    for (const { categories } of grants) {
      expect(categories.length).toBeGreaterThanOrEqual(1);
      expect(categories.length).toBeLessThanOrEqual(3);
      expect(repeated(categories)).toEqual([]);
    }
  });

  test("at least 25 industries occur, by codes of six digits", () => {
    const codes = new Set(contracts.flatMap(({ naics }) => naics ?? []));
    expect(codes.size).toBeGreaterThanOrEqual(25);
    expect([...codes].filter((code) => !/^\d{6}$/.test(code))).toEqual([]);
  });

  test("many set-aside codes occur, the total small business one most", () => {
    const codes = contracts.flatMap(({ set_aside_code }) => set_aside_code ?? []);
    for (const code of ["SBA", "SBP", "8A", "HZC", "SDVOSBC", "WOSB", "EDWOSB"]) expect(codes).toContain(code);
    expect(shareOf(codes, (code) => code === "SBA")).toBeGreaterThan(0.4);
  });

  test("no description repeats, even among 30,000", () => {
    const many = [...demoGrants({ today, grants: 20_000 }), ...demoContracts({ today, contracts: 10_000 })];
    expect(repeated(many.map(({ description }) => description))).toEqual([]);
  });

  test.each([
    ["kids who go hungry in summer", /hungry/i, /summer/i],
    ["polluted lakes", /polluted|algae/i, /lakes?/i],
    ["internet in the countryside", /internet|broadband|online/i, /rural|countryside|farms/i],
  ])("several grants are about %s", (_, first, second) => {
    const about = grants.filter(({ description }) => first.test(description) && second.test(description));
    expect(about.length).toBeGreaterThan(8);
  });
});

describe("missing values", () => {
  const rate = <Item>(items: readonly Item[], key: keyof Item) => shareOf(items, (item) => item[key] === null);

  test("are as common as in real notices", () => {
    for (const records of [grants, contracts]) {
      expect(Math.abs(rate<GrantRecord | ContractRecord>(records, "amount_min") - 0.4)).toBeLessThan(0.05);
      expect(Math.abs(rate<GrantRecord | ContractRecord>(records, "amount_max") - 0.2)).toBeLessThan(0.05);
      expect(Math.abs(rate<GrantRecord | ContractRecord>(records, "listing_url") - 0.1)).toBeLessThan(0.04);
    }
    expect(Math.abs(rate(contracts, "document_url") - 0.35)).toBeLessThan(0.05);
    expect(Math.abs(rate(contracts, "naics") - 0.05)).toBeLessThan(0.03);
    expect(Math.abs(rate(contracts, "primary_contact_email") - 0.25)).toBeLessThan(0.05);
    expect(Math.abs(rate(contracts, "set_aside_code") - 0.55)).toBeLessThan(0.06);
    expect(rate(funders, "website")).toBeGreaterThan(0.05);
    expect(rate(funders, "summary")).toBeGreaterThan(0.05);
  });

  test("amounts are positive whole dollars, and the least is not above the most", () => {
    for (const { amount_min: min, amount_max: max } of opportunities) {
      for (const amount of [min, max]) if (amount !== null) expect(amount % 100 === 0 && amount > 0).toBe(true);
      if (min !== null && max !== null) expect(min).toBeLessThanOrEqual(max);
    }
  });
});

describe("text", () => {
  test("descriptions have 60 to 180 words", () => {
    const lengths = opportunities.map(({ description }) => description.split(" ").length);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(180);
  });

  test.each([
    ["undefined or null", /undefined|\bnull\b|NaN/],
    ["unfilled placeholders", /[{}]|\$\{/],
    ["double spaces or stray space", / {2}|^\s|\s$|\n/],
    ["space before punctuation", / [.,;:]/],
    ["doubled punctuation", /\.\.|,,|;;|\.,|,\./],
    ["doubled words", /\b(\w+) \1\b/i],
    ["the wrong article", /\b(a [aeio]\w|an [bcdfgjklmnpqrstvwxz]\w|the the|the an?|an? the)\b/i],
    ["a sentence that starts in lower case", /\. [a-z]/],
  ])("has no %s", (_, flaw) => {
    // "11:59 p.m. local time" is the one lower-case letter that may follow a full stop and a space.
    const flawed = texts.map((text) => text.replace(/ [ap]\.m\./g, "")).filter((text) => flaw.test(text));
    expect(flawed).toEqual([]);
  });

  test("titles start with a capital or a digit and stay short", () => {
    for (const { title } of opportunities) {
      expect(title).toMatch(/^[A-Z0-9]/);
      expect(title.length).toBeLessThanOrEqual(160);
    }
  });

  test("addresses lie under the example domains only", () => {
    const urls = [
      ...opportunities.map(({ listing_url }) => listing_url),
      ...contracts.map(({ document_url }) => document_url),
      ...funders.map(({ website }) => website),
    ].filter((url) => url !== null);
    expect(urls.filter((url) => !/^https:\/\/[a-z0-9.-]+\.example\.(gov|org)(\/|$)/.test(url))).toEqual([]);
    const emails = contracts.flatMap(({ primary_contact_email }) => primary_contact_email ?? []);
    expect(emails.filter((email) => !/^[a-z]+@[a-z0-9.-]+\.example\.gov$/.test(email))).toEqual([]);
    expect(texts.filter((text) => /https?:|www\.|\.(com|net)\b/.test(text))).toEqual([]);
  });

  test("a date in the text is the date in the record", () => {
    for (const { description, deadline_date } of opportunities) {
      const [, named] =
        /(?:due (?:on|by)|deadline to apply is|later than|closing date is) (?:[^.]*? on )?(\w+ \d+, \d{4})/.exec(
          description,
        ) ?? [];
      if (named === undefined) continue;
      expect(new Date(`${named} UTC`).toISOString().slice(0, 10)).toBe(deadline_date);
    }
  });
});
