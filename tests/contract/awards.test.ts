import { describe, expect, test } from "vitest";
import { awardsAnswer } from "../../shared/responses/awards.ts";
import type { Grant } from "../../shared/responses/records.ts";
import { apiClient, parse } from "./client.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);

async function awardsOf(id: string, query = "") {
  const path = `/grants-api/${id}/awards${query}`;
  return parse(awardsAnswer, await client.json(path), path);
}

/** Opportunities with details, the newest first. */
async function opportunities(): Promise<Grant[]> {
  const path = "/grants-api?limit=100&expand=details&status=closed";
  return ((await client.json(path)) as { results: Grant[] }).results;
}

describe("GET /grants-api/{id}/awards", () => {
  test("has awards under the number, or else earlier ones of the listing and agency alone", async () => {
    let awards = 0;
    for (const { id, created_at, details } of await opportunities()) {
      const { results } = await awardsOf(id, "?limit=5&expand=details");
      awards += results.length;
      for (const award of results) {
        if (award.link === "number") {
          expect(award.certainty).not.toBe("possible");
          continue;
        }
        expect(award.certainty).toBe("possible");
        expect(award.created_at <= created_at).toBe(true);
        const listings = details?.assistance_listings.map(({ number }) => number);
        expect(award.details?.assistance_listings.some(({ number }) => listings?.includes(number))).toBe(true);
        expect(award.details?.agency.some((name) => details?.agency.includes(name))).toBe(true);
      }
    }
    expect(awards).toBeGreaterThan(0);
  });

  test.each([
    ["?limit=101", "limit"],
    ["?cursor=x", "cursor"],
    ["?expand=all", "expand"],
    ["?sort_by=title", "sort_by"],
  ])("%s is refused", async (query, parameter) => {
    const [first] = await opportunities();
    const problem = await client.refused(`/grants-api/${first?.id}/awards${query}`, 400);
    expect(problem.errors?.[0]).toMatchObject({ parameter });
  });

  test("an id that is none is refused, and one that no record has is not found", async () => {
    expect((await client.refused("/grants-api/7/awards", 400)).errors?.[0]).toMatchObject({ parameter: "id" });
    await client.refused("/grants-api/00000000-0000-4000-8000-000000000000/awards", 404);
    await client.refused("/contracts-api/00000000-0000-4000-8000-000000000000/awards", 404);
  });
});
