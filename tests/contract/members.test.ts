import { beforeAll, describe, expect, test } from "vitest";
import { accountRoutes } from "../../functions/account-api/index.ts";
import { account } from "../../shared/responses/account/account.ts";
import { auditLog } from "../../shared/responses/account/audit-log.ts";
import { accountKey, explorerKey } from "../../shared/responses/account/keys.ts";
import {
  declinedInvitations,
  endedInvitation,
  invitation,
  invitationList,
  type MemberRole,
  member,
  memberList,
  membership,
  memberships,
  removedMember,
} from "../../shared/responses/account/members.ts";
import { savedSearch } from "../../shared/responses/account/saved-searches.ts";
import type { Person } from "../support/people.ts";
import { type Ask, accountClient, peopleOf, refused } from "./account-client.ts";
import { readJson } from "./client.ts";
import { needs } from "./needs.ts";
import { missingFor } from "./optional-variables.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const canRun = needs("signIn");
const { askAs, read, newKey, keysOf, putOnTier, statusWith } = accountClient(target);

const newPerson = () => peopleOf(target).newPerson();
const sql = (text: string, values: unknown[] = []) => peopleOf(target).connection.query(text, values);

/** A request about an account that is not, or not only, the caller's own. */
const inAccount = (accountId: string, given: Ask = {}): Ask => ({
  ...given,
  headers: { "x-account-id": accountId, ...given.headers },
});

const idOf = async (person: Person) => (await read(person, "", account)).id;
const invite = (owner: Person, email: string, role: MemberRole, accountId: string) =>
  read(owner, "/invitations", invitation, inAccount(accountId, { method: "POST", body: { email, role } }), 201);
const accept = (person: Person, id: string) =>
  read(person, `/invitations/${id}/accept`, membership, { method: "POST" });
const membersOf = async (person: Person, accountId: string) =>
  (await read(person, "/members", memberList, inAccount(accountId))).members;
const myIdIn = async (person: Person, accountId: string) =>
  (await membersOf(person, accountId)).find(({ is_you }) => is_you)?.id ?? "";
const leave = async (person: Person, accountId: string) =>
  askAs(person, `/members/${await myIdIn(person, accountId)}`, inAccount(accountId, { method: "DELETE" }));
const actionsOf = async (person: Person, accountId: string) =>
  (await read(person, "/audit-log?limit=100", auditLog, inAccount(accountId))).entries.map(
    ({ action, actor, subject }) => `${action} of ${subject.name} by ${actor.email ?? actor.kind}`,
  );

/** Somebody new in an account, with a role. */
async function join(owner: Person, accountId: string, role: MemberRole): Promise<Person> {
  const person = await newPerson();
  await accept(person, (await invite(owner, person.email, role, accountId)).id);
  return person;
}

/** Bodies of the routes that need one. */
const bodies: Record<string, object> = {
  "PATCH ": { keeps_search_text: true },
  "POST /keys": { name: "made in the table" },
  "PATCH /keys/{id}": { daily_quota: 5 },
  "POST /keys/{id}/rotate": {},
  "PATCH /members/{id}": { role: "member" },
  "POST /invitations": { email: "table@people.example" },
  "POST /billing/checkout": { tier: "no-such-tier" },
  "POST /webhooks": { url: "https://hooks.example.org/", events: ["grant.created"] },
  "POST /webhooks/preview": { events: ["grant.created"] },
  "PATCH /webhooks/{id}": { description: "another" },
  "POST /webhooks/{id}/rotate": {},
  "POST /webhooks/{id}/test": { event: "grant.created" },
  "POST /webhooks/{id}/recover": { since: "2026-11-01T00:00:00Z" },
  "POST /saved-searches": { name: "Water", dataset: "grants", query: "search=water" },
  "PATCH /saved-searches/{id}": { name: "another" },
  "POST /saved-searches/{id}/seen": {},
};

