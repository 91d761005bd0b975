import { beforeAll, describe, expect, test } from "vitest";
import { account as accountSchema } from "../../shared/responses/account/account.ts";
import { accountKey, explorerKey, issuedKey } from "../../shared/responses/account/keys.ts";
import { accountUsage } from "../../shared/responses/account/usage.ts";
import type { People, Person } from "../support/people.ts";
import { accountClient, peopleOf, refused } from "./account-client.ts";
import { parse, readJson } from "./client.ts";
import { needs } from "./needs.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const canRun = needs("signIn");
const { askAs, read, newKey, rotate, keysOf, statusWith, putOnTier } = accountClient(target);
let people: People;

beforeAll(async () => {
  if (!canRun) return;
  people = peopleOf(target);
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
    const refused = await askAs(holder, "/keys", { method: "POST", body: { name: "" } });
    expect(refused.status).toBe(400);
    expect(refused.headers.get("cache-control")).toContain("no-store");
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
