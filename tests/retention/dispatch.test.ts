import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { maintain } from "../../functions/dispatch/retention.ts";
import { silentLog } from "../../shared/log/log.ts";
import { openReceiver, type Receiver } from "../webhooks/receiver.ts";
import { openWebhookService, type WebhookService } from "../webhooks/webhook-service.ts";

let service: WebhookService;
let receiver: Receiver;

beforeAll(async () => {
  service = await openWebhookService();
  receiver = await openReceiver();
});
beforeEach(async () => {
  await service.connection.execute("delete from funding.webhook_endpoints; delete from funding.stripe_events");
  await service.connection.query(
    `insert into funding.stripe_events (id, received_at)
     select number::text, now() - interval '31 days' from generate_series(1, 2300) as number`,
  );
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});

const left = async () =>
  (await service.connection.query<{ rows: number }>("select count(*)::integer as rows from funding.stripe_events"))[0]
    ?.rows;

async function deliverOne(): Promise<number> {
  await service.subscribe({ url: receiver.url, events: ["grant.created"] });
  await service.load("grants", {
    source: "test",
    source_id: crypto.randomUUID(),
    title: "Clean water",
    status: "open",
    funder_name: "Water Office",
  });
  return (await service.dispatch()).succeeded;
}

test("a run of the dispatcher prunes what is overdue, batch after batch, and delivers meanwhile", async () => {
  expect(await deliverOne()).toBe(1);
  expect(await left()).toBe(0);
});

test.each(["list_overdue_tables()", "prune_table(text, integer)"])(
  "webhooks are delivered while %s fails",
  async (signature) => {
    await service.connection.execute(`alter function public.${signature} rename to is_away`);
    try {
      expect(await deliverOne()).toBe(1);
      expect(await left()).toBe(2300);
    } finally {
      await service.connection.execute(
        `alter function public.is_away(${signature.split("(")[1]} rename to ${signature.split("(")[0]}`,
      );
    }
    expect((await service.dispatch()).attempts).toBe(0);
    expect(await left()).toBe(0);
  },
);

test("retention runs by itself where webhooks are not set up, and ends with its budget", async () => {
  const { database } = service.runtime;
  await maintain({ database, log: silentLog, budgetMs: 0 });
  expect(await left()).toBe(2300);
  await maintain({ database, log: silentLog, budgetMs: 20_000 });
  expect(await left()).toBe(0);
});

test("a failure to index new records is logged, and retention goes on", async () => {
  const logged: unknown[] = [];
  const log = { write: (level: string, fields: object) => logged.push({ level, ...fields }) };
  await service.connection.execute("alter function public.seal_records(integer, integer) rename to sealing_is_broken");
  try {
    await maintain({ database: service.runtime.database, log, budgetMs: 20_000 });
  } finally {
    await service.connection.execute(
      "alter function public.sealing_is_broken(integer, integer) rename to seal_records",
    );
  }
  expect(await left()).toBe(0);
  expect(logged).toContainEqual({
    level: "error",
    function: "dispatch",
    error: expect.stringMatching(/^seal_records: 42883 /),
  });
});