/** Routes that take an owner. Removing is also leaving, so it is an owner's for every id but the caller's own. */
const ofOwners = new Set([
  "PATCH ",
  "PATCH /members/{id}",
  "DELETE /members/{id}",
  "POST /invitations",
  "DELETE /invitations/{id}",
  "POST /billing/checkout",
  "POST /billing/portal",
  "POST /billing/offers/{id}/accept",
  "POST /billing/offers/{id}/refuse",
]);

describe("each route of the account API, by role", () => {
  let owner: Person;
  let plain: Person;
  let stranger: Person;
  let removed: Person;
  let accountId: string;
  beforeAll(async () => {
    if (!canRun) return;
    [owner, stranger] = [await newPerson(), await newPerson()];
    await putOnTier(owner, "developer");
    accountId = await idOf(owner);
    plain = await join(owner, accountId, "member");
    removed = await join(owner, accountId, "member");
    const id = await myIdIn(removed, accountId);
    await read(owner, `/members/${id}`, removedMember, { method: "DELETE" });
  });

  const table = accountRoutes.map(({ method, path }) => ({ route: `${method} ${path}`, method, path }));

  test.for(table)("$route", async ({ route, method, path }, { skip }) => {
    const missing = path.startsWith("/billing/") ? missingFor("checkout", process.env) : [];
    skip(missing.length > 0, `set ${missing.join(", ")}`);
    const address = path.replaceAll(/\{\w+\}/g, () => crypto.randomUUID());
    const given = { method, ...(bodies[route] && { body: bodies[route] }) };
    const answerTo = async (person: Person, id = accountId) => {
      const response = await askAs(person, address, inAccount(id, given));
      const body = (await response.json()) as { type?: string; detail?: string };
      return { status: response.status, type: body.type?.replace(/^.*:/, ""), detail: body.detail };
    };

    const member = await answerTo(plain);
    const ofOwner = await answerTo(owner);
    // There is no tier of that name to buy.
    const allowed = route === "POST /billing/checkout" ? [400] : [200, 201, 404];
    expect(allowed, JSON.stringify(ofOwner)).toContain(ofOwner.status);
    if (ofOwners.has(route)) {
      expect(member).toEqual({
        status: 403,
        type: "role-required",
        detail: "This needs the role owner, and yours in this account is member. Ask one of its owners.",
      });
    } else expect(member.status).toBe(ofOwner.status);

    const unknown = {
      status: 404,
      type: "not-found",
      detail: "You are in no account with the id that the header X-Account-Id has.",
    };
    expect(await answerTo(stranger)).toEqual(unknown);
    expect(await answerTo(removed)).toEqual(unknown);
    expect(await answerTo(stranger, crypto.randomUUID()), "one that does not exist").toEqual(unknown);
  });
});

