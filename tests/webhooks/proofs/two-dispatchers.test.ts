import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { openReceiver, type Receiver } from "../receiver.ts";
import { type DispatcherProcess, startDispatcher } from "./dispatcher.ts";
import { loadGrants, type NativeDatabase, openNative } from "./native.ts";

let database: NativeDatabase;
let receiver: Receiver;
let running: DispatcherProcess[] = [];

beforeAll(async () => {
  database = await openNative();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.clear();
  await database.set("webhook_lease_seconds", 60);
  await database.set("webhook_timeout_seconds", 15);
  receiver = await openReceiver();
  running = [startDispatcher(database.secretsKey), startDispatcher(database.secretsKey)];
  await Promise.all(running.map(({ started }) => started));
});
afterEach(async () => {
  await Promise.all(running.map((dispatcher) => dispatcher.kill()));
  await receiver.close();
});

const isDone = (events: number) => async () =>
  (await database.value<number>(
    "select count(*)::integer from funding.webhook_deliveries where state = 'succeeded'",
  )) === events;

test("two dispatchers at once never make the same attempt: each event arrives exactly once", async () => {
  // Slow enough that both always have something to take.
  receiver.answer = (_request, response) => {
    setTimeout(() => response.writeHead(200).end(), 20);
  };
  for (let index = 0; index < 4; index++) {
    await database.subscribe({ url: `${receiver.url}/${index}`, events: ["grant.created"] });
  }
  await loadGrants(database, `together-${Date.now()}`, 1_000);
  await waitUntil(isDone(4_000), "4,000 deliveries");
  const sent = receiver.received.map(({ path, payload }) => `${path} ${payload.id}`);
  expect(sent).toHaveLength(4_000);
  expect(new Set(sent).size).toBe(4_000);
  expect(await database.value("select max(attempts) from funding.webhook_deliveries")).toBe(1);
});

test("an event whose transaction commits long after later ones is delivered all the same", async () => {
  await database.subscribe({ url: receiver.url, events: ["grant.created", "contract.created"] });
  // A contract, because writers of one dataset wait for each other anyway.
  const slow = await database.session();
  await slow.query("begin");
  await slow.query(`insert into funding.contracts (id, title, description, status, classification, funder_id, created_at, source,
      source_id, content_hash)
    select gen_random_uuid(), 'Slow', '', 'open', 'opportunity', id, now(), 'webhook-proof', gen_random_uuid()::text, 'x'
    from funding.funders limit 1`);
  await loadGrants(database, `meanwhile-${Date.now()}`, 200);
  await waitUntil(isDone(200), "the later events are delivered first");
  expect(receiver.received.filter(({ payload }) => payload.data.title === "Slow")).toEqual([]);
  await slow.query("commit");
  await slow.end();
  await waitUntil(isDone(201), "the slow transaction's event");
  expect(receiver.received.filter(({ payload }) => payload.data.title === "Slow")).toHaveLength(1);
});
