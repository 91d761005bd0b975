import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listenForPostgresClients, type PostgresSocket } from "../../local/embedded/postgres-socket.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

let service: TestService;
let socket: PostgresSocket;

beforeAll(async () => {
  service = await openTestService();
  socket = await listenForPostgresClients(service.lock, 0, { password: "postgres" });
});
afterAll(async () => {
  socket.close();
  await service.close();
});

interface Ended {
  status: number;
  output: string;
}

/** Runs a command as an operator does. */
async function run(name: "account" | "tier" | "key", ...words: string[]): Promise<Ended> {
  const url = `postgresql://postgres:postgres@127.0.0.1:${socket.port}/postgres`;
  const args = ["local/deno.mjs", `cli/${name}.ts`, ...words, "--database-url", url];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    return { status: 0, output: stdout.trim() };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { status: code, output: stderr.trim() };
  }
}

const statusWith = async (key: string) =>
  (await service.fetch("/funders-api?limit=1", { headers: bearer(key) })).status;

describe("npm run tier", () => {
  test("adds, changes, lists and removes a tier", async () => {
    expect((await run("tier", "add", "small", "--quota", "3", "--price", "price_Small1")).output).toMatch(
      /small\s+true\s+3\s+false\s+true\s+0\s+price_Small1/,
    );
    const { key } = await service.newKey("small");
    const answer = await service.fetch("/funders-api?limit=1", { headers: bearer(key) });
    expect(answer.headers.get("x-ratelimit-limit")).toBe("3");

    expect((await run("tier", "change", "small", "--price", "price_Small2", "--listed", "no")).output).toMatch(
      /small\s+true\s+3\s+false\s+false\s+1\s+price_Small2, price_Small1/,
    );
    expect((await run("tier", "change", "small", "--price", "price_Small1")).output, "sold again").toMatch(
      /price_Small1, price_Small2/,
    );
    const without = ["--no-price", "price_Small1", "--no-price", "price_Small2"];
    expect((await run("tier", "change", "small", "--access", "no", ...without)).output).toMatch(
      /small\s+false\s+3\s+false\s+false\s+1\s+-/,
    );
    expect(await statusWith(key)).toBe(403);
    expect((await run("tier", "list")).output).toMatch(/^free\s+false\s+0/m);

    expect(await run("tier", "remove", "small")).toEqual({
      status: 1,
      output: "1 accounts are on the tier small; put them on another first",
    });
    await service.connection.query("delete from funding.subscriptions where tier = 'small'");
    expect((await run("tier", "remove", "small")).output).toBe("removed the tier small");
    expect((await run("tier", "list")).output).not.toContain("small");
  });

  test.each([
    [["add", "developer"], 1, "there is a tier developer already"],
    [["remove", "free"], 1, "cannot be removed"],
    [["change", "developer"], 2, "Say what to change"],
    [["add", "x", "--quota", "many"], 2, "--quota must be"],
    [["add", "x", "--price", "prod_1"], 2, "is not the id of a Stripe price"],
  ])("%j is refused in a sentence", async (words, status, message) => {
    const ended = await run("tier", ...words);
    expect(ended.output).toContain(message);
    expect(ended.status).toBe(status);
  });

  test("a tier that is refused half-way is not there", async () => {
    await service.connection.query("select funding.set_price('price_taken', 'developer')");
    expect((await run("tier", "add", "half", "--no-price", "price_nobody_has")).status).toBe(1);
    expect((await run("tier", "list")).output).not.toContain("half");
  });
});