describe("members", () => {
  let ada: Person;
  let ben: Person;
  let accountId: string;
  beforeAll(async () => {
    if (!canRun) return;
    ada = await newPerson();
    await putOnTier(ada, "developer");
    accountId = await idOf(ada);
    ben = await join(ada, accountId, "member");
  });

  test("are the person whose account it is, as an owner, and those who accepted", async () => {
    expect((await membersOf(ada, accountId)).map(({ email, role, is_you }) => [email, role, is_you])).toEqual([
      [ada.email, "owner", true],
      [ben.email, "member", false],
    ]);
    const { memberships: bens } = await read(ben, "/memberships", memberships);
    expect(bens).toEqual([
      { account_id: await idOf(ben), email: ben.email, role: "owner", is_own: true },
      { account_id: accountId, email: ada.email, role: "member", is_own: false },
    ]);
    const seen = await read(ben, "", account, inAccount(accountId));
    expect([seen.id, seen.email, seen.role]).toEqual([accountId, ada.email, "member"]);
  });

  test("use the account that a request names, and else their own", async () => {
    const key = await newKey(ada, { name: "ada's" });
    const listed = await read(ben, `/keys/${key.id}`, accountKey, {
      ...inAccount(accountId, { method: "PATCH", body: { daily_quota: 9 } }),
    });
    expect(listed.daily_quota).toBe(9);
    await refused(await askAs(ben, `/keys/${key.id}`, { method: "PATCH", body: { daily_quota: 9 } }), 404);
    expect(await keysOf(ben)).toEqual([]);
    expect((await read(ada, "", account, inAccount(accountId.toUpperCase()))).id).toBe(accountId);
    const problem = await refused(await askAs(ben, "", inAccount("mine")), 400);
    expect(problem.errors?.[0]).toEqual({ parameter: "X-Account-Id", message: "must be a UUID" });
  });

  test("have keys of the explorer of their own: a sixth ends the first of whose it is, and nobody else's", async () => {
    const issue = (person: Person) =>
      read(person, "/explorer-key", explorerKey, inAccount(accountId, { method: "POST" }), 201);
    const statusesOf = (keys: readonly { key: string | null }[]) =>
      Promise.all(keys.map(({ key }) => statusWith(key ?? "")));
    const [adas, bens] = [[await issue(ada)], [await issue(ben)]];
    for (let count = 1; count < 5; count++) {
      adas.push(await issue(ada));
      bens.push(await issue(ben));
    }
    expect(await statusesOf([...adas, ...bens])).toEqual(Array(10).fill(200));
    adas.push(await issue(ada));
    expect(await statusesOf(adas)).toEqual([401, 200, 200, 200, 200, 200]);
    expect(await statusesOf(bens)).toEqual(Array(5).fill(200));
    expect(new Set([...adas, ...bens].map(({ id }) => id)).size).toBe(10);
  });

  test("leave keys and saved searches behind, and have no access from that moment on", async () => {
    const dora = await join(ada, accountId, "member");
    const given = inAccount(accountId, { method: "POST", body: { name: "dora's" } });
    const { id } = (await readJson(await askAs(dora, "/keys", given), 201, "/keys")) as { id: string };
    const body = { name: "Dora's", dataset: "grants", query: "states=OH" };
    await read(dora, "/saved-searches", savedSearch, inAccount(accountId, { method: "POST", body }), 201);
    const explorer = await read(dora, "/explorer-key", explorerKey, inAccount(accountId, { method: "POST" }), 201);
    expect(await statusWith(explorer.key ?? "")).toBe(200);
    expect((await leave(dora, accountId)).status).toBe(200);
    expect(await statusWith(explorer.key ?? "")).toBe(401);
    await refused(await askAs(dora, "/keys", inAccount(accountId)), 404);
    expect((await keysOf(ada)).find((key) => key.id === id)?.status).toBe("active");
    const log = await actionsOf(ada, accountId);
    expect(log).toContain(`key.created of dora's by ${dora.email}`);
    expect(log[0]).toBe(`member.left of ${dora.email} by ${dora.email}`);
    expect(await idOf(dora)).not.toBe(accountId);
  });

  test("are given another role and removed by owners, which the audit log tells", async () => {
    const eve = await join(ada, accountId, "member");
    const id = await myIdIn(eve, accountId);
    const patch = (role: MemberRole) => ({ method: "PATCH", body: { role } });
    expect(await read(ada, `/members/${id}`, member, patch("owner"))).toMatchObject({ id, role: "owner" });
    expect((await read(eve, "", account, inAccount(accountId))).role).toBe("owner");
    await read(eve, `/members/${await myIdIn(ada, accountId)}`, member, inAccount(accountId, patch("member")));
    await refused(await askAs(ada, `/members/${id}`, patch("member")), 403);
    await read(eve, `/members/${await myIdIn(ada, accountId)}`, member, inAccount(accountId, patch("owner")));
    await read(ada, `/members/${id}`, removedMember, { method: "DELETE" });
    await refused(await askAs(ada, `/members/${id}`, { method: "DELETE" }), 404);
    const log = await actionsOf(ada, accountId);
    expect(log.slice(0, 6)).toEqual([
      `member.removed of ${eve.email} by ${ada.email}`,
      `member.role_changed of ${ada.email} by ${eve.email}`,
      `member.role_changed of ${ada.email} by ${eve.email}`,
      `member.role_changed of ${eve.email} by ${ada.email}`,
      `invitation.accepted of ${eve.email} by ${eve.email}`,
      `invitation.created of ${eve.email} by ${ada.email}`,
    ]);
  });

  test("of another account are unknown", async () => {
    const id = await myIdIn(ben, accountId);
    const carl = await newPerson();
    await refused(await askAs(carl, `/members/${id}`, { method: "PATCH", body: { role: "owner" } }), 404);
    await refused(await askAs(carl, `/members/${id}`, { method: "DELETE" }), 404);
    expect(await membersOf(ben, accountId)).toHaveLength(2);
  });

  test.each([{ role: "admin" }, { role: null }, {}])("have no other role: %j", async (body) => {
    const problem = await refused(await askAs(ada, `/members/${crypto.randomUUID()}`, { method: "PATCH", body }), 400);
    expect(problem.errors?.[0]?.parameter).toBe("role");
  });
});

