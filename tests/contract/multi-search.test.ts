import { describe, expect, test } from "vitest";
import { multiSearchAnswer } from "../../shared/responses/multi-search.ts";
import { parse, readJson } from "./client.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();

type Body = Record<string, unknown>;

function post(path: string, body: unknown, as?: Parameters<typeof target.send>[2]): Promise<Response> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return target.send(path, init, as);
}

/** A body without what differs from one answer to the next. */
function lasting({ meta, instance: _, request_id: __, ...rest }: Body): Body {
  return { ...rest, ...(meta === undefined ? {} : { meta: { ...(meta as Body), response_time_ms: 0 } }) };
}

async function search(searches: unknown): Promise<{ status: number; body: Body }[]> {
  const answer = await readJson(await post("/multi-search", { searches }), 200, "the request");
  const { results, meta } = parse(multiSearchAnswer, answer, "/multi-search");
  expect(meta.returned).toBe(results.length);
  return results;
}

const searches = [
  { endpoint: "grants-api", parameters: { search: "water", states: ["OH", "PA"], limit: 3, facets: ["status"] } },
  { endpoint: "contracts-api" },
  { endpoint: "funders-api", parameters: { limit: 2, fields: ["name"] } },
  { endpoint: "semantic-search", parameters: { query: "cleaning up polluted lakes", limit: 3 } },
  { endpoint: "grants-api", parameters: { count_only: true } },
];

describe("POST /multi-search", () => {
  test("answers each search as its endpoint does, in the order asked", async () => {
    const answers = await search(searches);
    expect(answers.map(({ status }) => status)).toEqual(searches.map(() => 200));
    for (const [index, { endpoint, parameters = {} }] of searches.entries()) {
      const path = endpoint === "semantic-search" ? `/${endpoint}` : `/${endpoint}/search`;
      const alone = (await readJson(await post(path, parameters), 200, path)) as Body;
      expect(lasting(answers[index]?.body ?? {}), path).toEqual(lasting(alone));
    }
  });

  test("a search that is wrong has its own problem, and the others answer", async () => {
    const [wrong, right] = await search([
      { endpoint: "grants-api", parameters: { limit: 0, states: ["Mars"] } },
      { endpoint: "grants-api", parameters: { limit: 1 } },
    ]);
    expect(wrong?.status).toBe(400);
    const { errors } = (wrong?.body ?? {}) as { errors?: { parameter: string }[] };
    expect(errors?.map(({ parameter }) => parameter).sort()).toEqual(["limit", "states"]);
    expect(right?.status).toBe(200);
  });

  test.each([
    [{}, "searches", /^is required and must be a list of 1 to 10 searches/],
    [{ searches: [] }, "searches", /must be a list of 1 to 10 searches/],
    [{ searches: Array(11).fill({ endpoint: "grants-api" }) }, "searches", /must be a list of 1 to 10 searches/],
    [{ searches: ["grants-api"] }, "searches.0", /must be an object with endpoint and parameters/],
    [{ searches: [{}] }, "searches.0.endpoint", /^is required and must be one of grants-api, /],
    [{ searches: [{ endpoint: "grants" }] }, "searches.0.endpoint", /^must be one of grants-api, contracts-api/],
    [{ searches: [{ endpoint: "grants-api", parameters: [] }] }, "searches.0.parameters", /must be an object/],
    [{ searches: [{ endpoint: "grants-api", query: {} }] }, "searches.0.query", /must be an object with endpoint and/],
    [
      { searches: [{ endpoint: "grants-api", parameters: { format: "csv" } }] },
      "searches.0.parameters.format",
      /must be json/,
    ],
    [{ queries: [] }, "queries", /is not a field of this body; it takes searches/],
  ])("%j is refused", async (body, parameter, message) => {
    const { errors } = (await readJson(await post("/multi-search", body), 400, "the request")) as {
      errors: { parameter: string; message: string }[];
    };
    expect(errors.find((error) => error.parameter === parameter)?.message).toMatch(message);
  });

  test("a caller that is nobody is refused as such, whatever the body", async () => {
    for (const body of [{ searches }, { searches: [] }]) {
      const response = await post("/multi-search", body, "nobody");
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({
        type: expect.stringMatching(/unauthorized$/),
        instance: expect.stringMatching(/\/multi-search$/),
      });
    }
  });
});
