import { beforeAll, describe, expect, test } from "vitest";
import { account as accountSchema } from "../../shared/responses/account/account.ts";
import { issuedKey } from "../../shared/responses/account/keys.ts";
import { type LoggedRequest, loggedRequest, loggedRequests } from "../../shared/responses/account/requests.ts";
import type { People, Person } from "../support/people.ts";
import { parse, readJson } from "./client.ts";
import { needs } from "./needs.ts";
import { problemDocument } from "./schemas.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const canRun = needs("signIn");
let people: People;
let ada: Person;
let ben: Person;
let key: { id: string; key: string };

async function ask(person: Person, path: string, method = "GET", body?: object) {
  const headers = { authorization: `Bearer ${await person.token()}`, "content-type": "application/json" };
  return target.send(`/account-api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }, "nobody");
}

const listed = async (person: Person, query = "") =>
  parse(loggedRequests, await readJson(await ask(person, `/requests${query}`), 200, query), query);
const single = async (person: Person, id: string) =>
  parse(loggedRequest, await readJson(await ask(person, `/requests/${id}`), 200, id), id);

/** Sends a request with the key, and waits until it is in the log. */
async function logged(path: string, init: RequestInit = {}, text = key.key): Promise<LoggedRequest> {
  const response = await target.send(path, init, { key: text });
  await response.text();
  const id = response.headers.get("x-request-id") ?? "";
  await expect.poll(async () => (await ask(ada, `/requests/${id}`)).status, { timeout: 60_000 }).toBe(200);
  const found = await single(ada, id);
  expect(found).toMatchObject({ request_id: id, status: response.status, key: { id: key.id, name: "logged" } });
  return found;
}

const newKey = async (person: Person, name: string) =>
  parse(issuedKey, await readJson(await ask(person, "/keys", "POST", { name }), 201, "/keys"), "/keys");

beforeAll(async () => {
  if (!canRun) return;
  const known = target.people();
  if (known === undefined) throw new Error("nobody can be signed in");
  people = known;
  [ada, ben] = [await people.newPerson(), await people.newPerson()];
  key = await newKey(ada, "logged");
  await people.connection.query("select funding.set_tier($1, 'developer')", [ada.email]);
});

describe("a request in the log", () => {
  test("has its route, parameters and key, and of a search the length alone", async () => {
    const path = "/grants-api?search=clean%20water&limit=2&states=CA";
    expect(await logged(path)).toMatchObject({
      method: "GET",
      endpoint: "grants-api",
      problem: null,
      head: {
        "Content-Type": "application/json; charset=utf-8",
        "Server-Timing": expect.stringContaining("total;dur="),
      },
      parameters: { limit: "2", states: "CA" },
      withheld: { search: 11 },
    });
    expect(JSON.stringify(await listed(ada))).not.toContain("clean");
  });

  test("of a body has its fields", async () => {
    const body = JSON.stringify({ query: "soil", limit: 1 });
    const found = await logged("/semantic-search", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(found).toMatchObject({ method: "POST", endpoint: "semantic-search", withheld: { query: 4 } });
    expect(found.parameters).toMatchObject({ limit: "1" });
    const query = JSON.stringify({ search: "clean water", states: ["CA", "OH"], limit: 2 });
    const headers = { "content-type": "application/json" };
    expect(await logged("/grants-api/search", { method: "POST", headers, body: query })).toMatchObject({
      endpoint: "grants-api/search",
      parameters: { limit: "2", states: "CA,OH" },
      withheld: { search: 11 },
    });
  });

  test("that was refused says why, and nothing of parameters that there are not", async () => {
    expect(await logged("/grants-api?limit=0&acces_token=hunter2hunter2")).toMatchObject({
      status: 400,
      parameters: { limit: "0" },
      problem: { name: "invalid-parameters", detail: expect.stringContaining("is not a parameter") },
    });
    const twice = await logged("/grants-api?limit=0&states=XX");
    expect(twice.problem?.errors.map(({ parameter }) => parameter).toSorted()).toEqual(["limit", "states"]);
    expect(twice.head).toMatchObject({
      "Content-Type": expect.stringContaining("application/problem+json"),
      "X-RateLimit-Remaining": expect.stringMatching(/^-?\d+$/),
    });
    expect((await logged("/grants-api?hunter2hunter2=1&hunter2hunter2b=1")).problem).toMatchObject({
      detail: "… is not a parameter of this endpoint (and 1 more)",
    });
    const id = crypto.randomUUID();
    expect(await logged(`/funders-api/${id}`)).toMatchObject({
      status: 404,
      endpoint: "funders-api/{id}",
      parameters: { id },
      problem: { name: "not-found" },
    });
    expect((await logged("/grants-api?sort_by=deadlin")).parameters).toEqual({ sort_by: "deadlin" });
    const secret = `hunter2${"0".repeat(41)}`;
    expect((await logged(`/grants-api?sort_by=${secret}`)).parameters).toEqual({ sort_by: "hunter20…" });
    expect((await logged(`/funders-api/${secret}`)).parameters).toEqual({ id: "hunter20…" });
    expect(JSON.stringify(await listed(ada))).not.toMatch(/hunter2hunter|hunter200/);
  });

  test("outside of the key's limits is there too, with where it came from", async () => {
    const limit = async (limits: object) =>
      expect((await ask(ada, `/keys/${key.id}`, "PATCH", limits)).status).toBe(200);
    await limit({ addresses: ["192.0.2.0/24"] });
    expect(await logged("/funders-api?limit=1")).toMatchObject({
      status: 403,
      problem: {
        name: "outside-key-limits",
        detail: expect.stringMatching(/from 192\.0\.2\.0\/24 alone, and this one comes from [\da-f.:]+\. /),
      },
    });
    await limit({ addresses: null });
  });

  test("without API access, over the quota and with a revoked key is there too", async () => {
    await people.connection.query(
      "update funding.subscriptions set status = 'canceled' where account_id = funding.account_id($1)",
      [ada.email],
    );
    expect((await logged("/funders-api?limit=1")).problem?.name).toBe("forbidden");
    await people.connection.query(
      "update funding.subscriptions set status = 'active' where account_id = funding.account_id($1)",
      [ada.email],
    );
    await people.connection.query(
      `insert into funding.tiers (name, api_access, daily_quota) values ('request-log', true, 1) on conflict do nothing`,
    );
    await people.connection.query("select funding.set_tier($1, 'request-log')", [ada.email]);
    await logged("/funders-api?limit=1");
    expect((await logged("/funders-api?limit=1")).problem?.name).toBe("quota-exceeded");
    await people.connection.query("select funding.set_tier($1, 'developer')", [ada.email]);
    await people.connection.query("update funding.api_keys set revoked_at = now() where id = $1", [key.id]);
    expect((await logged("/funders-api?limit=1")).problem?.name).toBe("unauthorized");
    await people.connection.query("update funding.api_keys set revoked_at = null where id = $1", [key.id]);
  });

  test("shows no secret, wherever a client wrote it", async () => {
    await logged(`/funders-api?limit=1&search=${key.key}`);
    await logged(`/grants-api/${key.key}`);
    await logged(`/funders-api?limit=${key.key}&${key.key}=1`);
    const stored = await people.connection.query<{ text: string }>(
      "select logged::text as text from funding.request_log as logged where account_id = funding.account_id($1)",
      [ada.email],
    );
    const answers = JSON.stringify(await listed(ada));
    const secret = key.key.slice("fo_live_".length);
    expect(stored.filter(({ text }) => text.includes(secret))).toEqual([]);
    expect(answers).not.toContain(secret);
  });

  test("has the search where the account keeps it, for as long as it does", async () => {
    const setTo = async (keeps_search_text: boolean) =>
      parse(accountSchema, await readJson(await ask(ada, "", "PATCH", { keeps_search_text }), 200, ""), "");
    expect((await setTo(true)).keeps_search_text).toBe(true);
    const { request_id, parameters, withheld } = await logged("/grants-api?search=harbour&limit=1");
    expect([parameters, withheld]).toEqual([{ search: "harbour", limit: "1" }, {}]);
    expect((await setTo(false)).keeps_search_text).toBe(false);
    expect(await single(ada, request_id)).toMatchObject({ parameters: { limit: "1" }, withheld: { search: 7 } });
  });
});

describe("the list", () => {
  test("is filtered, newest first, and goes on by pages without a gap", async () => {
    const all = await listed(ada, "?limit=100");
    const times = all.requests.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
    const matching = async (query: string) => (await listed(ada, `?limit=100&${query}`)).requests;
    const expected = (keep: (request: LoggedRequest) => boolean) => all.requests.filter(keep);
    expect(await matching("status=4xx")).toEqual(expected(({ status }) => status >= 400 && status < 500));
    expect(await matching("endpoint=funders-api/%7Bid%7D")).toEqual(
      expected(({ endpoint }) => endpoint === "funders-api/{id}"),
    );
    expect(await matching(`key_id=${key.id}`)).toEqual(all.requests);
    expect(await matching(`key_id=${crypto.randomUUID()}`)).toEqual([]);
    const { request_id, at } = all.requests[2] as LoggedRequest;
    expect(await matching(`request_id=${request_id}`)).toEqual([all.requests[2]]);
    expect(await matching(`since=${at}`)).toEqual(expected((request) => request.at >= at));
    expect(await matching(`until=${at}`)).toEqual(expected((request) => request.at < at));
    const paged: LoggedRequest[] = [];
    for (let page: string | null = ""; page !== null; ) {
      const answer = await listed(ada, `?limit=3${page === "" ? "" : `&page=${encodeURIComponent(page)}`}`);
      paged.push(...answer.requests);
      page = answer.next;
    }
    expect(paged).toEqual(all.requests);
  });

  test("and single requests are the account's own", async () => {
    const [first] = (await listed(ada)).requests;
    expect(await listed(ben)).toEqual({ requests: [], next: null });
    expect((await ask(ben, `/requests/${first?.request_id}`)).status).toBe(404);
  });

  test.each([
    "limit=0",
    "status=200",
    "key_id=1",
    "since=today",
    "page=x",
    "request_id=a%20b",
    "endpoint=a%20b",
    "keys=1",
  ])("refuses %s by its name", async (query) => {
    const problem = parse(problemDocument, await readJson(await ask(ada, `/requests?${query}`), 400, query), query);
    expect(problem.errors?.[0]?.parameter).toBe(query.split("=")[0]);
  });
});