describe("the last owner", () => {
  test("neither leaves, nor is removed or demoted", async () => {
    const ada = await newPerson();
    const accountId = await idOf(ada);
    await join(ada, accountId, "member");
    const path = `/members/${await myIdIn(ada, accountId)}`;
    for (const given of [{ method: "DELETE" }, { method: "PATCH", body: { role: "member" } }]) {
      const problem = await refused(await askAs(ada, path, given), 409);
      expect(problem.detail).toBe("This is the last owner of the account; make somebody else an owner first.");
    }
    expect((await read(ada, "", account)).role).toBe("owner");
  });

  test.each(["demote", "remove", "leave"])("stays where two owners %s at the same time", async (what) => {
    for (let time = 0; time < 5; time++) {
      const ada = await newPerson();
      const accountId = await idOf(ada);
      const ben = await join(ada, accountId, "owner");
      const [adas, bens] = [await myIdIn(ada, accountId), await myIdIn(ben, accountId)];
      const given = inAccount(
        accountId,
        what === "demote" ? { method: "PATCH", body: { role: "member" } } : { method: "DELETE" },
      );
      const both = await Promise.all([
        askAs(ada, `/members/${what === "leave" ? adas : bens}`, given),
        askAs(ben, `/members/${what === "leave" ? bens : adas}`, given),
      ]);
      const statuses = both.map(({ status }) => status).sort();
      expect(statuses[0]).toBe(200);
      expect([403, 404, 409]).toContain(statuses[1]);
      const [owners] = await sql(
        "select count(*)::integer as owners from funding.members where account_id = $1 and role = 'owner'",
        [accountId],
      );
      expect(owners).toEqual({ owners: 1 });
    }
  });

  test("may be another than the person who began it, whose next request opens a new account", async () => {
    const ada = await newPerson();
    await putOnTier(ada, "developer");
    const accountId = await idOf(ada);
    const key = await newKey(ada);
    const ben = await join(ada, accountId, "owner");
    expect((await leave(ada, accountId)).status).toBe(200);
    const fresh = await read(ada, "", account);
    expect(fresh.id).not.toBe(accountId);
    expect([fresh.email, fresh.tier.name, fresh.role]).toEqual([ada.email, "free", "owner"]);
    const left = await read(ben, "", account, inAccount(accountId));
    expect([left.email, left.role, left.tier.name]).toEqual([ben.email, "owner", "developer"]);
    expect((await target.send("/funders-api?limit=1", {}, { key: key.key })).status).toBe(200);
    expect((await read(ben, "/memberships", memberships)).memberships.map(({ is_own }) => is_own)).toEqual([
      true,
      false,
    ]);
  });
});

