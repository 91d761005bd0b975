import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { setWallClock } from "../../support/wall-clock.ts";
import { ok, openReceiver, type Receiver, status } from "../receiver.ts";
import { type DispatcherProcess, startDispatcher } from "./dispatcher.ts";
import { loadGrants, type NativeDatabase, openNative } from "./native.ts";

let database: NativeDatabase;
let receiver: Receiver;
let dispatcher: DispatcherProcess;

/** Sets the clock that the dispatcher reads to so much off the true time. */
const setClock = (offset: string) =>
  setWallClock({ execute: (text) => database.query(text) }, `clock_timestamp() + interval '${offset}'`);

beforeAll(async () => {
  database = await openNative();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.clear();
  await database.set("webhook_lease_seconds", 60);
  await database.set("webhook_timeout_seconds", 15);
  // Forty failures in a row are not what this is about.
  await database.set("webhook_backoff_after", 1_000);
  await database.set("webhook_disable_after", { failures: 1_000, days: 5 });
  await database.set("webhook_retry_seconds", [3, 3_600, 7_200]);
  receiver = await openReceiver();
  dispatcher = startDispatcher(database.secretsKey);
  await dispatcher.started;
});
afterEach(async () => {
  await setClock("0");
  await dispatcher.kill();
  await receiver.close();
});

/** The deliveries of an endpoint by state, and the most attempts that one had. */
const states = () =>
  database.query<{ state: string; deliveries: number; attempts: number }>(
    "select state, count(*)::integer as deliveries, max(attempts) as attempts from funding.webhook_deliveries group by 1 order by 1",
  );

describe("when the clock jumps", () => {
  test("a day ahead, retries that are hours away do not all come at once", async () => {
    receiver.answer = status(500);
    await database.subscribe({ url: receiver.url, events: ["grant.created"] });
    await loadGrants(database, `ahead-${Date.now()}`, 40);
    // The first retry is after some 3 s, the second after an hour.
    await waitUntil(
      async () => (await database.value<number>("select min(attempts) from funding.webhook_deliveries")) === 2,
      "two attempts of each",
    );
    const before = receiver.received.length;
    await setClock("1 day");
    await loadGrants(database, `after-${Date.now()}`, 5);
    await waitUntil(() => receiver.received.length >= before + 10, "the new events are attempted, and again");
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    // The retries that are hours away would be 40 more. (One was under way perhaps, or is sent twice.)
    expect(receiver.received.length).toBeLessThan(before + 20);
    expect(await states()).toEqual([{ state: "pending", deliveries: 45, attempts: 2 }]);
  });

  test("an hour back, nothing stands still: new events and retries go on", async () => {
    receiver.answer = status(500);
    await database.subscribe({ url: receiver.url, events: ["grant.created"] });
    await loadGrants(database, `back-${Date.now()}`, 20);
    await waitUntil(() => receiver.received.length >= 20, "one attempt of each");
    await setClock("-1 hour");
    receiver.answer = ok;
    await loadGrants(database, `later-${Date.now()}`, 5);
    await waitUntil(async () => {
      const [only, ...others] = await states();
      return only?.state === "succeeded" && only.deliveries === 25 && others.length === 0;
    }, "the retries of before and the new ones succeed");
  });
});
