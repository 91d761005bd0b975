import { beforeAll, describe, expect, test } from "vitest";
import { generateSigningKey, type SigningKey } from "../../local/auth/signing-key.ts";
import { account as accountSchema } from "../../shared/responses/account/account.ts";
import { accountKey, accountKeys, explorerKey, issuedKey } from "../../shared/responses/account/keys.ts";
import { accountUsage } from "../../shared/responses/account/usage.ts";
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

beforeAll(async () => {
  if (!canRun) return;
  const known = target.people();
  if (known === undefined) throw new Error("nobody can be signed in");
  people = known;
  [ada, ben] = [await people.newPerson(), await people.newPerson()];
});

interface Ask {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A request with a token, or without one. */
async function ask(path: string, token: string | undefined, { method = "GET", body, headers }: Ask = {}) {
  return target.send(
    `/account-api${path}`,
    {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    "nobody",
  );
}

const askAs = async (person: Person, path: string, given?: Ask) => ask(path, await person.token(), given);

async function read<Output>(
  person: Person,
  path: string,
  schema: Parameters<typeof parse<Output>>[0],
  given?: Ask,
  status = 200,
) {
  return parse(schema, await readJson(await askAs(person, path, given), status, path), path);
}

const newKey = (person: Person, body: object = { name: "a key" }) =>
  read(person, "/keys", issuedKey, { method: "POST", body }, 201);
const rotate = (person: Person, id: string, body: object = {}) =>
  read(person, `/keys/${id}/rotate`, issuedKey, { method: "POST", body }, 201);
const keysOf = async (person: Person) => (await read(person, "/keys", accountKeys)).keys;

async function refused(response: Response, status: number) {
  return parse(problemDocument, await readJson(response, status, response.url), response.url);
}

/** The status of a data request with a key. */
const statusWith = async (key: string) => (await target.send("/funders-api?limit=1", {}, { key })).status;

/** Puts a person's account on a tier, as an operator does. */
async function putOnTier(person: Person, tier: string, subscription: { status?: string; end?: string } = {}) {
  await read(person, "", accountSchema);
  await people.connection.query("select funding.set_tier($1, $2)", [person.email, tier]);
  await people.connection.query(
    `update funding.subscriptions set status = $2, current_period_end = now() + $3::interval
     where account_id = funding.account_id($1)`,
    [person.email, subscription.status ?? "active", subscription.end ?? null],
  );
}

const routes: { path: string; method: string; body?: object }[] = [
  { path: "", method: "GET" },
  { path: "/keys", method: "GET" },
  { path: "/keys", method: "POST", body: { name: "x" } },
  { path: "/explorer-key", method: "POST" },
  { path: `/keys/${crypto.randomUUID()}/rotate`, method: "POST", body: {} },
  { path: `/keys/${crypto.randomUUID()}/revoke`, method: "POST" },
  { path: "/usage", method: "GET" },
];

describe("signing in", () => {
  let stranger: SigningKey;
  beforeAll(async () => {
    stranger = await generateSigningKey();
  });

  const encoded = (value: object) =>
    btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

  const tokens: { what: string; token: () => Promise<string | undefined> }[] = [
    { what: "no token", token: async () => undefined },
    { what: "what is no token", token: async () => "not.a.token" },
    { what: "an API key", token: async () => target.keyOf("developer") },
    { what: "a token signed by another key", token: () => ada.token({}, stranger) },
    {
      what: "a token signed by another key that names the right one",
      token: () =>
        ada.token({}, { ...stranger, privateKey: { ...stranger.privateKey, kid: people.key.privateKey.kid ?? "" } }),
    },
    { what: "an expired token", token: () => ada.token({ exp: Math.floor(Date.now() / 1000) - 60 }) },
    { what: "a token that does not expire", token: () => ada.token({ exp: undefined } as never) },
    { what: "a token of the future", token: () => ada.token({ nbf: Math.floor(Date.now() / 1000) + 600 }) },
    { what: "a token for another audience", token: () => ada.token({ aud: "anon" }) },
    { what: "a token of another issuer", token: () => ada.token({ iss: "https://elsewhere.example/auth/v1" }) },
    { what: "the project's anon key", token: () => ada.token({ role: "anon", sub: undefined } as never) },
    { what: "the project's service key", token: () => ada.token({ role: "service_role" }) },
    { what: "a token without a session", token: () => ada.token({ session_id: undefined }) },
    { what: "a session of somebody else", token: () => ada.token({ session_id: ben.sessionId }) },
    { what: "a user that does not exist", token: () => ada.token({ sub: crypto.randomUUID() }) },
    { what: "an anonymous user", token: () => ada.token({ is_anonymous: true }) },
    {
      what: "a token with alg=none",
      token: async () => {
        const [, claims] = (await ada.token()).split(".");
        return `${encoded({ alg: "none", typ: "JWT" })}.${claims}.`;
      },
    },
    {
      what: "a token signed with the public key as an HS256 secret",
      token: async () => {
        const secret = await crypto.subtle.importKey(
          "raw",
          new TextEncoder().encode(JSON.stringify(people.key.publicKeys.keys[0])),
          { name: "HMAC", hash: "SHA-256" },
          false,
          ["sign"],
        );
        const [, claims] = (await ada.token()).split(".");
        const signed = `${encoded({ alg: "HS256", typ: "JWT", kid: people.key.privateKey.kid })}.${claims}`;
        const signature = new Uint8Array(await crypto.subtle.sign("HMAC", secret, new TextEncoder().encode(signed)));
        return `${signed}.${btoa(String.fromCharCode(...signature))
          .replaceAll("+", "-")
          .replaceAll("/", "_")
          .replaceAll("=", "")}`;
      },
    },
    {
      what: "a token whose claims were changed",
      token: async () => {
        const [header, , signature] = (await ada.token()).split(".");
        return `${header}.${(await ben.token()).split(".")[1]}.${signature}`;
      },
    },
  ];
  test.each(tokens)("with $what is 401", async ({ token }) => {
    const response = await ask("", await token());
    const problem = await refused(response, 401);
    expect(problem.type).toBe("urn:funding-opportunities:problem:not-signed-in");
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
  });

  test.each(routes)("is needed for $method $path", async ({ path, method, body }) => {
    await refused(await ask(path, undefined, { method, body }), 401);
    await refused(await ask(path, await ada.token({}, stranger), { method, body }), 401);
  });

  test("comes before a wrong request: 401 before 400", async () => {
    await refused(await ask("/usage?from=never", undefined), 401);
  });

  test("ends when the session does, however long its token still runs", async () => {
    const person = await people.newPerson();
    const token = await person.token();
    expect((await ask("", token)).status).toBe(200);
    await people.endSession(person);
    expect((await refused(await ask("", token), 401)).detail).toContain("session has ended");
  });

  test("needs a confirmed e-mail address", async () => {
    const person = await people.newPerson({ isConfirmed: false });
    expect((await refused(await askAs(person, ""), 403)).type).toContain("email-not-confirmed");
  });
});

describe("the account", () => {
  test("of somebody new is on the free tier, without API access", async () => {
    const person = await people.newPerson();
    const account = await read(person, "", accountSchema);
    expect(account).toMatchObject({
      email: person.email,
      api_access: false,
      tier: { name: "free", api_access: false },
      subscription: null,
      quota: { limit: 0, used: 0, remaining: 0 },
      keys: { active: 0 },
    });
    expect((await read(person, "", accountSchema)).id).toBe(account.id);
  });

  test("is one, however many first requests come at once", async () => {
    const person = await people.newPerson();
    const accounts = await Promise.all(Array.from({ length: 6 }, () => read(person, "", accountSchema)));
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(1);
  });

  test("that an operator opened for an address belongs to whoever confirms that address", async () => {
    const email = `Opened-${crypto.randomUUID()}@people.example`;
    const [opened] = await people.connection.query<{ id: string }>("select funding.create_account($1) as id", [email]);
    const somebody = await people.newPerson({ email: email.toLowerCase(), isConfirmed: false });
    await refused(await askAs(somebody, ""), 403);
    await people.connection.query("delete from auth.users where id = $1", [somebody.userId]);

    const holder = await people.newPerson({ email: email.toLowerCase() });
    const account = await read(holder, "", accountSchema);
    expect(account).toMatchObject({ id: opened?.id, api_access: true, tier: { name: "developer" } });
  });

  test("is not taken over by whoever has its address later", async () => {
    const first = await people.newPerson();
    await read(first, "", accountSchema);
    await people.connection.query("update auth.users set email = $2 where id = $1", [
      first.userId,
      `moved-${first.email}`,
    ]);
    const second = await people.newPerson({ email: first.email });
    expect((await refused(await askAs(second, ""), 409)).detail).toContain("belongs to another sign-in");
  });

  test("follows its user's address", async () => {
    const person = await people.newPerson();
    const { id } = await read(person, "", accountSchema);
    await people.connection.query("update auth.users set email = $2 where id = $1", [
      person.userId,
      `new-${person.email}`,
    ]);
    expect(await read(person, "", accountSchema)).toMatchObject({ id, email: `new-${person.email}` });
  });

  test("loses API access the moment its subscription ends", async () => {
    const person = await people.newPerson();
    await putOnTier(person, "developer", { end: "1 hour" });
    const { key } = await newKey(person);
    expect(await statusWith(key)).toBe(200);
    expect(await read(person, "", accountSchema)).toMatchObject({ api_access: true, subscription: { in_force: true } });

    await putOnTier(person, "developer", { end: "-1 second" });
    expect(await statusWith(key)).toBe(403);
    expect(await read(person, "", accountSchema)).toMatchObject({
      api_access: false,
      subscription: { status: "active", in_force: false },
      quota: { limit: 0 },
    });
  });

  test.each([
    ["active", 200],
    ["trialing", 200],
    ["past_due", 200],
    ["canceled", 403],
    ["unpaid", 403],
    ["paused", 403],
    ["incomplete", 403],
    ["incomplete_expired", 403],
  ])("with a subscription that is %s has its requests answered %i", async (status, expected) => {
    const person = await people.newPerson();
    await putOnTier(person, "developer", { status });
    const { key } = await newKey(person);
    expect(await statusWith(key)).toBe(expected);
    expect((await read(person, "", accountSchema)).api_access).toBe(expected === 200);
  });

  test("tells what is left of today's quota", async () => {
    const person = await people.newPerson();
    await putOnTier(person, "limited");
    const { key } = await newKey(person);
    const response = await target.send("/funders-api?limit=1", {}, { key });
    const { quota } = await read(person, "", accountSchema);
    expect(quota.used).toBe(1);
    expect(quota.limit).toBe(Number(response.headers.get("x-ratelimit-limit")));
    expect(quota.remaining).toBe(Number(response.headers.get("x-ratelimit-remaining")));
    expect(Date.parse(quota.resets_at) % 86_400_000).toBe(0);
    expect(Date.parse(quota.resets_at)).toBeGreaterThan(Date.now());
  });
});

describe("the explorer's keys", () => {
  let person: Person;
  const newExplorerKey = () => read(person, "/explorer-key", explorerKey, { method: "POST" }, 201);
  const textOf = ({ key }: { key: string | null }) => key ?? "the key's text is missing";
  beforeAll(async () => {
    if (!canRun) return;
    person = await people.newPerson();
    await putOnTier(person, "developer");
  });

  test("work at once, for minutes, and are neither listed nor counted among the account's keys", async () => {
    const before = await read(person, "", accountSchema);
    const made = await newExplorerKey();
    expect(made.key).toMatch(/^fo_live_[0-9A-Za-z]{38}$/);
    expect(await statusWith(textOf(made))).toBe(200);
    const minutes = (Date.parse(made.expires_at) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(14);
    expect(minutes).toBeLessThanOrEqual(15.5);
    expect(await keysOf(person)).toEqual([]);
    expect((await read(person, "", accountSchema)).keys).toEqual(before.keys);
    const usage = await read(person, "/usage", accountUsage);
    expect(usage.keys).toMatchObject([{ id: made.id, name: "Explorer" }]);
  });

  test("end when they are revoked, and cannot be rotated", async () => {
    const made = await newExplorerKey();
    await refused(await askAs(person, `/keys/${made.id}/rotate`, { method: "POST", body: {} }), 404);
    await read(person, `/keys/${made.id}/revoke`, accountKey, { method: "POST" });
    expect(await statusWith(textOf(made))).toBe(401);
  });

  test("are five at most: one more ends the one that would expire first, and the rows of ended ones are used again", async () => {
    const made = [];
    for (let count = 0; count < 6; count++) made.push(await newExplorerKey());
    expect(await Promise.all(made.map((key) => statusWith(textOf(key))))).toEqual([401, 200, 200, 200, 200, 200]);
    await people.connection.query(
      "update funding.api_keys set expires_at = now() where is_explorer and account_id = funding.account_id($1)",
      [person.email],
    );
    expect(await Promise.all(made.map((key) => statusWith(textOf(key))))).toEqual(made.map(() => 401));
    const rows = new Set(made.map(({ id }) => id));
    expect(rows.size).toBe(5);
    const parallel = await Promise.all(Array.from({ length: 5 }, newExplorerKey));
    expect(new Set(parallel.map(({ id }) => id))).toEqual(rows);
    expect(await Promise.all(parallel.map((key) => statusWith(textOf(key))))).toEqual(parallel.map(() => 200));
  });

  test("of the free tier are answered 403", async () => {
    const free = await people.newPerson();
    const made = await read(free, "/explorer-key", explorerKey, { method: "POST" }, 201);
    expect(await statusWith(textOf(made))).toBe(403);
  });
});

describe("keys", () => {
  let holder: Person;
  beforeAll(async () => {
    if (!canRun) return;
    holder = await people.newPerson();
    await putOnTier(holder, "developer");
  });

  test("are created with a text that works at once and is never shown again", async () => {
    const created = await newKey(holder, { name: "  laptop  " });
    expect(created).toMatchObject({ name: "laptop", status: "active", expires_at: null, last_used_at: null });
    expect(created.key).toMatch(/^fo_live_[0-9A-Za-z]{38}$/);
    expect(created.display).toBe(`${created.key.slice(0, 12)}…${created.key.slice(-4)}`);
    expect(await statusWith(created.key)).toBe(200);

    const answer = await (await askAs(holder, "/keys")).text();
    expect(answer).toContain(created.id);
    expect(answer).not.toContain(created.key);
  });

  test("are answered in a way that no cache keeps", async () => {
    const response = await askAs(holder, "/keys", { method: "POST", body: { name: "x" } });
    expect(response.headers.get("cache-control")).toContain("no-store");
  });

  test("can be given an expiry", async () => {
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    expect(await newKey(holder, { name: "short", expires_at })).toMatchObject({ expires_at, status: "active" });
    expect((await newKey(holder, { name: "null", expires_at: null })).expires_at).toBeNull();
  });

  const wrong: { body: unknown; parameter: string }[] = [
    { body: {}, parameter: "name" },
    { body: { name: "" }, parameter: "name" },
    { body: { name: "   " }, parameter: "name" },
    { body: { name: "x".repeat(101) }, parameter: "name" },
    { body: { name: 7 }, parameter: "name" },
    ...["\x1b[2J", "\n", "\t", "\x7f", "\x9b", "\u2028", "\u202e", "\u2066"].map((control) => ({
      body: { name: `a${control}b` },
      parameter: "name",
    })),
    { body: { name: "x", expires_at: "2020-01-01T00:00:00Z" }, parameter: "expires_at" },
    { body: { name: "x", expires_at: "tomorrow" }, parameter: "expires_at" },
    { body: { name: "x", expires_at: "9999-12-31T23:59:59-23:59" }, parameter: "expires_at" },
    { body: { name: "x", expires: null }, parameter: "expires" },
  ];
  test.each(wrong)("are refused with a 400 that names the field: $body", async ({ body, parameter }) => {
    const before = (await keysOf(holder)).length;
    const problem = await refused(await askAs(holder, "/keys", { method: "POST", body }), 400);
    expect(problem.errors?.map((error) => error.parameter)).toContain(parameter);
    expect(await keysOf(holder)).toHaveLength(before);
  });

  test("with names of 1 and of 100 characters are made, in every script", async () => {
    for (const name of ["x", "🔑".repeat(100), "کلید\u200cها", "👩\u200d💻 \\n"])
      expect((await newKey(holder, { name })).name).toBe(name);
  });

  test("that are rotated work beside their successor during the overlap, and not after it", async () => {
    const old = await newKey(holder, { name: "server" });
    const rotated = await rotate(holder, old.id);
    expect(rotated).toMatchObject({ name: "server", rotated_from: old.id, expires_at: null });
    expect([await statusWith(old.key), await statusWith(rotated.key)]).toEqual([200, 200]);

    const listed = (await keysOf(holder)).find(({ id }) => id === old.id);
    expect(listed).toMatchObject({ replaced_by: rotated.id, status: "active" });
    const overlapMs = Date.parse(listed?.expires_at ?? "") - Date.now();
    expect(Math.abs(overlapMs - 24 * 3_600_000)).toBeLessThan(60_000);

    const last = await rotate(holder, rotated.id, { overlap_hours: 0 });
    expect([await statusWith(rotated.key), await statusWith(last.key)]).toEqual([401, 200]);
  });

  test("are rotated once: asking again does not make a second successor", async () => {
    const old = await newKey(holder);
    const asked = await Promise.all(
      [1, 2, 3].map(() => askAs(holder, `/keys/${old.id}/rotate`, { method: "POST", body: {} })),
    );
    expect(asked.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await keysOf(holder)).filter(({ rotated_from }) => rotated_from === old.id)).toHaveLength(1);
  });

  test("are rotated again where the replacement was revoked, and have the expiry of before", async () => {
    const expires_at = new Date(Date.now() + 90 * 86_400_000).toISOString();
    const old = await newKey(holder, { name: "undecided", expires_at });
    const lost = await rotate(holder, old.id, { overlap_hours: 1 });
    await read(holder, `/keys/${lost.id}/revoke`, accountKey, { method: "POST" });
    expect((await keysOf(holder)).find(({ id }) => id === old.id)).toMatchObject({
      status: "active",
      replaced_by: null,
    });
    const second = await rotate(holder, old.id, { overlap_hours: 2 });
    expect(second).toMatchObject({ rotated_from: old.id, expires_at: lost.expires_at });
    const listed = (await keysOf(holder)).find(({ id }) => id === old.id);
    expect(listed).toMatchObject({ replaced_by: second.id });
    expect(Math.abs(Date.parse(listed?.expires_at ?? "") - Date.now() - 2 * 3_600_000)).toBeLessThan(60_000);
    expect([await statusWith(old.key), await statusWith(lost.key), await statusWith(second.key)]).toEqual([
      200, 401, 200,
    ]);
    await refused(await askAs(holder, `/keys/${old.id}/rotate`, { method: "POST", body: {} }), 409);
  });

  test.each([-1, 720.5, "24", Number.MAX_VALUE])(
    "are not rotated with an overlap of %s hours",
    async (overlap_hours) => {
      const { id } = await newKey(holder);
      const problem = await refused(
        await askAs(holder, `/keys/${id}/rotate`, { method: "POST", body: { overlap_hours } }),
        400,
      );
      expect(problem.errors?.map(({ parameter }) => parameter)).toEqual(["overlap_hours"]);
    },
  );

  test("that are revoked are refused at once, and revoking again changes nothing", async () => {
    const { id, key } = await newKey(holder);
    expect(await statusWith(key)).toBe(200);
    const revoke = async () => {
      const { status, revoked_at } = await read(holder, `/keys/${id}/revoke`, accountKey, { method: "POST" });
      return { status, revoked_at };
    };
    const revoked = await revoke();
    expect(await statusWith(key)).toBe(401);
    expect(await revoke()).toEqual(revoked);
    await refused(await askAs(holder, `/keys/${id}/rotate`, { method: "POST", body: {} }), 409);
  });

  test("that are revoked are refused at once by every endpoint that has just admitted them", async () => {
    const { id, key } = await newKey(holder);
    const list = (await (await target.send("/grants-api?limit=1", {}, { key })).json()) as {
      results: { id: string }[];
    };
    const json = { "content-type": "application/json" };
    const tool = { name: "search_funders", arguments: { limit: 1 } };
    const requests: [string, RequestInit?][] = [
      ["/grants-api?limit=1"],
      ["/grants-api?limit=1&format=csv"],
      ["/contracts-api?search=water&search_mode=hybrid"],
      [`/grants-api/${list.results[0]?.id}`],
      ["/semantic-search", { method: "POST", headers: json, body: '{"query":"clean water"}' }],
      [
        "/mcp",
        {
          method: "POST",
          headers: { ...json, accept: "application/json, text/event-stream" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: tool }),
        },
      ],
    ];
    const ask = () =>
      Promise.all(
        requests.map(async ([path, init]) => {
          const response = await target.send(path, init, { key });
          // A tool's failure is told to the model, in an answer that is well.
          return /isError":true/.test(await response.text()) ? 401 : response.status;
        }),
      );
    // Twice: what was answered before may be remembered, and so may who asked.
    for (let round = 0; round < 2; round++) expect(await ask()).toEqual(requests.map(() => 200));
    await read(holder, `/keys/${id}/revoke`, accountKey, { method: "POST" });
    expect(await ask()).toEqual(requests.map(() => 401));
  });

  test("are at most as many as the account says, and a revoked one makes room", async () => {
    const person = await people.newPerson();
    const { keys } = await read(person, "", accountSchema);
    const made = await Promise.all(
      Array.from({ length: keys.maximum + 2 }, () =>
        askAs(person, "/keys", { method: "POST", body: { name: "one more" } }),
      ),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(keys.maximum);
    expect(made.filter(({ status }) => status === 409)).toHaveLength(2);

    const [first] = await keysOf(person);
    await askAs(person, `/keys/${first?.id}/revoke`, { method: "POST" });
    await newKey(person);
    expect((await read(person, "", accountSchema)).keys.active).toBe(keys.maximum);
  });

  test("are at most as many a day as the headers say, until midnight UTC, and those that exist can still be ended", async () => {
    const person = await people.newPerson();
    const create = () => askAs(person, "/keys", { method: "POST", body: { name: "one a day" } });
    const allowance = ({ headers }: Response) =>
      ["limit", "remaining", "reset"].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
    const first = await create();
    const [limit = 0, remaining, reset = 0] = allowance(first);
    expect([limit > 0, remaining]).toEqual([true, limit - 1]);
    expect([reset % 86_400, reset > Date.now() / 1000]).toEqual([0, true]);

    const { id } = parse(issuedKey, await readJson(first, 201, "/keys"), "/keys");
    await people.connection.query(
      `update funding.account_writes set used = $2 where kind = 'key_creations' and account_id = funding.account_id($1)`,
      [person.email, limit],
    );
    const response = await create();
    expect(allowance(response)).toEqual([limit, 0, reset]);
    expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(86_400);
    expect(await refused(response, 429)).toMatchObject({
      type: "urn:funding-opportunities:problem:write-limit-exceeded",
      detail: expect.stringContaining(`limit of ${limit} key creations a day`),
    });
    await askAs(person, `/keys/${id}/revoke`, { method: "POST" });
    expect((await keysOf(person)).map(({ status }) => status)).toEqual(["revoked"]);
  });

  test("that are asked for many times at once with one Idempotency-Key are one, and all of them are told it", async () => {
    const person = await people.newPerson();
    await read(person, "", accountSchema);
    const headers = { "idempotency-key": crypto.randomUUID() };
    const create = () => askAs(person, "/keys", { method: "POST", body: { name: "once" }, headers });
    const answers = await Promise.all(Array.from({ length: 8 }, create));
    const texts = await Promise.all(
      answers.map(async (answer) => parse(issuedKey, await readJson(answer, 201, "/keys"), "/keys")),
    );
    expect(new Set(texts.map(({ key }) => key)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(7);
    expect(await keysOf(person)).toHaveLength(1);
  });

  test("of the free tier can be made, and are answered 403", async () => {
    const person = await people.newPerson();
    expect(await statusWith((await newKey(person)).key)).toBe(403);
  });
});

describe("another account's", () => {
  test("key answers, byte for byte, as one that does not exist, and stays as it is", async () => {
    await putOnTier(ada, "developer");
    const { id, key } = await newKey(ada);
    const unknown = crypto.randomUUID();
    const asks = [
      (id: string) => askAs(ben, `/keys/${id}/rotate`, { method: "POST", body: { overlap_hours: 0 }, headers: fixed }),
      (id: string) => askAs(ben, `/keys/${id}/revoke`, { method: "POST", headers: fixed }),
      (id: string) => askAs(ben, `/usage?key_id=${id}`, { headers: fixed }),
    ];
    const fixed = { "x-request-id": "the-same-request" };
    for (const send of asks) {
      const [theirs, nobodys] = [await send(id), await send(unknown)];
      expect(theirs.status).toBe(404);
      const headersOf = ({ headers }: Response) =>
        [...headers].filter(([name]) => !["date", "server-timing"].includes(name));
      expect(headersOf(theirs)).toEqual(headersOf(nobodys));
      expect((await theirs.text()).replaceAll(id, "ID")).toBe((await nobodys.text()).replaceAll(unknown, "ID"));
    }
    expect(await statusWith(key)).toBe(200);
    expect((await keysOf(ada)).find((one) => one.id === id)).toMatchObject({ status: "active", replaced_by: null });
  });

  test("keys are not listed", async () => {
    const { id } = await newKey(ada);
    expect((await keysOf(ben)).map((key) => key.id)).not.toContain(id);
    expect((await keysOf(ada)).map((key) => key.id)).toContain(id);
  });

  test("usage is not counted", async () => {
    await putOnTier(ada, "developer");
    const { key } = await newKey(ada);
    await statusWith(key);
    await expect.poll(async () => (await read(ada, "/usage", accountUsage)).totals.requests).toBeGreaterThan(0);
    expect((await read(ben, "/usage", accountUsage)).totals.requests).toBe(0);
  });
});

describe("usage", () => {
  const today = () => new Date().toISOString().slice(0, 10);

  test("counts requests by day, key, endpoint and status, with errors and response times", async () => {
    const person = await people.newPerson();
    await putOnTier(person, "developer");
    const [busy, idle] = [await newKey(person, { name: "busy" }), await newKey(person, { name: "idle" })];
    const paths = [
      "/funders-api?limit=1",
      "/funders-api?limit=1",
      "/grants-api?limit=0",
      `/funders-api/${crypto.randomUUID()}`,
    ];
    for (const path of paths) await target.send(path, {}, { key: busy.key });
    await expect.poll(async () => (await read(person, "/usage", accountUsage)).totals.requests).toBe(paths.length);

    const usage = await read(person, "/usage", accountUsage);
    expect(usage.to).toBe(today());
    expect(usage.days).toHaveLength(30);
    const counted = { requests: 4, client_errors: 2, server_errors: 0 };
    expect(usage.totals).toMatchObject(counted);
    expect(usage.days.at(-1)).toMatchObject({ day: usage.to, ...counted });
    expect(usage.days.slice(0, -1).every(({ requests, latency_ms }) => requests === 0 && latency_ms.p50 === null)).toBe(
      true,
    );
    expect(usage.keys).toMatchObject([
      { id: busy.id, name: "busy", ...counted },
      { id: idle.id, name: "idle", requests: 0, latency_ms: { p50: null, p95: null, p99: null } },
    ]);
    expect(usage.endpoints).toMatchObject([
      { endpoint: "funders-api", requests: 2, client_errors: 0 },
      { endpoint: "funders-api/{id}", requests: 1, client_errors: 1 },
      { endpoint: "grants-api", requests: 1, client_errors: 1 },
    ]);
    expect(usage.statuses).toEqual([
      { status: 200, requests: 2 },
      { status: 400, requests: 1 },
      { status: 404, requests: 1 },
    ]);
    const { p50, p95, p99 } = usage.totals.latency_ms;
    expect(p50).toBeGreaterThan(0);
    expect(p95).toBeGreaterThanOrEqual(p50 ?? Number.NaN);
    expect(p99).toBeGreaterThanOrEqual(p95 ?? Number.NaN);

    expect((await read(person, `/usage?key_id=${idle.id}`, accountUsage)).totals.requests).toBe(0);
    expect((await read(person, `/usage?key_id=${busy.id}&from=${today()}`, accountUsage)).days).toHaveLength(1);
    const used = (await keysOf(person)).find(({ id }) => id === busy.id);
    expect(Math.abs(Date.parse(used?.last_used_at ?? "") - Date.now())).toBeLessThan(120_000);
  });

  const wrong = [
    ["from=2026-01-02&to=2026-01-01", "from"],
    ["from=2026-01-01&to=2026-04-01", "from"],
    ["from=yesterday", "from"],
    ["to=2026-02-30", "to"],
    ["key_id=1", "key_id"],
    ["form=2026-01-01", "form"],
  ];
  test.each(wrong)("asked for with %s is 400 and names %s", async (query, parameter) => {
    const problem = await refused(await askAs(ada, `/usage?${query}`), 400);
    expect(problem.errors?.map((error) => error.parameter)).toContain(parameter);
  });

  test("goes over at most 90 days", async () => {
    expect((await read(ada, "/usage?from=2026-01-01&to=2026-03-31", accountUsage)).days).toHaveLength(90);
  });
});

describe("the account API over HTTP", () => {
  test.each(routes)("$method $path has the headers that every endpoint has", async ({ path, method, body }) => {
    for (const token of [undefined, await ada.token()]) {
      const { headers } = await ask(path, token, { method, body, headers: { "x-request-id": "account.1" } });
      expect(headers.get("x-request-id")).toBe("account.1");
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toMatch(/private/);
      const isWrite = headers.has("x-ratelimit-reset");
      expect(isWrite).toBe(token !== undefined && method === "POST" && /^\/(keys|explorer-key)$/.test(path));
      if (!isWrite) expect(headers.get("x-ratelimit-limit")).toBe(token === undefined ? "0" : "-1");
    }
  });

  test.each(routes)("a preflight for $method $path needs no sign-in", async ({ path, method }) => {
    const response = await ask(path, undefined, { method: "OPTIONS" });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-methods")).toContain(method);
    expect(response.headers.get("access-control-allow-headers")).toMatch(/authorization/i);
  });

  test("another method is 405, and another path 404", async () => {
    expect((await askAs(ada, "/keys", { method: "DELETE" })).headers.get("allow")).toContain("POST");
    await refused(await askAs(ada, "/keys", { method: "PUT", body: {} }), 405);
    await refused(await askAs(ada, "/nothing"), 404);
    await refused(await askAs(ada, `/keys/${crypto.randomUUID()}`), 404);
  });

  test("a malformed id is 400", async () => {
    await refused(await askAs(ada, "/keys/1/revoke", { method: "POST" }), 400);
  });

  test("a body that is not JSON is 415 or 400", async () => {
    await refused(await askAs(ada, "/keys", { method: "POST" }), 415);
    await refused(await ask("/keys", await ada.token(), { method: "POST", body: [], headers: {} }), 400);
  });
});
