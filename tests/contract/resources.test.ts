import { describe, expect, test } from "vitest";
import { z } from "zod";
import { apiClient, idsOf, parse, pathOf } from "./client.ts";
import {
  awardedContract,
  awardedGrant,
  type CollectionName,
  funder,
  openContract,
  openGrant,
  recordSchemas,
} from "./schemas.ts";
import { contractTarget } from "./target.ts";

const client = apiClient(contractTarget());
const anyResults = z.looseObject({ results: z.array(z.unknown()) });

describe("the fields of records", () => {
  const kinds: { kind: string; name: CollectionName; query: Record<string, string>; schema: z.ZodType }[] = [
    { kind: "an applyable grant", name: "grants-api", query: { opportunity_type: "open" }, schema: openGrant },
    { kind: "a funded project", name: "grants-api", query: { opportunity_type: "awarded" }, schema: awardedGrant },
    {
      kind: "an active solicitation",
      name: "contracts-api",
      query: { opportunity_type: "open" },
      schema: openContract,
    },
    {
      kind: "an awarded contract",
      name: "contracts-api",
      query: { opportunity_type: "awarded" },
      schema: awardedContract,
    },
    { kind: "a funder", name: "funders-api", query: {}, schema: funder },
  ];

  test.each(kinds)("$kind has exactly the listed fields, whichever end of the list it is at", async (kind) => {
    for (const order of ["asc", "desc"]) {
      const path = pathOf(kind.name, { ...kind.query, order, limit: 100 });
      const body = await client.json(path);
      const { results } = parse(anyResults, body, path);
      expect(results.length).toBeGreaterThan(0);
      for (const record of results) parse(kind.schema, record, path);
    }
  });

  test.each(kinds)("$kind fetched by its id is the record of the list, bare", async ({ name, query, schema }) => {
    const [listed] = (await client.list(name, { ...query, limit: 1 })).results;
    if (listed === undefined) throw new Error(`${name} has no such record`);
    const path = `/${name}/${listed.id}`;
    const record = parse(schema, await client.json(path), path);
    expect(record).toEqual(listed);
  });

  test("an applyable grant may have a deadline, and an awarded one never has", async () => {
    const byDeadline = { sort_by: "deadline_date", order: "asc", limit: 1 };
    const [open] = (await client.list("grants-api", { ...byDeadline, opportunity_type: "open" })).results;
    const [awarded] = (await client.list("grants-api", { ...byDeadline, opportunity_type: "awarded" })).results;
    expect(open?.deadline_date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(awarded?.deadline_date).toBeNull();
  });

  test.each(["grants-api", "contracts-api"] as const)(
    "funder_id and funder_name of GET /%s name a funder",
    async (name) => {
      const { results } = await client.list(name, { opportunity_type: "all", sort_by: "title", limit: 100 });
      const funders = new Map(results.map((record) => [record.funder_id, record.funder_name]));
      expect(funders.size).toBeGreaterThan(0);
      for (const [id, funder_name] of [...funders].slice(0, 5)) {
        const path = `/funders-api/${id}`;
        expect(parse(funder, await client.json(path), path).name).toBe(funder_name);
      }
    },
  );

  test.each(["grants-api", "contracts-api", "funders-api"] as const)(
    "no two records of GET /%s share an id",
    async (name) => {
      const { results } = await client.list(name, { limit: 100 });
      expect(new Set(idsOf(results)).size).toBe(results.length);
    },
  );
});

describe.each(["grants-api", "contracts-api", "funders-api"] as const)("GET /%s/{id}", (name) => {
  test("an id that no record has is 404", async () => {
    const problem = await client.refused(`/${name}/${crypto.randomUUID()}`, 404);
    expect(problem.status).toBe(404);
  });

  test.each([
    "123",
    "not-a-uuid",
    "00000000-0000-0000-0000-00000000000",
    "00000000-0000-0000-0000-0000000000000",
    "0000000g-0000-0000-0000-000000000000",
    "%7B00000000-0000-0000-0000-000000000000%7D",
    "00000000-0000-4000-8000-000000000000%20",
    "'%20or%201=1--",
    "%00",
    "%ff",
  ])("an id that is not a UUID is 400 and names id: %s", async (id) => {
    const problem = await client.refused(`/${name}/${id}`, 400);
    expect(problem.errors?.map(({ parameter }) => parameter)).toEqual(["id"]);
  });

  test("the ids of the other datasets are unknown here", async () => {
    const others = (["grants-api", "contracts-api", "funders-api"] as const).filter((other) => other !== name);
    for (const other of others) {
      const [record] = (await client.list(other, { limit: 1 })).results;
      await client.refused(`/${name}/${record?.id}`, 404);
    }
  });

  test("takes no query parameters", async () => {
    const [record] = (await client.list(name, { limit: 1 })).results;
    const problem = await client.refused(`/${name}/${record?.id}?limit=1`, 400);
    expect(problem.errors?.map(({ parameter }) => parameter)).toEqual(["limit"]);
  });

  test("the same record comes whether the id is in lower or upper case", async () => {
    const [record] = (await client.list(name, { limit: 1 })).results;
    const path = `/${name}/${record?.id.toUpperCase()}`;
    expect(parse<{ id: string }>(recordSchemas[name], await client.json(path), path).id).toBe(record?.id);
  });
});
