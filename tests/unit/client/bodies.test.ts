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
