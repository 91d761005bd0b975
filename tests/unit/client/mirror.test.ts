import { describe, expect, test } from "vitest";
import { createFundingClient, type MirrorQuery } from "../../../packages/client/src/index.ts";
import type { GrantQuery } from "../../../packages/client/src/types.ts";

/** A client whose lists have this `meta`, and the queries that it sent. */
function answeredWith(meta: object) {
  const sent: string[] = [];
  const client = createFundingClient({
    baseUrl: "https://api.example.org/functions/v1",
    apiKey: "fo_live_0123456789abcdefghijklmnopqrstuvwxyzAB",
    fetch: async (input) => {
      sent.push(new URL((input as Request).url).search);
      return Response.json({ results: [], archived: [], pagination: { next: null }, meta });
    },
  });
  return { client, sent };
}

describe("a mirror", () => {
  test.each([
    { search: "water", search_mode: "hybrid" },
    { search: "water", search_mode: "keyword" },
    { similar_to: "cb75c555-bd5f-891d-a251-07bba87727b9" },
    { explain: true },
    { sort_by: "relevance" },
    { order: "desc" },
    { cursor: "x" },
    { offset: 10 },
    { ids: ["cb75c555-bd5f-891d-a251-07bba87727b9"] },
    { updated_after: "2026-01-01" },
    { archived_as_ids: false },
    { include_archived: true },
    { include_versions: true },
    { facets: ["status"] },
    { count_only: true },
    { format: "csv" },
  ])("of %j is refused before anything is sent: it is no feed", async (query) => {
    const { client, sent } = answeredWith({ last_updated_at: null });
    const refused = Object.keys(query).at(-1);
    const mirror = client.grants.mirror(undefined, query as MirrorQuery<GrantQuery>);
    await expect(mirror.next()).rejects.toThrow(new TypeError(`a mirror cannot have ${refused}`));
    expect(sent).toEqual([]);
  });

  test("has no types for them", () => {
    const { client } = answeredWith({ last_updated_at: null });
    // @ts-expect-error: a ranked list is no feed.
    client.grants.mirror(undefined, { search: "water", search_mode: "hybrid" });
    // @ts-expect-error: the same.
    client.funders.mirror(undefined, { similar_to: "cb75c555-bd5f-891d-a251-07bba87727b9" });
    // @ts-expect-error: only a ranked list has explanations.
    client.contracts.mirror(undefined, { explain: true });
  });

  test("of some fields asks for these", async () => {
    const { client, sent } = answeredWith({ last_updated_at: null });
    const some = client.grants.withFields(["title", "source"]);
    expect(await some.mirror().next()).toEqual({ done: true, value: undefined });
    expect(sent[0]).toContain("fields=title,source");
    // @ts-expect-error: a record without its description.
    for await (const record of some.iterate()) expect(record.description).toBeUndefined();
    // @ts-expect-error: no such field.
    client.grants.withFields(["naics"]);
    expect(() => client.grants.withFields([])).toThrow("fields is an empty list");
  });

  test("ends where nothing changed, and takes filters, limit and expand", async () => {
    const { client, sent } = answeredWith({ last_updated_at: null });
    const query = { source: "grants-gov", limit: 50, expand: ["details" as const], facets: undefined };
    expect(await client.grants.mirror(undefined, query).next()).toEqual({ done: true, value: undefined });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain("source=grants-gov");
  });

  test("fails where the answer is no feed, and does not end as if nothing had changed", async () => {
    const { client } = answeredWith({});
    await expect(client.grants.mirror().next()).rejects.toThrow(/no meta\.last_updated_at/);
  });
});
