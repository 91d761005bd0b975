import { describe, expect, test } from "vitest";
import type { OpportunityDetails } from "../../shared/responses/details.ts";
import { csvParseCells } from "../support/csv-readers.ts";
import { apiClient, type Query } from "./client.ts";
import { discoverQuery } from "./discover.ts";
import { mcpClient } from "./mcp-client.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);
const mcp = mcpClient(target);

type Detailed = Record<string, unknown> & { id: string; details: OpportunityDetails };

async function recordsOf(path: string): Promise<Record<string, unknown>[]> {
  return ((await client.json(path)) as { results: Record<string, unknown>[] }).results;
}

const pathOf = (name: string, query: Query) =>
  `/${name}?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`;

describe.each(["grants-api", "contracts-api", "funders-api"] as const)("expand=details of GET /%s", (name) => {
  const everything: Query = name === "funders-api" ? {} : { opportunity_type: "all", include_archived: true };

  test("adds details to each record, and changes nothing else", async () => {
    for (const query of [everything, { ...everything, sort_by: "created_at", order: "asc", offset: 7 }] as Query[]) {
      const plain = await recordsOf(pathOf(name, { ...query, limit: 50 }));
      const detailed = (await recordsOf(pathOf(name, { ...query, limit: 50, expand: "details" }))) as Detailed[];
      expect(plain.length).toBeGreaterThan(10);
      expect(detailed.map(({ details: _, ...record }) => JSON.stringify(record))).toEqual(
        plain.map((record) => JSON.stringify(record)),
      );
      for (const { details } of detailed) expect(details.source).not.toBe("");
    }
  });

  test("of a ranked search, too", async () => {
    const search = name === "funders-api" ? "water" : await discoverQuery(client, [name], "hybrid");
    const query = { search, search_mode: "hybrid", limit: 5 };
    const [plain, detailed] = await Promise.all([
      recordsOf(pathOf(name, query)),
      recordsOf(pathOf(name, { ...query, expand: "details" })),
    ]);
    expect(detailed.map(({ details: _, ...record }) => record)).toEqual(plain);
    expect(detailed.every(({ details }) => typeof details === "object")).toBe(true);
  });

  test("is the same on the next page, of one record and from an MCP tool", async () => {
    const list = pathOf(name, { ...everything, limit: 3, expand: "details" });
    const first = (await client.json(list)) as { pagination: { next: string } };
    const [record] = (await recordsOf(`${list}&cursor=${first.pagination.next}`)) as Detailed[];
    expect(record?.details).toBeDefined();
    expect(await client.json(`/${name}/${record?.id}?expand=details`)).toEqual(record);
    const { details: _, ...plain } = record ?? {};
    expect(await client.json(`/${name}/${record?.id}`)).toEqual(plain);
    const tool = { type: name.replace("-api", ""), id: record?.id, expand: ["details"] };
    expect(await mcp.answer("get_record", tool)).toEqual(record);
  });

  test("has a CSV column for each", async () => {
    const query = { ...everything, limit: 40, expand: "details" };
    const records = (await recordsOf(pathOf(name, query))) as Detailed[];
    const response = await target.send(pathOf(name, { ...query, format: "csv" }));
    const [columns = [], ...rows] = csvParseCells(await response.text());
    for (const [index, { id, details }] of records.entries()) {
      const cells = Object.fromEntries(columns.map((column, position) => [column, rows[index]?.[position]]));
      expect(cells.id).toBe(id);
      expect(Object.keys(details).filter((field) => !columns.includes(field))).toEqual([]);
      expect(cells.source).toBe(details.source);
      expect(cells.updated_at).toBe(details.updated_at);
      if (name === "funders-api") continue;
      expect(cells.deadline_at).toBe(details.deadline_at ?? "");
      expect(cells.applicant_types).toBe(details.applicant_types.join("; "));
      expect(cells.documents).toBe(details.documents.map(({ url }) => url).join("; "));
      expect(cells.cost_sharing).toBe(String(details.cost_sharing ?? ""));
      expect(cells.assistance_listings).toBe(
        details.assistance_listings
          .map(({ number, title }) => (title === null ? number : `${number} ${title}`))
          .join("; "),
      );
    }
  });

  test("asks for nothing else", async () => {
    for (const path of [`/${name}?expand=everything`, `/${name}/00000000-0000-4000-8000-000000000000?expand=funder`]) {
      const response = await target.send(path);
      expect(response.status).toBe(400);
      expect(((await response.json()) as { errors: unknown }).errors).toEqual([
        { parameter: "expand", message: "must be one or more of details, separated by commas" },
      ]);
    }
  });
});

test("a deadline with an hour is on the day of the deadline, and says whether the hour is assumed", async () => {
  const records = (await recordsOf("/grants-api?expand=details&limit=100&sort_by=deadline_date")) as Detailed[];
  const withHour = records.filter(({ details }) => details.deadline_at !== null);
  expect(withHour.length).toBeGreaterThan(0);
  for (const { deadline_date, details } of withHour) expect(details.deadline_at?.slice(0, 10)).toBe(deadline_date);
  for (const { details } of withHour) {
    if (details.deadline_assumed) expect(details.deadline_at).toMatch(/T23:59:00-0[45]:00$/);
  }
});
