import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newRecordsAddress } from "../../dashboard/src/explorer/new-records.ts";
import { savedSearch, savedSearchList } from "../../shared/responses/account/saved-searches.ts";
import type { Person } from "../support/people.ts";
import { openTestService, type TestService } from "../support/service.ts";
import { grant, SavedSearches } from "./service.ts";

let service: TestService;
let searches: SavedSearches;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  service = await openTestService();
  searches = new SavedSearches(service);
});
beforeEach(async () => {
  [ada, ben] = [await searches.client.newSubscriber(), await searches.client.newSubscriber()];
});
afterAll(() => service.close());

interface Refusal {
  detail: string;
  errors: { parameter: string; message: string }[];
}

describe("saved searches", () => {
  test("are saved, listed by name, renamed, changed and deleted", async () => {
    const saved = await searches.save(ada, "search=kelp&states=OH", { name: "kelp" });
    expect(savedSearch.strict().parse(withoutLimit(saved))).toMatchObject({
      name: "kelp",
      dataset: "grants",
      query: "search=kelp&states=OH",
      filter: "search=kelp&states=OH",
      new_records: { count: 0, is_capped: false },
      address: null,
    });
    await searches.save(ada, "", { name: "All funders", dataset: "funders" });
    const list = savedSearchList.parse(await searches.ask(ada, "GET", "/saved-searches"));
    expect(list.saved_searches.map(({ name }) => name)).toEqual(["All funders", "kelp"]);

    const path = `/saved-searches/${saved.id}`;
    expect(await searches.ask(ada, "PATCH", path, { name: "Seaweed" })).toMatchObject({
      name: "Seaweed",
      query: saved.query,
    });
    const changes = { dataset: "contracts", query: "naics=541511" };
    expect(await searches.ask(ada, "PATCH", path, changes)).toMatchObject({ ...changes, name: "Seaweed" });
    expect(await searches.ask(ada, "DELETE", path)).toMatchObject({ id: saved.id });
    expect((await searches.ask<Refusal>(ada, "GET", path, undefined, 404)).detail).toContain("nothing with this id");
  });

  test("keep what a list is, without its page, and filter by the words of a ranked search", async () => {
    const query = "search=kelp+farms&search_mode=hybrid&sort_by=relevance&limit=5&offset=10&min_amount=50000";
    expect(await searches.save(ada, query)).toMatchObject({
      query: "search=kelp+farms&search_mode=hybrid&sort_by=relevance&min_amount=50000",
      filter: "search=kelp+farms&min_amount=50000",
    });
  });

  test("keep a list that was given several times in one form, and no region", async () => {
    expect(await searches.save(ada, "states=OH&forceFunctionRegion=us-east-1&states=PA")).toMatchObject({
      query: "states=OH%2CPA",
      filter: "states=OH%2CPA",
    });
  });

  test("are another account's to nobody else", async () => {
    const { id } = await searches.save(ada, "search=kelp");
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { name: "mine" }],
      ["DELETE", "", undefined],
      ["POST", "/seen", {}],
      ["POST", "/address", undefined],
      ["POST", "/address/revoke", undefined],
    ] as const) {
      await searches.ask(ben, method, `/saved-searches/${id}${path}`, body, 404);
    }
    expect(await searches.ask(ben, "GET", "/saved-searches")).toEqual({ saved_searches: [], has_mailer: false });
  });

  test("name each wrong parameter of their query", async () => {
    const body = { name: "Water", dataset: "grants", query: "sttaes=OH&min_amount=many" };
    const { errors } = await searches.ask<Refusal>(ada, "POST", "/saved-searches", body, 400);
    expect(errors.map(({ parameter }) => parameter)).toEqual(["query.sttaes", "query.min_amount"]);
    expect(errors[0]?.message).toContain("did you mean states?");
  });

  test.each([
    { body: { dataset: "grants", query: "" }, parameter: "name" },
    { body: { name: "x", dataset: "loans", query: "" }, parameter: "dataset" },
    { body: { name: "x", dataset: "grants" }, parameter: "query" },
    { body: { name: "x", dataset: "grants", query: "", colour: "red" }, parameter: "colour" },
    { body: { name: "two\nlines", dataset: "grants", query: "" }, parameter: "name" },
  ])("are refused with the field $parameter", async ({ body, parameter }) => {
    const { errors } = await searches.ask<Refusal>(ada, "POST", "/saved-searches", body, 400);
    expect(errors.map((error) => error.parameter)).toEqual([parameter]);
  });

  test("change what they look for only with the dataset", async () => {
    const { id } = await searches.save(ada, "search=kelp");
    const { errors } = await searches.ask<Refusal>(ada, "PATCH", `/saved-searches/${id}`, { query: "search=sea" }, 400);
    expect(errors.map(({ parameter }) => parameter)).toEqual(["dataset"]);
  });

  test("are as many as the setting allows, also when several are saved at once", async () => {
    await service.connection.execute("update funding.settings set value = '2' where name = 'saved_searches_maximum'");
    const body = { name: "Water", dataset: "grants", query: "" };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => searches.client.send(ada, { method: "POST", path: "/saved-searches", body })),
    );
    await service.connection.execute("update funding.settings set value = default_value");
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
  });

  test("need API access, and what was saved before is still listed without it, uncounted", async () => {
    const { id } = await searches.save(ada, "search=kelp");
    await service.connection.query("select funding.set_tier($1, 'free')", [ada.email]);
    const body = { name: "Water", dataset: "grants", query: "" };
    const { detail } = await searches.ask<Refusal>(ada, "POST", "/saved-searches", body, 409);
    expect(detail).toBe("The subscription does not include saved searches.");
    expect(await searches.read(ada, id)).toMatchObject({ id, new_records: null });
  });
});

