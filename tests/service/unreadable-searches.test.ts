import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bearer, openTestService, type TestService } from "../support/service.ts";

let service: TestService;
let key: string;
let readDashes: string;
beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
  const [reader] = await service.connection.query<{ definition: string }>(
    "select pg_get_functiondef('funding.without_stray_dashes'::regproc) as definition",
  );
  readDashes = reader?.definition ?? "";
});
afterAll(() => service.close());
afterEach(() => service.connection.execute(readDashes));

/** Leaves Postgres' parser what it cannot read, as a text that nobody thought of would. */
const leaveDashes = () =>
  service.connection.execute(`create or replace function funding.without_stray_dashes(query text) returns text
    language sql immutable parallel safe as $$ select query $$`);

const unreadable = `${"-".repeat(40)}water`;
const search = encodeURIComponent(unreadable);
const headers = { "content-type": "application/json" };
const post = (query: string) => ({ method: "POST", body: JSON.stringify({ query }), headers });

const requests: [string, string, string, RequestInit?][] = [
  ["a list", "search", `/grants-api?search=${search}`],
  [
    "a ranked list",
    "search",
    `/contracts-api?search=${encodeURIComponent(`water -water(${unreadable}`)}&sort_by=relevance`,
  ],
  ["a count", "search", `/funders-api?search=${search}&count_only=true`],
  ["a list with facets", "search", `/grants-api?search=${search}&facets=status`],
  ["a CSV", "search", `/contracts-api?search=${search}&format=csv`],
  ["a list with a cursor of another search", "search", `/grants-api?search=${search}&cursor=`],
  [
    "a hybrid search",
    "search",
    `/grants-api?search=${encodeURIComponent(`water -water(${unreadable}`)}&search_mode=hybrid`,
  ],
  ["semantic search", "query", "/semantic-search", post(`water -water(${unreadable}`)],
];

describe("a search that the database's parser cannot read", () => {
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await service.fetch(path, { ...init, headers: { ...init.headers, ...bearer(key) } });
    return { status: response.status, body: response.status === 200 ? undefined : ((await response.json()) as object) };
  };
  const used = async () => {
    await service.settled();
    const { requests } = (await service.runtime.database.call("get_metrics", {}).then((outcome) => {
      if (!outcome.ok) throw new Error(outcome.failure.message);
      return outcome.value;
    })) as { requests: { status: number; requests: number }[] };
    return requests.filter(({ status }) => status === 400).reduce((sum, total) => sum + total.requests, 0);
  };

  test.each(requests)(
    "is a 400 of %s that names `%s`, counted, and forgotten when it can be read",
    async (_what, parameter, path, init) => {
      const cursor = path.endsWith("cursor=") ? await cursorOf() : "";
      await leaveDashes();
      const before = await used();
      for (let time = 0; time < 2; time++) {
        expect(await send(path + cursor, init)).toMatchObject({
          status: 400,
          body: { errors: [{ parameter, message: expect.stringMatching(/^cannot be read as a search/) }] },
        });
      }
      expect(await used()).toBe(before + 2);
      await service.connection.execute(readDashes);
      expect(await send(path + cursor, init)).toEqual({ status: 200, body: undefined });
    },
  );

  async function cursorOf(): Promise<string> {
    const response = await service.fetch("/grants-api?limit=1", { headers: bearer(key) });
    const { pagination } = (await response.json()) as { pagination: { next: string } };
    return encodeURIComponent(pagination.next);
  }

  test("counts towards the quota, and is 429 when that is used up", async () => {
    const { key: few } = await service.newKey("two", 2);
    await leaveDashes();
    const statuses = [];
    for (let time = 0; time < 3; time++) {
      statuses.push((await service.fetch(`/grants-api?search=${search}or&limit=1`, { headers: bearer(few) })).status);
    }
    expect(statuses).toEqual([400, 400, 429]);
  });

  test("is refused in a webhook's filter, created or changed, by the filter's name", async () => {
    const person = await service.people.newPerson();
    const send = async (method: string, path: string, body?: object) => {
      const response = await service.fetch(`/account-api${path}`, {
        method,
        headers: { ...headers, ...bearer(await person.token()) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as { id: string } };
    };
    await send("GET", "");
    await service.connection.query(
      "insert into funding.subscriptions (account_id, tier) select id, 'developer' from funding.accounts where email = $1",
      [person.email],
    );
    const webhook = { url: "https://hooks.example.org/", events: ["grant.created"] };
    const filters = { grants: `search=${search}` };
    const created = await send("POST", "/webhooks", webhook);
    expect(created.status).toBe(201);
    await leaveDashes();
    const refused = {
      status: 400,
      body: { errors: [{ parameter: "filters.grants.search", message: expect.stringMatching(/^cannot be read/) }] },
    };
    expect(await send("POST", "/webhooks", { ...webhook, filters })).toMatchObject(refused);
    expect(await send("PATCH", `/webhooks/${created.body.id}`, { filters })).toMatchObject(refused);
    await service.connection.execute(readDashes);
    expect(await send("PATCH", `/webhooks/${created.body.id}`, { filters })).toMatchObject({ status: 200 });
  });
});

describe("the parser", () => {
  test("is called by one function alone", async () => {
    const callers = await service.connection.query<{ name: string }>(
      `select proname as name from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
       where nspname in ('funding', 'public') and prosrc ~ '\\m(websearch_|plain|phrase)?to_tsquery\\s*\\(' order by 1`,
    );
    expect(callers).toEqual([{ name: "parse_query" }]);
  });
});
