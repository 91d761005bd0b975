import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bearer, openTestService, type TestService } from "../support/service.ts";

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
  // Of a dictionary with a setting that it does not know, Postgres makes nothing. The parser asks it for e-mail addresses alone.
  await service.connection.execute(`
    create text search dictionary funding.damaged (template = simple);
    update pg_ts_dict set dictinitoption = 'of_another = 1' where dictname = 'damaged'`);
});
afterAll(() => service.close());
afterEach(() => mend());

const readAddressesWith = (dictionary: string) =>
  service.connection.execute(
    `alter text search configuration funding.english alter mapping for email with ${dictionary}`,
  );
/** Lets Postgres' parser fail on e-mail addresses, as it may on a text that nobody thought of. */
const damage = () => readAddressesWith("funding.damaged");
const mend = () => readAddressesWith("simple");

const unreadable = "water -ann@example.org";
const search = encodeURIComponent(unreadable);
const headers = { "content-type": "application/json" };
const post = (body: object) => ({ method: "POST", body: JSON.stringify(body), headers });

const requests: [string, string, string, RequestInit?][] = [
  ["a list", "search", `/grants-api?search=${search}`],
  ["a ranked list", "search", `/contracts-api?search=${search}&sort_by=relevance`],
  ["a count", "search", `/funders-api?search=${search}&count_only=true`],
  ["a list with facets", "search", `/grants-api?search=${search}&facets=status`],
  ["an explained list", "search", `/grants-api?search=${search}&sort_by=relevance&explain=true`],
  ["a CSV", "search", `/contracts-api?search=${search}&format=csv`],
  ["a list with a cursor of another search", "search", `/grants-api?search=${search}&cursor=`],
  ["a hybrid search", "search", `/grants-api?search=${search}&search_mode=hybrid`],
  ["semantic search", "query", "/semantic-search", post({ query: unreadable })],
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
      await damage();
      const before = await used();
      for (let time = 0; time < 2; time++) {
        expect(await send(path + cursor, init)).toMatchObject({
          status: 400,
          body: { errors: [{ parameter, message: expect.stringMatching(/^cannot be read as a search/) }] },
        });
      }
      expect(await used()).toBe(before + 2);
      await mend();
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
    await damage();
    const statuses = [];
    for (let time = 0; time < 3; time++) {
      statuses.push((await service.fetch(`/grants-api?search=${search}&limit=1`, { headers: bearer(few) })).status);
    }
    expect(statuses).toEqual([400, 400, 429]);
  });

  test("is a 400 of CommonGrants' search, in its own words", async () => {
    await damage();
    expect(await send("/common-grants/opportunities/search", post({ search: unreadable }))).toMatchObject({
      status: 400,
      body: { errors: [{ field: "search", message: expect.stringMatching(/^cannot be read as a search/) }] },
    });
  });

  test("is refused in a saved search, and in a webhook's filter, created or changed, by the filter's name", async () => {
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
    await damage();
    const saved = { name: "Water", dataset: "grants", query: `search=${search}` };
    expect(await send("POST", "/saved-searches", saved)).toMatchObject({
      status: 400,
      body: { errors: [{ parameter: "query", message: expect.stringMatching(/^cannot be read/) }] },
    });
    const refused = {
      status: 400,
      body: { errors: [{ parameter: "filters.grants.search", message: expect.stringMatching(/^cannot be read/) }] },
    };
    expect(await send("POST", "/webhooks", { ...webhook, filters })).toMatchObject(refused);
    expect(await send("PATCH", `/webhooks/${created.body.id}`, { filters })).toMatchObject(refused);
    await mend();
    expect(await send("PATCH", `/webhooks/${created.body.id}`, { filters })).toMatchObject({ status: 200 });
  });
});