describe("digests of a deployment without e-mail", () => {
  test("cannot be set, and can be ended", async () => {
    const { id } = await searches.save(ada, "search=kelp");
    const path = `/saved-searches/${id}`;
    const digest = { frequency: "daily" };
    const { detail } = await searches.ask<Refusal>(ada, "PATCH", path, { name: "Sea", digest }, 409);
    expect(detail).toBe("This deployment sends no e-mail.");
    expect(await searches.ask(ada, "PATCH", path, { digest: null })).toMatchObject({ name: "Water", digest: null });
  });
});

describe("new records", () => {
  test("are those that first came after the search was saved, and match it", async () => {
    await searches.load("grants", grant("before"));
    const { id } = await searches.save(ada, "search=kelp+nursery&min_amount=1000");
    await searches.load(
      "grants",
      grant("before", { amount_max: 5000, title: "Kelp nursery, changed" }),
      grant("matching", { amount_max: 5000 }),
      grant("small", { amount_max: 500 }),
      grant("other", { amount_max: 5000, title: "Roads", description: "Roads." }),
    );
    expect((await searches.read(ada, id)).new_records).toEqual({ count: 1, is_capped: false });
  });

  test("count what the list of the same parameters finds", async () => {
    const queries = [
      "search=kelp",
      "states=OH,PA&include_national=true",
      "status=open",
      'search="kelp+nursery"+-roads',
    ];
    const saved = await Promise.all(queries.map((query) => searches.save(ada, query)));
    await searches.load(
      "grants",
      grant("ohio", { states: ["OH"] }),
      grant("nation", { is_national: true, description: "Roads for kelp." }),
      grant("closed", { status: "closed" }),
    );
    const { key } = await service.newKey();
    for (const { id, query } of saved) {
      const { new_records, seen_until, counted_until } = await searches.read(ada, id);
      const parameters = newRecordsAddress("grants", query, seen_until, counted_until).split("dataset=grants&")[1];
      const list = await service.fetch(`/grants-api?${parameters}`, { headers: { authorization: `Bearer ${key}` } });
      const { pagination, results } = (await list.json()) as { pagination: { total: number }; results: unknown[] };
      expect(pagination.total, query).toBeGreaterThan(0);
      expect(results.length, query).toBe(pagination.total);
      expect(new_records, query).toEqual({ count: pagination.total, is_capped: false });
    }
  });

  test("are of contracts and funders too", async () => {
    const contracts = await searches.save(ada, "search=barge", { dataset: "contracts" });
    const funders = await searches.save(ada, "search=barge", { dataset: "funders" });
    await searches.load("contracts", grant("barge", { title: "Barge repair", funder_name: "Office of Barges" }));
    // "barges" and "barge" are one word to the search.
    expect((await searches.read(ada, contracts.id)).new_records?.count).toBe(1);
    expect((await searches.read(ada, funders.id)).new_records?.count).toBe(1);
  });

  test("are seen up to what was counted, and no mark goes back or into the future", async () => {
    const { id } = await searches.save(ada, "search=kelp");
    await searches.load("grants", grant("first seen"));
    const counted = await searches.read(ada, id);
    await searches.load("grants", grant("later"));
    const path = `/saved-searches/${id}/seen`;
    const marked = await searches.ask<typeof counted>(ada, "POST", path, { until: counted.counted_until });
    expect(marked).toMatchObject({ seen_until: counted.counted_until, new_records: { count: 1 } });

    const future = await searches.ask<typeof counted>(ada, "POST", path, { until: "2100-01-01T00:00:00Z" });
    expect(future.new_records?.count).toBe(0);
    await searches.load("grants", grant("after the mark"));
    expect((await searches.read(ada, id)).new_records?.count).toBe(1);
    await searches.ask(ada, "POST", path, {});
    const back = await searches.ask<typeof counted>(ada, "POST", path, { until: "2020-01-01T00:00:00Z" });
    expect(back.new_records?.count).toBe(0);
  });
});

describe("secret addresses", () => {
  test("are shown once, and a repetition with the Idempotency-Key shows the same", async () => {
    const { id } = await searches.save(ada, "search=kelp");
    const request = { method: "POST", path: `/saved-searches/${id}/address` };
    const headers = { "idempotency-key": crypto.randomUUID() };
    const answers = [];
    for (let sent = 0; sent < 2; sent++) {
      answers.push((await (await searches.client.send(ada, request, headers)).json()) as { token: string });
    }
    expect(answers[0]?.token).toMatch(/^fo_feed_[0-9A-Za-z]{38}$/);
    expect(answers[1]?.token).toBe(answers[0]?.token);
    expect(await searches.read(ada, id)).not.toHaveProperty("token");
    expect((await searches.read(ada, id)).address).toMatchObject({ last_read_at: null, reads_today: 0 });
    const stored = await service.connection.query("select * from funding.saved_searches");
    expect(JSON.stringify(stored)).not.toContain(answers[0]?.token);
  });
});

function withoutLimit<Body extends object>(body: Body): Omit<Body, "write_limit"> {
  const { write_limit: _, ...rest } = body as Body & { write_limit?: unknown };
  return rest;
}
