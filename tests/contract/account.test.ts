import { beforeAll, describe, expect, test } from "vitest";
import { generateSigningKey, type SigningKey } from "../../local/auth/signing-key.ts";
import { account as accountSchema } from "../../shared/responses/account/account.ts";
import { accountUsage } from "../../shared/responses/account/usage.ts";
import type { People, Person } from "../support/people.ts";
import { accountClient, peopleOf, refused } from "./account-client.ts";
import { needs } from "./needs.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const canRun = needs("signIn");
const { ask, askAs, read, newKey, keysOf, statusWith, putOnTier } = accountClient(target);
let people: People;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  if (!canRun) return;
  people = peopleOf(target);
  [ada, ben] = [await people.newPerson(), await people.newPerson()];
});

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
    await refused(await askAs(ada, `/keys/${crypto.randomUUID()}`), 405);
    await refused(await askAs(ada, `/keys/${crypto.randomUUID()}/nothing`), 404);
  });

  test("a malformed id is 400", async () => {
    await refused(await askAs(ada, "/keys/1/revoke", { method: "POST" }), 400);
  });

  test("a body that is not JSON is 415 or 400", async () => {
    await refused(await askAs(ada, "/keys", { method: "POST" }), 415);
    await refused(await ask("/keys", await ada.token(), { method: "POST", body: [], headers: {} }), 400);
  });
});