describe("npm run account", () => {
  test("opens an account, changes its subscription and shows it", async () => {
    expect((await run("account", "create", "Eve@accounts.example", "--tier", "free")).status).toBe(0);
    const created = await run("key", "create", "eve@accounts.example");
    const key = /^api_key=(.+)$/m.exec(created.output)?.[1] ?? "";
    expect(await statusWith(key)).toBe(403);

    await run("account", "change", "eve@accounts.example", "--tier", "developer", "--period-end", "2099-01-31");
    expect(await statusWith(key)).toBe(200);
    const shown = (await run("account", "show", "eve@accounts.example")).output;
    expect(shown).toMatch(/^tier\s+developer$/m);
    expect(shown).toMatch(/^period_end\s+2099-01-31 00:00:00$/m);
    expect(shown).toMatch(/^access\s+true$/m);

    await run("account", "change", "eve@accounts.example", "--period-end", "2020-01-31");
    expect(await statusWith(key)).toBe(403);
    await run("account", "change", "eve@accounts.example", "--period-end", "none");
    expect(await statusWith(key)).toBe(200);
    await run("account", "change", "eve@accounts.example", "--status", "canceled");
    expect(await statusWith(key)).toBe(403);
    expect((await run("account", "list")).output).toMatch(/^eve@accounts\.example\s+developer\s+canceled\s+-\s+false/m);
    await run("account", "change", "eve@accounts.example", "--tier", "developer");
    expect(await statusWith(key)).toBe(200);
  });

  test("prints an account's audit log, newest first", async () => {
    const email = "log@accounts.example";
    await run("account", "create", email, "--tier", "free");
    await run("account", "change", email, "--tier", "developer", "--status", "trialing");
    const created = await run("key", "create", email, "--name", "nightly");
    await run("key", "revoke", /^key_id=(.+)$/m.exec(created.output)?.[1] ?? "");
    const [, ...rows] = (await run("account", "log", email)).output.split("\n");
    expect(rows.map((row) => row.split(/\s{2,}/).slice(1, 4))).toEqual([
      ["operator", "key.revoked", "nightly"],
      ["operator", "key.created", "nightly"],
      ["operator", "subscription.updated", "developer"],
      ["operator", "subscription.created", "free"],
      ["operator", "account.created", email],
    ]);
    expect(rows[2]).toContain("status: active > trialing; tier: free > developer");
    expect((await run("account", "log", email, "--limit", "1")).output.split("\n")).toHaveLength(2);
    expect((await run("account", "log", "nobody@accounts.example")).output).toBe(
      "there is no account nobody@accounts.example",
    );
    expect((await run("account", "log", email, "--limit", "0")).status).toBe(2);
    expect((await run("account", "show", email, "--limit", "1")).output).toContain("show does not take --limit");
  });

  test("says who signs in", async () => {
    const { email } = await service.newKey();
    const person = await service.people.newPerson();
    expect((await run("account", "attach", email, person.userId)).status).toBe(0);
    const response = await service.fetch("/account-api", { headers: bearer(await person.token()) });
    expect(await response.json()).toMatchObject({ email: person.email, tier: { name: "developer" } });

    const another = await service.newKey();
    expect((await run("account", "attach", another.email, person.userId)).output).toContain(
      "signs in to another account",
    );
    expect((await run("account", "detach", person.email)).status).toBe(0);
    expect((await run("account", "show", person.email)).output).toMatch(/^auth_user_id\s+-$/m);
  });

  test("lists, invites and removes members", async () => {
    const [ada, ben] = [await service.people.newPerson(), await service.people.newPerson()];
    await service.fetch("/account-api", { headers: bearer(await ada.token()) });
    expect((await run("account", "invite", ada.email, ben.email, "--role", "owner")).output).toContain(
      `invited ${ben.email} as owner`,
    );
    const rows = (await run("account", "members", ada.email)).output.split("\n");
    expect(rows[0]).toMatch(/^email\s+role\s+joined_at\s+invited_until$/);
    expect(rows[1]).toMatch(new RegExp(`^${ada.email}\\s+owner\\s+2.*\\s-$`));
    expect(rows[2]).toMatch(new RegExp(`^${ben.email}\\s+owner\\s+-\\s+2`));
    expect((await run("account", "invite", ada.email, ben.email)).output).toContain("is invited already");
    expect((await run("account", "invite", ada.email, "x@accounts.example", "--role", "admin")).output).toBe(
      "must be owner or member",
    );
    expect((await run("account", "remove", ada.email, ada.email)).output).toContain("this is the last owner");

    // The docs had this order, and "remove" failed until the invitation was accepted; nor could an operator withdraw it.
    expect(await run("account", "remove", ada.email, ben.email)).toEqual({
      status: 0,
      output: `${ben.email} is not in ${ada.email} any more, nor invited`,
    });
    expect((await run("account", "members", ada.email)).output).not.toContain(ben.email);
    expect((await run("account", "remove", ada.email, ben.email)).output).toContain(
      "is neither a member of the account nor invited",
    );
    expect((await run("account", "invite", ada.email, ben.email, "--role", "owner")).status).toBe(0);

    const [invitation] = await service.connection.query<{ id: string }>(
      "select id from funding.invitations where email = $1",
      [ben.email],
    );
    await service.connection.query("select public.accept_invitation($1, $2, $3)", [
      ben.userId,
      ben.sessionId,
      invitation?.id,
    ]);
    expect((await run("account", "remove", ada.email, ada.email)).status).toBe(0);
    const [left] = await service.connection.query<{ id: string }>(
      "select account_id as id from funding.members where email = $1 and account_id in (select id from funding.accounts where email is null)",
      [ben.email],
    );
    const { output } = await run("account", "show", left?.id ?? "");
    expect(output).toMatch(new RegExp(`^email\\s+${left?.id}$`, "m"));
    const log = (await run("account", "log", left?.id ?? "")).output;
    expect(log).toMatch(new RegExp(`operator\\s+member.removed\\s+${ada.email}`));
    expect(log).toMatch(new RegExp(`operator\\s+invitation.created\\s+${ben.email}`));
  });

  test("says which Stripe customer pays", async () => {
    const { email, key } = await service.newKey("free");
    await service.connection.query("select funding.set_price('price_by_hand', 'developer')");
    await service.connection.query("select public.record_billing_event($1::jsonb)", [
      JSON.stringify({
        id: "evt_by_hand",
        created: Date.now() / 1000,
        customer_id: "cus_byhand",
        account_id: null,
        subscription: {
          id: "sub_1",
          status: "active",
          price_ids: ["price_by_hand"],
          current_period_end: Date.now() / 1000 + 999,
        },
        failed_subscription_id: null,
      }),
    ]);
    expect(await statusWith(key)).toBe(403);
    const shown = (await run("account", "customer", email, "cus_byhand")).output;
    expect(shown).toMatch(/^stripe_customers\s+cus_byhand$/m);
    expect(shown).toMatch(/^stripe_subscription\s+sub_1$/m);
    expect(await statusWith(key)).toBe(200);
  });

  test.each([
    [["show", "nobody@accounts.example"], 1, "there is no account nobody@accounts.example"],
    [["change", "eve@accounts.example", "--status", "gone"], 2, "--status must be one of"],
    [["list", "--tier", "free"], 2, "list does not take --tier"],
    [["customer", "eve@accounts.example", "sub_1"], 1, "is not the id of a Stripe customer"],
    [["link"], 2, "elsewhere Supabase Auth mails"],
  ])("%j is refused in a sentence", async (words, status, message) => {
    const ended = await run("account", ...words);
    expect(ended.output).toContain(message);
    expect(ended.status).toBe(status);
  });
});

