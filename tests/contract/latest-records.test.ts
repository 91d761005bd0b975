import { beforeAll, describe, expect, test } from "vitest";
import { publisherDay } from "../../shared/publisher-day.ts";
import { account } from "../../shared/responses/account/account.ts";
import { latestRecords } from "../../shared/responses/account/latest-records.ts";
import type { Person } from "../support/people.ts";
import { accountClient, peopleOf, refused } from "./account-client.ts";
import { needs } from "./needs.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const canRun = needs("signIn");
const { askAs, read, putOnTier } = accountClient(target);

let ada: Person;
let ben: Person;
beforeAll(async () => {
  if (!canRun) return;
  [ada, ben] = [await peopleOf(target).newPerson(), await peopleOf(target).newPerson()];
  await putOnTier(ada, "developer");
  await read(ben, "", account);
});

const latest = (person: Person, since?: string) =>
  read(person, `/latest-records${since === undefined ? "" : `?since=${encodeURIComponent(since)}`}`, latestRecords);

describe("the latest records", () => {
  test("are the new ones first, the latest posted first, and those that close next", async () => {
    const { since, counted_until, new_records, latest: records, closing } = await latest(ada, "2000-01-01T00:00:00Z");
    expect(since).toBe("2000-01-01T00:00:00.000Z");
    expect(Date.parse(counted_until)).toBeGreaterThan(Date.parse(since));
    expect(new_records).not.toBeNull();
    expect(records.length).toBeGreaterThan(0);
    expect(records.length).toBeLessThanOrEqual(6);
    const order = records.map(({ is_new, created_at }) => `${is_new ? 1 : 0} ${created_at}`);
    expect(order).toEqual(order.toSorted().toReversed());
    const today = publisherDay(new Date());
    const deadlines = closing.map(({ deadline_date }) => deadline_date ?? "");
    expect(deadlines).toEqual(deadlines.toSorted());
    for (const { deadline_date, days_left } of closing) {
      expect(days_left).toBe((Date.parse(deadline_date ?? "") - Date.parse(today)) / 86_400_000);
      expect(days_left).toBeGreaterThanOrEqual(0);
    }
  });

  test("are as many as the catalogue has, where all of it is new", async () => {
    const { new_records } = await latest(ada, "2000-01-01T00:00:00Z");
    const [counted] = await peopleOf(target).connection.query<{ grants: number; contracts: number }>(
      `select (select count(*)::integer from funding.grants
               where first_seen_at is not null and archived_at is null and classification = 'opportunity' and status <> 'closed') as grants,
              (select count(*)::integer from funding.contracts
               where first_seen_at is not null and archived_at is null and classification = 'opportunity' and status not in ('closed', 'cancelled', 'awarded')) as contracts`,
    );
    // Of more than 10,000, it is the number of the last 10,000.
    if (new_records?.grants.is_capped || new_records?.contracts.is_capped) return;
    expect({ grants: new_records?.grants.count, contracts: new_records?.contracts.count }).toEqual(counted);
  });

  test("are the latest posted where nothing is new", async () => {
    const { counted_until } = await latest(ada);
    const { new_records, latest: records } = await latest(ada, counted_until);
    expect(new_records).toEqual({ grants: { count: 0, is_capped: false }, contracts: { count: 0, is_capped: false } });
    expect(records.length).toBeGreaterThan(0);
    expect(records.some(({ is_new }) => is_new)).toBe(false);
  });

  test("are none without API access", async () => {
    expect(await latest(ben)).toMatchObject({ new_records: null, latest: [], closing: [] });
  });

  test("need a moment with its offset", async () => {
    const { errors } = await refused(await askAs(ada, "/latest-records?since=yesterday"), 400);
    expect(errors?.[0]?.parameter).toBe("since");
  });
});
