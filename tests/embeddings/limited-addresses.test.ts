import { afterAll, beforeAll, expect, test } from "vitest";
import { limitKey } from "../../database/accounts/keys.ts";
import { createQueryEmbedder } from "../../shared/embeddings/query-embedder.ts";
import { createLog } from "../../shared/log/log.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { embedRecords, platformAt } from "./records.ts";
import { type EmbeddingServer, startEmbeddingServer } from "./server.ts";

let server: EmbeddingServer;
let service: TestService;
/** Whether queries get their embedding. */
let isEmbedding: boolean;
let caller: { headers: Record<string, string> };

beforeAll(async () => {
  server = await startEmbeddingServer();
  const provider = createQueryEmbedder(platformAt(server.url), { budgetMs: 10_000 });
  service = await openTestService(
    {
      getCached: (query) => provider.getCached(query),
      embed: async (query, wanted) => (isEmbedding ? provider.embed(query, wanted) : { ok: false, reason: undefined }),
    },
    createLog({ variable: () => undefined, level: "error" }),
  );
  await embedRecords(service.connection, server.url);
  const { key, keyId } = await service.newKey("addresses-ten", 10);
  await limitKey(service.connection, keyId, { addresses: ["203.0.113.0/24"] });
  caller = { headers: bearer(key) };
});
afterAll(async () => {
  await service.close();
  await server.close();
});

/** Asks for a path from an address. @returns the status, what remains of the quota, and the functions of the database that were called. */
async function ask(path: string, clientAddress: string | null) {
  service.calls.length = 0;
  const response = await service.fetch(path, caller, clientAddress);
  const text = await response.text();
  const calls = service.calls.filter((name) => name !== "record_usage");
  return { status: response.status, remaining: response.headers.get("x-ratelimit-remaining"), calls, text };
}

test("both calls of a search by meaning have the client's address, as has the withdrawal of one that fails", async () => {
  isEmbedding = true;
  const search = "/grants-api?limit=1&search_mode=semantic&search=";
  expect(await ask(`${search}rivers`, "203.0.113.7")).toMatchObject({
    status: 200,
    remaining: "9",
    calls: ["list_grants", "list_grants"],
  });
  isEmbedding = false;
  expect(await ask(`${search}lakes`, "203.0.113.7")).toMatchObject({
    status: 503,
    remaining: "9",
    calls: ["list_grants", "list_grants", "withdraw_request"],
  });
  // Remembered by the first search, so one call.
  expect(await ask(`${search}rivers`, "203.0.113.8")).toMatchObject({ status: 200, calls: ["list_grants"] });
  expect(await ask(`${search}rivers`, "198.51.100.7")).toMatchObject({ status: 403, calls: ["list_grants"] });
  const unknown = await ask(`${search}rivers`, null);
  expect(unknown).toMatchObject({ status: 403, calls: ["list_grants"] });
  expect(unknown.text).toContain("this server does not know those of its clients");
});

test("so have the calls of a CSV that is sent in parts", async () => {
  isEmbedding = true;
  const csv = "/grants-api?format=csv&opportunity_type=all&include_archived=true";
  const { status, calls, text } = await ask(csv, "203.0.113.7");
  expect([status, new Set(calls)]).toEqual([200, new Set(["list_grants"])]);
  expect(calls.length).toBeGreaterThan(1);
  expect(text.split("\r\n").length).toBeGreaterThan(500);
});
