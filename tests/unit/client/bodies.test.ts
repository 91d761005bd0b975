import { expect, test } from "vitest";
import { createFundingClient } from "../../../packages/client/src/index.ts";

test("a query that is too long for an address goes in a body, and others do not", async () => {
  const sent: { method: string; path: string; body: string }[] = [];
  const client = createFundingClient({
    baseUrl: "https://api.example.org/functions/v1",
    apiKey: "fo_live_0123456789abcdefghijklmnopqrstuvwxyzAB",
    fetch: async (input) => {
      const request = input as Request;
      sent.push({ method: request.method, path: new URL(request.url).pathname, body: await request.text() });
      return Response.json({ results: [], total: 3, pagination: { next: null }, meta: {} });
    },
  });
  const ids = Array.from({ length: 100 }, (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`);
  await client.contracts.list({ ids: ids.slice(0, 2) });
  for await (const _ of client.funders.withFields(["name"]).iterate({ ids })) break;
  await client.grants.count({ search: "water ".repeat(600) });
  expect(sent).toEqual([
    { method: "GET", path: "/functions/v1/contracts-api", body: "" },
    { method: "POST", path: "/functions/v1/funders-api/search", body: JSON.stringify({ ids, fields: ["name"] }) },
    {
      method: "POST",
      path: "/functions/v1/grants-api/search",
      body: JSON.stringify({ search: "water ".repeat(600), count_only: true }),
    },
  ]);
});

test("in an address, names are repeated, as they may have commas, and ids and fields are joined", async () => {
  const sent: string[] = [];
  const client = createFundingClient({
    baseUrl: "https://api.example.org/functions/v1",
    apiKey: "fo_live_0123456789abcdefghijklmnopqrstuvwxyzAB",
    fetch: async (input) => {
      sent.push(new URL((input as Request).url).search);
      return Response.json({ results: [], total: 3, pagination: { next: null }, meta: {} });
    },
  });
  await client.grants.withFields(["title", "source"]).list({
    category: ["Health, Safety & Welfare", "Education"],
    exclude_agency: "Department of State",
    states: ["OH"],
  });
  await client.funders.withFields(["name"]).list({ ids: ["a-1", "b-2"] });
  expect(sent).toEqual([
    "?category=Health%2C%20Safety%20%26%20Welfare&category=Education&exclude_agency=Department%20of%20State&states=OH&fields=title,source",
    "?ids=a-1,b-2&fields=name",
  ]);
});