describe("invitations", () => {
  let ada: Person;
  let accountId: string;
  beforeAll(async () => {
    if (!canRun) return;
    ada = await newPerson();
    accountId = await idOf(ada);
  });
  const received = async (person: Person) => (await read(person, "/memberships", memberships)).invitations;
  const post = { method: "POST" };

  test("are found by whoever signs in with the address, in any case, and by nobody else", async () => {
    const address = `Ben-${crypto.randomUUID()}@People.Example`;
    const made = await invite(ada, address, "member", accountId);
    expect(made).toMatchObject({ email: address.toLowerCase(), role: "member", invited_by: ada.email });
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(7 * 86_400_000);
    const [ben, carl] = [await peopleOf(target).newPerson({ email: address }), await newPerson()];
    const unconfirmed = await peopleOf(target).newPerson({ isConfirmed: false });
    expect(await received(ben)).toEqual([
      {
        id: made.id,
        account_email: ada.email,
        role: "member",
        invited_by: ada.email,
        created_at: made.created_at,
        expires_at: made.expires_at,
      },
    ]);
    expect(await received(carl)).toEqual([]);
    for (const what of ["accept", "decline"]) {
      const others = await refused(await askAs(carl, `/invitations/${made.id}/${what}`, post), 404);
      const nobodys = await refused(await askAs(carl, `/invitations/${crypto.randomUUID()}/${what}`, post), 404);
      expect(others.detail).toBe(nobodys.detail);
      await refused(await askAs(unconfirmed, `/invitations/${made.id}/${what}`, post), 403);
    }
    await refused(await askAs(carl, `/invitations/${made.id}`, { method: "DELETE" }), 404);
    expect(await accept(ben, made.id)).toMatchObject({ account_id: accountId, role: "member", is_own: false });
    await refused(await askAs(ben, `/invitations/${made.id}/accept`, post), 404);
    expect(await received(ben)).toEqual([]);
  });

  test("are declined and withdrawn, once, which the audit log tells", async () => {
    const ben = await newPerson();
    const first = await invite(ada, ben.email, "member", accountId);
    expect(await read(ben, `/invitations/${first.id}/decline`, endedInvitation, post)).toEqual({ id: first.id });
    await refused(await askAs(ben, `/invitations/${first.id}/accept`, post), 404);
    const second = await invite(ada, ben.email, "owner", accountId);
    const path = `/invitations/${second.id}`;
    await read(ada, path, endedInvitation, { method: "DELETE" });
    await refused(await askAs(ada, path, { method: "DELETE" }), 404);
    await refused(await askAs(ben, `${path}/accept`, post), 404);
    expect((await actionsOf(ada, accountId)).slice(0, 4)).toEqual([
      `invitation.withdrawn of ${ben.email} by ${ada.email}`,
      `invitation.created of ${ben.email} by ${ada.email}`,
      `invitation.declined of ${ben.email} by ${ben.email}`,
      `invitation.created of ${ben.email} by ${ada.email}`,
    ]);
  });

  test("end after seven days, and give way to another", async () => {
    const ben = await newPerson();
    const old = await invite(ada, ben.email, "owner", accountId);
    await sql("update funding.invitations set created_at = created_at - interval '7 days' where id = $1", [old.id]);
    expect(await received(ben)).toEqual([]);
    const { invitations } = await read(ada, "/invitations", invitationList);
    expect(invitations.map(({ id }) => id)).not.toContain(old.id);
    await refused(await askAs(ben, `/invitations/${old.id}/accept`, post), 404);
    await refused(await askAs(ada, `/invitations/${old.id}`, { method: "DELETE" }), 404);
    const fresh = await invite(ada, ben.email, "member", accountId);
    expect(await received(ben)).toMatchObject([{ id: fresh.id, role: "member" }]);
  });

  test("are all to be found and declined, however many accounts invite", async () => {
    const ben = await newPerson();
    const real = await invite(ada, ben.email, "member", accountId);
    // From 120 accounts, all later.
    await sql(
      `with account as (
         insert into funding.accounts (email) select 'many-' || gen_random_uuid() || '@people.example' from generate_series(1, 120) returning id
       )
       insert into funding.invitations (account_id, email, role, created_at)
       select id, $1, 'member', now() + row_number() over () % 7 * interval '1 ms' from account`,
      [ben.email],
    );
    const found: string[] = [];
    let page = await read(ben, "/memberships", memberships);
    expect(page.invitations).toHaveLength(50);
    for (found.push(...page.invitations.map(({ id }) => id)); page.next !== null; ) {
      page = await read(ben, `/memberships?page=${encodeURIComponent(page.next)}`, memberships);
      found.push(...page.invitations.map(({ id }) => id));
    }
    expect(new Set(found).size).toBe(found.length);
    expect(found).toHaveLength(121);
    expect(found.at(-1)).toBe(real.id);
    await accept(ben, real.id);
    const carl = await newPerson();
    const carls = await invite(ada, carl.email, "member", accountId);
    expect(await read(ben, "/memberships/decline", declinedInvitations, post)).toEqual({ declined: 120 });
    expect(await received(ben)).toEqual([]);
    expect(await read(ben, "/memberships/decline", declinedInvitations, post)).toEqual({ declined: 0 });
    expect(
      (await received(carl)).map(({ id }) => id),
      "another's stays",
    ).toEqual([carls.id]);
  });

  test.each(["x", "2026-11-20T14:00:19Z_1", "2026-11-20T14:00:19Z_", "_"])("have no page %s", async (page) => {
    const problem = await refused(await askAs(ada, `/memberships?page=${page}`), 400);
    expect(problem.errors?.[0]?.parameter).toBe("page");
  });

  test("are made once for an address, and not for a member", async () => {
    const ben = await newPerson();
    const ask = (email: string) => askAs(ada, "/invitations", { ...post, body: { email } });
    const { id } = await read(ada, "/invitations", invitation, { ...post, body: { email: ben.email } }, 201);
    expect((await refused(await ask(ben.email.toUpperCase()), 409)).detail).toContain("is invited already");
    await accept(ben, id);
    expect((await refused(await ask(ben.email), 409)).detail).toContain("is a member of the account already");
    expect((await refused(await ask(ada.email), 409)).detail).toContain("is a member of the account already");
  });

  test("are made once for an Idempotency-Key, whose answer a former owner does not get", async () => {
    const [ben, carl] = [await join(ada, accountId, "owner"), await newPerson()];
    const given = inAccount(accountId, {
      ...post,
      body: { email: carl.email },
      headers: { "idempotency-key": crypto.randomUUID() },
    });
    const made = await read(ben, "/invitations", invitation, given, 201);
    expect(await read(ben, "/invitations", invitation, given, 201)).toEqual(made);
    const demotion = { method: "PATCH", body: { role: "member" } };
    await read(ada, `/members/${await myIdIn(ben, accountId)}`, member, demotion);
    await refused(await askAs(ben, "/invitations", given), 403);
  });

  test("and members are fifty at most", async () => {
    const eve = await newPerson();
    const evesId = await idOf(eve);
    await sql(
      `insert into funding.invitations (account_id, email, role, invited_by, invited_by_user)
       select $1, 'bulk-' || number || '@people.example', 'member', 'eve@people.example', $2 from generate_series(1, 49) as number`,
      [evesId, eve.userId],
    );
    const ben = await newPerson();
    const { id } = await invite(eve, ben.email, "member", evesId);
    const body = { email: "one-more@people.example" };
    expect((await refused(await askAs(eve, "/invitations", { ...post, body }), 409)).detail).toBe(
      "The account has 50 open invitations, which is the most; withdraw one first.",
    );
    await sql(
      `insert into funding.members (account_id, user_id, email, role)
       select $1, gen_random_uuid(), 'bulk-' || number || '@people.example', 'member' from generate_series(1, 49) as number`,
      [evesId],
    );
    expect((await refused(await askAs(ben, `/invitations/${id}/accept`, post), 409)).detail).toBe(
      "The account has 50 members, which is the most.",
    );
    expect(await membersOf(eve, evesId)).toHaveLength(50);
  });

  test.each([
    ["email", { email: "nobody" }],
    ["email", {}],
    ["email", { email: `${"a".repeat(250)}@people.example` }],
    ["email", { email: "a@people.example\u0000" }],
    ["role", { email: "a@people.example", role: "admin" }],
    ["note", { email: "a@people.example", note: "x" }],
  ])("refuse a wrong %s: %j", async (parameter, body) => {
    const problem = await refused(await askAs(ada, "/invitations", { ...post, body }), 400);
    expect(problem.errors?.[0]?.parameter).toBe(parameter);
  });
});

