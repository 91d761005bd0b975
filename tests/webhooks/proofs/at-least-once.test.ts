import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { type Answer, ok, openReceiver, type Received, type Receiver, status } from "../receiver.ts";
import { type DispatcherProcess, startDispatcher } from "./dispatcher.ts";
import { loadGrants, type NativeDatabase, openNative } from "./native.ts";

const events = 5_000;
const endpoints = 5;
const leastKills = 50;

let database: NativeDatabase;
beforeAll(async () => {
  database = await openNative();
  await database.clear();
  // The schedule of days in seconds; what decides is the same.
  await database.set(
    "webhook_retry_seconds",
    Array.from({ length: 30 }, () => 1),
  );
  await database.set("webhook_backoff_seconds", [0.2, 1]);
  await database.set("webhook_disable_after", { failures: 100_000, days: 5 });
  await database.set("webhook_timeout_seconds", 2);
  await database.set("webhook_lease_seconds", 4);
});
afterAll(() => database.close());

/** Mostly well, now and then slow, failing, silent, elsewhere or mad. */
const unreliable: Answer = (request, response) => {
  const luck = Math.random();
  if (luck < 0.8) ok(request, response);
  else if (luck < 0.88) setTimeout(() => response.writeHead(200).end(), Math.random() * 1_000);
  else if (luck < 0.94) status(500, {}, "broken")(request, response);
  else if (luck < 0.95) return;
  else if (luck < 0.97) status(302, { location: "http://127.0.0.1:1/" })(request, response);
  else if (luck < 0.99) response.socket?.end("\u0000 not HTTP at all\r\n\r\n");
  else response.socket?.destroy();
};

test(`every one of ${events} events arrives, while dispatchers are killed ${leastKills} times and the receiver misbehaves`, async () => {
  let receiver = await openReceiver();
  receiver.answer = unreliable;
  const port = Number(new URL(receiver.url).port);
  const all: Received[] = receiver.received;
  const subscribed = [];
  for (let index = 0; index < endpoints; index++) {
    const category = `lot${index}`;
    subscribed.push({
      category,
      ...(await database.subscribe({
        url: `${receiver.url}/${index}`,
        events: ["grant.created"],
        filters: { grants: `category=${category}` },
      })),
    });
  }
  for (const { category } of subscribed) await loadGrants(database, category, events / endpoints);
  const expected = await database.query<{ id: string; record_id: string; category: string }>(
    `select event.id, event.record_id, record.categories[1] as category
     from funding.events as event join funding.grants as record on record.id = event.record_id`,
  );
  expect(expected).toHaveLength(events);

  let kills = 0;
  let running: DispatcherProcess[] = [];
  const isDone = () =>
    database.value<boolean>(
      `select not exists (select from funding.events where fanned_out_at is null)
          and not exists (select from funding.webhook_deliveries where state = 'pending')`,
    );
  const ends = performance.now() + 200_000;
  let isOver = false;
  while (!isOver && performance.now() < ends) {
    // Two at once, half of the time.
    running = Array.from({ length: kills % 2 === 0 ? 1 : 2 }, () =>
      startDispatcher(database.secretsKey, { CONCURRENCY: "16" }),
    );
    await Promise.all(running.map(({ started }) => started));
    if (kills < leastKills) {
      await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 900));
    } else {
      await waitUntil(isDone, "all deliveries end");
      isOver = true;
    }
    await Promise.all(running.map((dispatcher) => dispatcher.kill()));
    kills += running.length;
    // Its connections are cut, and for a moment nobody listens.
    if (kills % 10 < running.length && !isOver) {
      await receiver.close();
      await new Promise((resolve) => setTimeout(resolve, 300));
      receiver = await reopened(port, all);
    }
  }
  await receiver.close();

  expect(kills).toBeGreaterThanOrEqual(leastKills);
  const arrived = new Map<string, Received[]>();
  for (const request of all) arrived.set(request.payload.id, [...(arrived.get(request.payload.id) ?? []), request]);
  // Every event arrived, none at another's endpoint, and each request for one is the same and signed by its own endpoint.
  expect(expected.filter(({ id }) => !arrived.has(id))).toEqual([]);
  expect(arrived.size).toBe(events);
  for (const { id, record_id, category } of expected) {
    const index = subscribed.findIndex((endpoint) => endpoint.category === category);
    const secret = subscribed[index]?.secret ?? "";
    const requests = arrived.get(id) ?? [];
    expect(new Set(requests.map(({ path }) => path))).toEqual(new Set([`/${index}`]));
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(requests[0]?.payload.data.id).toBe(record_id);
    const [first] = requests;
    expect(first?.headers["x-service-signature"]).toBe(
      `sha256=${createHmac("sha256", secret)
        .update(first?.body ?? "")
        .digest("hex")}`,
    );
    expect(new Set(requests.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([id]));
  }
  expect(
    await database.value("select count(*)::integer from funding.webhook_deliveries where state = 'succeeded'"),
  ).toBe(events);
  const lost = await database.value("select count(*)::integer from funding.webhook_attempts where error = 'lost'");
  console.log(
    `${kills} kills; ${all.length} requests for ${events} events, ${all.length - events} of them again; ${lost} attempts were cut off`,
  );
});

async function reopened(port: number, all: Received[]): Promise<Receiver> {
  const receiver = await openReceiver(port);
  receiver.received = all;
  receiver.answer = unreliable;
  return receiver;
}
