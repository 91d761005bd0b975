import { beforeAll, describe, expect, test } from "vitest";
import { account } from "../../shared/responses/account/account.ts";
import { type AuditEntry, auditLog } from "../../shared/responses/account/audit-log.ts";
import { accountKey } from "../../shared/responses/account/keys.ts";
import { deletedSavedSearch, issuedAddress, savedSearch } from "../../shared/responses/account/saved-searches.ts";
import type { Person } from "../support/people.ts";
import { accountClient, peopleOf, refused } from "./account-client.ts";
import { needs } from "./needs.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const canRun = needs("signIn");
const { askAs, read, newKey, rotate, putOnTier } = accountClient(target);

let ada: Person;
let ben: Person;
beforeAll(async () => {
  if (!canRun) return;
  [ada, ben] = [await peopleOf(target).newPerson(), await peopleOf(target).newPerson()];
  await putOnTier(ada, "developer");
  await read(ben, "", account);
});

const listed = (person: Person, query = "") => read(person, `/audit-log${query}`, auditLog);
const entries = async (query = "", person = ada) => (await listed(person, query)).entries;
const actions = (list: AuditEntry[]) => list.map(({ action }) => action);

describe("the audit log", () => {
  test("begins with the account, by its user, and its tier, by an operator", async () => {
    const log = await entries();
    expect(actions(log).at(-1)).toBe("account.created");
    expect(log.at(-1)).toMatchObject({
      actor: { kind: "user", email: ada.email },
      subject: { kind: "account", name: ada.email },
    });
    const [tier] = await entries("?action=subscription.created");
    expect(tier).toMatchObject({ actor: { kind: "operator", email: null }, subject: { name: "developer" } });
  });

  test("has what became of a key: each change once, with the values before and after", async () => {
    const key = await newKey(ada, { name: "Production", daily_quota: 5 });
    const path = `/keys/${key.id}`;
    await read(ada, path, accountKey, { method: "PATCH", body: { daily_quota: 9 } });
    await read(ada, path, accountKey, { method: "PATCH", body: { daily_quota: 9 } });
    await refused(await askAs(ada, path, { method: "PATCH", body: { daily_quota: 0 } }), 400);
    const newer = await rotate(ada, key.id);
    await refused(await askAs(ada, `${path}/rotate`, { method: "POST", body: {} }), 409);
    for (let time = 0; time < 2; time++) await read(ada, `${path}/revoke`, accountKey, { method: "POST" });
    await refused(await askAs(ben, `/keys/${newer.id}/revoke`, { method: "POST" }), 404);

    const log = await entries(`?subject=${key.id}`);
    expect(actions(log)).toEqual(["key.revoked", "key.rotated", "key.updated", "key.created"]);
    for (const { actor, subject } of log) {
      expect([actor, subject]).toEqual([
        { kind: "user", email: ada.email },
        { kind: "key", id: key.id, name: "Production" },
      ]);
    }
    expect(log[2]?.changes).toEqual([{ field: "daily_quota", from: 5, to: 9 }]);
    expect(log[1]?.changes).toMatchObject([
      { field: "expires_at", from: null },
      { field: "replaced_by", to: newer.id },
    ]);
    expect(log[3]?.changes).toContainEqual({ field: "display", from: null, to: key.display });
    expect(actions(await entries(`?subject=${newer.id.toUpperCase()}`))).toEqual(["key.rotated"]);
    const text = JSON.stringify(await listed(ada, "?limit=100"));
    for (const secret of [key.key, newer.key]) expect(text).not.toContain(secret.slice("fo_live_".length, -4));
  });

  test("has a POST that is sent again once", async () => {
    const given = { method: "POST", body: { name: "sent twice" }, headers: { "idempotency-key": crypto.randomUUID() } };
    const responses = [await askAs(ada, "/keys", given), await askAs(ada, "/keys", given)];
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    const log = await entries("?action=key.created");
    expect(log.filter(({ subject }) => subject.name === "sent twice")).toHaveLength(1);
  });

  test("has what became of a saved search, and not the secret of its address", async () => {
    const body = { name: "Water", dataset: "grants", query: "states=OH" };
    const { id } = await read(ada, "/saved-searches", savedSearch, { method: "POST", body }, 201);
    const path = `/saved-searches/${id}`;
    await read(ada, path, savedSearch, { method: "PATCH", body: { name: "Water, Ohio" } });
    const { token } = await read(ada, `${path}/address`, issuedAddress, { method: "POST" }, 201);
    for (let time = 0; time < 2; time++) await read(ada, `${path}/address/revoke`, savedSearch, { method: "POST" });
    await read(ada, `${path}/seen`, savedSearch, { method: "POST", body: {} });
    await read(ada, path, deletedSavedSearch, { method: "DELETE" });
    const log = await entries(`?kind=saved_search&subject=${id}`);
    expect(actions(log)).toEqual([
      "saved_search.deleted",
      "saved_search.address_revoked",
      "saved_search.address_issued",
      "saved_search.updated",
      "saved_search.created",
    ]);
    expect(log[3]).toMatchObject({
      subject: { name: "Water, Ohio" },
      changes: [{ field: "name", from: "Water", to: "Water, Ohio" }],
    });
    expect(JSON.stringify(log)).not.toContain(token);
  });

  test("is filtered, and goes on by pages without a gap", async () => {
    const all = await listed(ada, "?limit=100");
    expect(all.next).toBeNull();
    const times = all.entries.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
    const keys = all.entries.filter(({ subject }) => subject.kind === "key");
    expect(keys.length).toBeGreaterThan(4);
    expect(await entries("?kind=key&limit=100")).toEqual(keys);
    const { at } = all.entries[2] as AuditEntry;
    expect(await entries(`?since=${at}&limit=100`)).toEqual(all.entries.filter((entry) => entry.at >= at));
    expect(await entries(`?until=${at}&limit=100`)).toEqual(all.entries.filter((entry) => entry.at < at));
    const paged: AuditEntry[] = [];
    for (let page: string | null = ""; page !== null; ) {
      const answer = await listed(ada, `?limit=2${page === "" ? "" : `&page=${encodeURIComponent(page)}`}`);
      paged.push(...answer.entries);
      page = answer.next;
    }
    expect(paged).toEqual(all.entries);
  });

  test("is the account's own", async () => {
    const [mine] = await entries("?kind=key");
    expect(actions(await entries("", ben))).toEqual(["account.created"]);
    expect(await listed(ben, `?subject=${mine?.subject.id}`)).toEqual({ entries: [], next: null });
    await refused(await target.send("/account-api/audit-log", {}, "nobody"), 401);
  });

  test.each([
    "limit=0",
    "action=key.eaten",
    "kind=tier",
    "subject=1",
    "since=today",
    "until=today",
    "page=x",
    "keys=1",
  ])("refuses %s by its name", async (query) => {
    const problem = await refused(await askAs(ada, `/audit-log?${query}`), 400);
    expect(problem.errors?.[0]?.parameter).toBe(query.split("=")[0]);
  });
});
