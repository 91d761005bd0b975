import { describe, expect, test } from "vitest";
import { createFundingClient, ProblemError, UnexpectedResponseError } from "../../../packages/client/src/index.ts";

/** A client that gets this answer to every request, and the paths that it sent. */
function answeredBy(status: number, body: string, contentType = "application/json") {
  const sent: string[] = [];
  const client = createFundingClient({
    baseUrl: "https://api.example.org/functions/v1",
    apiKey: "fo_live_0123456789abcdefghijklmnopqrstuvwxyzAB",
    fetch: async (input) => {
      sent.push(new URL((input as Request).url).pathname);
      return new Response(body, { status, headers: { "content-type": contentType } });
    },
  });
  return { client, sent };
}

const problem = (kind: string) =>
  JSON.stringify({
    type: `urn:funding-opportunities:problem:${kind}`,
    title: "Title",
    status: 404,
    detail: "Detail.",
    request_id: "r",
  });
const page = "<!doctype html><title>Sign in</title>";

describe("a 404 is", () => {
  test("no record, or no snapshot, where the API says so", async () => {
    const { client } = answeredBy(404, problem("not-found"), "application/problem+json");
    expect(await client.grants.get("7")).toBeUndefined();
    expect(await client.snapshots.get("7")).toBeUndefined();
  });

  test.each([
    ["another problem", problem("unknown-route"), ProblemError],
    ["a proxy's page", page, UnexpectedResponseError],
    ["JSON of somebody else", '{"message":"no Route matched"}', UnexpectedResponseError],
    ["empty", "", UnexpectedResponseError],
  ])("an error where it is %s", async (_, body, kind) => {
    const { client } = answeredBy(404, body);
    await expect(client.funders.get("7")).rejects.toBeInstanceOf(kind);
    await expect(client.snapshots.get()).rejects.toBeInstanceOf(kind);
  });
});

test.each([page, '{"results":[', '"text"', "null", ""])(
  "a 200 with %j is an unexpected response, of which the error has status and excerpt",
  async (body) => {
    const { client } = answeredBy(200, body);
    const expected = { name: "UnexpectedResponseError", status: 200, excerpt: body };
    await expect(client.grants.list()).rejects.toMatchObject(expected);
    await expect(client.grants.get("7")).rejects.toMatchObject(expected);
    await expect(client.semanticSearch({ query: "water" })).rejects.toMatchObject(expected);
  },
);

describe("an empty list is refused before anything is sent: the parameter would be left out", () => {
  test.each([{ states: [] }, { search: "water", applicant_type: [] }, { facets: [] }, { expand: [] }])(
    "%j",
    async (query) => {
      const { client, sent } = answeredBy(200, "{}");
      const refusal = new TypeError(
        `${Object.keys(query).at(-1)} is an empty list; to filter by nothing, leave it out`,
      );
      await expect(client.grants.list(query)).rejects.toThrow(refusal);
      await expect(client.grants.count(query)).rejects.toThrow(refusal);
      await expect(client.grants.pages(query).next()).rejects.toThrow(refusal);
      await expect(client.grants.iterate(query).next()).rejects.toThrow(refusal);
      expect(sent).toEqual([]);
    },
  );

  test("of a mirror and of a single record, too", async () => {
    const { client, sent } = answeredBy(200, "{}");
    await expect(client.grants.mirror(undefined, { states: [] }).next()).rejects.toThrow(/^states is an empty list/);
    await expect(client.grants.get("7", { expand: [] })).rejects.toThrow(/^expand is an empty list/);
    expect(sent).toEqual([]);
  });
});

test.each(["", ".", ".."])("the id %j is refused before anything is sent: its path would be a list's", async (id) => {
  const { client, sent } = answeredBy(200, "{}");
  await expect(client.grants.get(id)).rejects.toThrow(TypeError);
  await expect(client.grants.changes(id).next()).rejects.toThrow(TypeError);
  await expect(client.awards(id).next()).rejects.toThrow(TypeError);
  await expect(client.snapshots.get(id)).rejects.toThrow(TypeError);
  await expect(client.snapshots.download("latest", id)).rejects.toThrow(/^the file is/);
  expect(sent).toEqual([]);
});