describe("npm run key -- limit", () => {
  test("changes the limits that are named, and the list shows them", async () => {
    const { email } = await service.newKey();
    const created = await run(
      "key",
      "create",
      email,
      "--name",
      "limited",
      "--datasets",
      "grants",
      "--daily-quota",
      "2",
    );
    const [, id = "", key = ""] = /^key_id=(.+)\napi_key=(.+)$/.exec(created.output) ?? [];
    expect(await statusWith(key)).toBe(403);
    expect((await run("key", "limit", id, "--datasets", "grants,funders")).output).toBe(`limited ${id}`);
    expect([await statusWith(key), await statusWith(key), await statusWith(key)]).toEqual([200, 200, 429]);
    expect((await run("key", "list", email)).output).toMatch(/^\S+\s+limited\s+\S+\s+grants,funders\s+2\s/m);
    await run("key", "limit", id, "--datasets", "all", "--daily-quota", "none");
    expect(await statusWith(key)).toBe(200);
    await run("key", "limit", id, "--addresses", "203.0.113.0/24,2001:db8::1");
    expect(await statusWith(key)).toBe(403);
    expect((await run("key", "list", email)).output).toMatch(/ 203\.0\.113\.0\/24,2001:db8::1\/128 /);
    await run("key", "limit", id, "--addresses", "any");
    expect(await statusWith(key)).toBe(200);
    expect((await run("key", "list", email)).output).toMatch(/^\S+\s+limited\s+\S+\s+-\s+-\s+-\s/m);
  });

  test.each([
    [["--datasets", "grants,loans"], "--datasets must be among grants, contracts, funders"],
    [["--daily-quota", "0"], "--daily-quota must be a whole number of requests from 1 to 1000000000, or none."],
    [
      ["--addresses", "10.0.0.0/8,10.0.0.1/8"],
      '--addresses must be 1 to 20 address ranges, separated by commas, or any: "10.0.0.1/8" must be 10.0.0.0/8',
    ],
    [[], "limit needs --datasets, --daily-quota or --addresses."],
  ])("%j is refused in a sentence", async (words, message) => {
    const ended = await run("key", "limit", crypto.randomUUID(), ...words);
    expect(ended.output).toContain(message);
    expect(ended.status).toBe(2);
  });
});

describe("npm run key -- rotate", () => {
  const hour = 3_600_000;
  const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString();

  test.each([
    { what: "after the overlap of a day", created: [], rotated: [], hours: 24 },
    { what: "after the overlap that was asked for", created: [], rotated: ["--overlap-hours", "2"], hours: 2 },
    { what: "at once", created: [], rotated: ["--overlap-hours", "0"], hours: 0 },
    { what: "when it ends anyway", created: ["--expires", inHours(3)], rotated: [], hours: 3 },
  ])("prints the new key and when the old one ends: $what", async ({ created, rotated, hours }) => {
    const { email } = await service.newKey();
    const valueIn = (name: string, output: string) => new RegExp(`^${name}=(.+)$`, "m").exec(output)?.[1] ?? "";
    const first = await run("key", "create", email, ...created);
    const id = valueIn("key_id", first.output);
    const before = Date.now();
    const second = await run("key", "rotate", id, ...rotated);
    expect(second.status, second.output).toBe(0);
    expect(await statusWith(valueIn("api_key", second.output))).toBe(200);
    expect(await statusWith(valueIn("api_key", first.output))).toBe(hours === 0 ? 401 : 200);

    const [old] = await service.connection.query<{ expires_at: Date }>(
      "select expires_at from funding.api_keys where id = $1",
      [id],
    );
    const ends = valueIn("old_key_ends", second.output);
    expect(ends).toBe(old?.expires_at.toISOString());
    // The expiry was reckoned when this file was loaded, which may be minutes ago.
    const latest = Date.now() + hours * hour;
    expect(Date.parse(ends)).toBeGreaterThan(before + hours * hour - 10 * 60_000);
    expect(Date.parse(ends)).toBeLessThanOrEqual(latest);
  });
});