describe("an owner who loses the role, under whatever address they are by then,", () => {
  const moveTo = async (person: Person, email = `moved-${crypto.randomUUID()}@people.example`) => {
    await sql("update auth.users set email = $2 where id = $1", [person.userId, email]);
    await read(person, "", account);
  };
  const ends: Record<string, (person: Person, by: Person, accountId: string) => Promise<unknown>> = {
    "removed by another": async (person, by, accountId) => {
      const id = await myIdIn(person, accountId);
      return read(by, `/members/${id}`, removedMember, inAccount(accountId, { method: "DELETE" }));
    },
    "gone by themselves": (person, _by, accountId) => leave(person, accountId),
    "a member from now on": async (person, by, accountId) => {
      const given = inAccount(accountId, { method: "PATCH", body: { role: "member" } });
      return read(by, `/members/${await myIdIn(person, accountId)}`, member, given);
    },
    "removed by the operator": async ({ userId }, _by, accountId) =>
      sql(
        `select funding.remove_member_by_email($1, funding.member_email(member)) from funding.members as member
         where account_id = $1::uuid and user_id = $2`,
        [accountId, userId],
      ),
    "replaced by another user of the account": async (_person, _by, accountId) =>
      sql("select funding.attach_user($1, $2)", [accountId, (await newPerson()).userId]),
    "deleted by SQL": ({ userId }, _by, accountId) =>
      sql("delete from funding.members where account_id = $1 and user_id = $2", [accountId, userId]),
    "a user who was deleted": ({ userId }) => sql("update auth.users set deleted_at = now() where id = $1", [userId]),
    "a user who was banned": ({ userId }) =>
      sql("update auth.users set banned_until = now() + interval '1 year' where id = $1", [userId]),
  };

  test.each(Object.entries(ends))("%s, comes back by no invitation of theirs", async (_, end) => {
    const [ada, secondSelf] = [await newPerson(), await newPerson()];
    const accountId = await idOf(ada);
    const ben = await join(ada, accountId, "owner");
    await moveTo(ada);
    const made = await invite(ada, secondSelf.email, "owner", accountId);
    const dora = await newPerson();
    const bens = await invite(ben, dora.email, "member", accountId);
    await moveTo(ada);
    await end(ada, ben, accountId);
    expect((await read(secondSelf, "/memberships", memberships)).invitations).toEqual([]);
    await refused(await askAs(secondSelf, `/invitations/${made.id}/accept`, { method: "POST" }), 404);
    await refused(await askAs(secondSelf, "", inAccount(accountId)), 404);
    expect(await accept(dora, bens.id), "another owner's").toMatchObject({ account_id: accountId });
  });

  test("is shown in invitations with the present address", async () => {
    const [ada, ben] = [await newPerson(), await newPerson()];
    const accountId = await idOf(ada);
    await invite(ada, ben.email, "member", accountId);
    const email = `moved-${crypto.randomUUID()}@people.example`;
    await moveTo(ada, email);
    const { invitations } = await read(ben, "/memberships", memberships);
    expect(invitations.map(({ invited_by }) => invited_by)).toEqual([email]);
  });
});

