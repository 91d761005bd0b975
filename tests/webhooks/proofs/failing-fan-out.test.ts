import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { ok, openReceiver, type Receiver } from "../receiver.ts";
import { type DispatcherProcess, startDispatcher } from "./dispatcher.ts";
import { loadGrants, type NativeDatabase, openNative } from "./native.ts";

let database: NativeDatabase;
let receiver: Receiver;
let dispatcher: DispatcherProcess | undefined;
let blocking: pg.Client | undefined;

beforeAll(async () => {
  database = await openNative();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.clear();
  receiver = await openReceiver();
  receiver.answer = ok;
});
afterEach(async () => {
  await dispatcher?.kill();
  await blocking?.end();
  [dispatcher, blocking] = [undefined, undefined];
  await receiver.close();
});

const arrivals = (path: string) => receiver.received.filter((delivery) => delivery.path === `/${path}`).length;
const stateOf = (id: string) =>
  database.value<string>(
    "select state || ' ' || coalesce(disabled_reason, '') from funding.webhook_endpoints where id = $1",
    [id],
  );

/** Two endpoints; what makes the first one's deliveries waits for a row that an open transaction holds, and runs into the time limit. */
async function slowAndHealthy(event: string, hold: (client: pg.Client, id: string) => Promise<unknown>) {
  const slow = await database.subscribe({ url: `${receiver.url}/slow`, events: [event], deadline_days: [7] });
  const healthy = await database.subscribe({ url: `${receiver.url}/healthy`, events: [event], deadline_days: [7] });
  return {
    slow,
    healthy,
    async begin() {
      blocking = await database.session();
      // Without the foreign keys' locks, so that nothing but this endpoint's row is held.
      await blocking.query("set session_replication_role = replica; begin");
      await hold(blocking, slow.id);
      dispatcher = startDispatcher(database.secretsKey);
      await dispatcher.started;
    },
  };
}

test("an endpoint whose deliveries take too long to make is disabled, and the other endpoints' go out before and after", async () => {
  const { slow, healthy, begin } = await slowAndHealthy("grant.created", (client, id) =>
    client.query(
      `insert into funding.webhook_deliveries (endpoint_id, event_id, due_at, created_at)
       select $1, id, now(), now() from funding.events where fanned_out_at is null`,
      [id],
    ),
  );
  await loadGrants(database, `slow-${Date.now()}`, 20);
  await begin();
  await waitUntil(() => arrivals("healthy") === 20, "the healthy endpoint has its events");
  expect(await stateOf(slow.id)).toBe("active ");
  await waitUntil(async () => (await stateOf(slow.id)).startsWith("disabled"), "the slow endpoint is disabled");
  expect(await stateOf(slow.id)).toMatch(/^disabled making its deliveries took too long, 3 times in a row/);
  await loadGrants(database, `after-${Date.now()}`, 20);
  await waitUntil(() => arrivals("healthy") === 40, "it has the next ones, too");
  expect(await stateOf(healthy.id)).toBe("active ");
  expect(arrivals("slow")).toBe(0);
  expect(await database.value("select count(*)::integer from funding.events where fanned_out_at is null")).toBe(0);
});

test("an endpoint whose deadlines take too long to look through lets the others go first, and is disabled", async () => {
  // These grants alone: other proofs leave thousands in the database.
  const prefix = `deadline-${Date.now()}`;
  const { slow, begin } = await slowAndHealthy("grant.deadline_approaching", (client, id) =>
    client.query(
      `insert into funding.deadline_notices (endpoint_id, record_id, days, noted_at)
       select $1, id, 7, now() from funding.grants where starts_with(source_id, $2)`,
      [id, prefix],
    ),
  );
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await loadGrants(database, prefix, 5);
  await database.query("update funding.grants set deadline_date = $1::date where starts_with(source_id, $2)", [
    soon,
    prefix,
  ]);
  const near = await database.value<number>(
    `select count(*)::integer from funding.grants
     where deadline_date - funding.today_in(funding.default_time_zone()) between 0 and 7
       and archived_at is null and classification = 'opportunity' and status <> 'closed'`,
  );
  await begin();
  await waitUntil(() => arrivals("healthy") === near, "the healthy endpoint hears of the deadlines");
  await waitUntil(async () => (await stateOf(slow.id)).startsWith("disabled"), "the slow endpoint is disabled");
  expect(arrivals("slow")).toBe(0);
});