/** Functions of the database that take an address of somebody. Those with a user beside it are given what `funding.folded_address` returned. */
const byAddress = [
  "account_id",
  "attach_customer",
  "attach_user",
  "change_subscription",
  "create_account",
  "create_invitation",
  "create_key",
  "folded_address",
  "invite",
  "received_invitation",
  "remove_member_by_email",
  "set_tier",
];

describe("addresses that only look alike", () => {
  // The second is the first to one who folds by Unicode or a locale, or normalizes.
  const pairs = [
    ["a kelvin sign for a k", "k", "\u212a"],
    ["a long s for an s", "s", "\u017f"],
    ["an I with a dot for an i", "i", "\u0130"],
    ["a dotless i for an I", "I", "\u0131"],
    ["a capital letter with an accent", "\u00e9", "\u00c9"],
    ["a letter and its accent apart", "\u00e9", "e\u0301"],
    ["a wide letter", "a", "\uff41"],
  ] as const;

  test.each(pairs)(
    "%s are another person's: whatever is asked by them finds nothing of the first",
    async (_, letter, look) => {
      const person = crypto.randomUUID();
      const [name, other] = [`${letter}-${person}@people.example`, `${look}-${person}@people.example`];
      const ada = await newPerson();
      const accountId = await idOf(ada);
      const missing = async (call: string, parameters: string[]) =>
        expect(await sql(`select ${call}`, parameters).then(() => "found", String), call).toMatch(
          /there is no account|neither/,
        );

      // Somebody waits for an account of this address, and an invitation.
      await sql("select funding.create_account($1, 'developer')", [name]);
      await sql("select funding.invite($1, $2, 'owner', null)", [accountId, name]);
      const [invited] = await peopleOf(target).connection.query<{ id: string }>(
        "select id from funding.invitations where account_id = $1",
        [accountId],
      );
      const path = `/invitations/${invited?.id}/accept`;
      await missing("funding.account_id($1)", [other]);
      await missing("funding.set_tier($1, 'free')", [other]);
      await missing("funding.change_subscription($1, null, 'canceled', null)", [other]);
      await missing("funding.attach_customer($1, 'cus_of_nobody')", [other]);
      await missing("funding.attach_user($1, gen_random_uuid())", [other]);
      await missing("funding.remove_member_by_email($1, $2)", [accountId, other]);
      const stranger = await peopleOf(target).newPerson({ email: other });
      expect((await askAs(stranger, "/keys")).status).toBe(200);
      await refused(await askAs(stranger, path, { method: "POST" }), 404);
      const cleared = await read(stranger, "/memberships/decline", declinedInvitations, { method: "POST" });
      expect(cleared).toEqual({ declined: 0 });
      const waiting = "select auth_user_id from funding.accounts where email = funding.folded_address($1)";
      expect(await sql(waiting, [name])).toEqual([{ auth_user_id: null }]);

      const right = await peopleOf(target).newPerson({
        email: name.toUpperCase().replace(letter.toUpperCase(), letter),
      });
      expect(await accept(right, invited?.id ?? "")).toMatchObject({ account_id: accountId });
      expect(await sql(waiting, [name])).toEqual([{ auth_user_id: right.userId }]);
      await missing("funding.remove_member_by_email($1, $2)", [accountId, other]);
      await sql("select funding.invite($1, $2, 'member', null)", [accountId, other]);
    },
  );

  test("each function of the database that takes an address is among those that are asked by one", async () => {
    const found = await peopleOf(target).connection.query<{ name: string }>(
      `select distinct proname as name from pg_proc
       where pronamespace in ('funding'::regnamespace, 'public'::regnamespace) and proargnames && array['email', 'address', 'account_email']
         and pronargs > 0 and (proargnames[1:pronargs]) && array['email', 'address', 'account_email'] order by 1`,
    );
    expect(found.map(({ name }) => name)).toEqual(byAddress);
  });
});
