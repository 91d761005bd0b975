import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { withoutMail } from "../../../functions/dispatch/mail/platform.ts";
import type { Senders } from "../../../functions/dispatch/senders.ts";
import { startDispatchLoop, startUpkeepLoop } from "../../../local/embedded/dispatch-loop.ts";
import type { RpcClient } from "../../../shared/database/rpc.ts";
import { silentLog } from "../../../shared/log/log.ts";
import type { Runtime } from "../../../shared/runtime.ts";
import { createSecretBox, generateSecret, generateSecretsKey } from "../../../shared/webhooks/secret-box.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets time pass in small steps, and what it starts be done outside of this thread. */
async function passTime(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds * 1_000; passed += 250) {
    await vi.advanceTimersByTimeAsync(250);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The database of one endpoint, which has another delivery each second. Notes when deliveries were claimed. */
async function databaseOf(secrets: ReturnType<typeof createSecretBox>) {
  const claims: number[] = [];
  let nextDue = 0;
  const endpoint_id = crypto.randomUUID();
  const secret = await secrets.seal(generateSecret(), endpoint_id);
  const nothing: Record<string, unknown> = {
    fan_out_events: { events: 0, deliveries: 0 },
    next_deadlines: { endpoint_id: null },
    next_recovery: { recovery_id: null, endpoint_id: null },
    list_overdue_tables: [],
    seal_records: { sealed: 0, merged: 0, renewed: 0, cleaned: 0, suggested: 0, counted: 0, failures: [] },
    finish_deliveries: { warnings: [] },
  };
  const delivery = {
    endpoint_id,
    attempt: 1,
    url: "https://slow.example/",
    secret,
    previous_secrets: [],
    event: "grant.created",
    created_at: "2026-11-20T16:43:31.250Z",
    data: {},
    changes: null,
    is_failing: false,
  };
  const call = async (name: string, { maximum }: { maximum: number }) => {
    if (name !== "claim_deliveries") return { ok: true, value: nothing[name] };
    const isDue = maximum > 0 && performance.now() >= nextDue;
    if (isDue) nextDue = performance.now() + 1_000;
    claims.push(Math.round(performance.now()));
    const deliveries = isDue ? [{ ...delivery, event_id: crypto.randomUUID() }] : [];
    return { ok: true, value: { signature_header: "x-signature", timeout_ms: 15_000, deliveries } };
  };
  return { database: { call } as unknown as RpcClient, claims };
}

test("a receiver that takes 14 s never keeps others waiting: deliveries are claimed all the time", async () => {
  const secrets = createSecretBox(generateSecretsKey());
  const { database, claims } = await databaseOf(secrets);
  const answer = { status: 200, headers: {}, body: "" };
  const webhooks = {
    secrets,
    transport: {
      send: () => new Promise<typeof answer>((resolve) => setTimeout(resolve, 14_000, answer)),
    },
    dispatchSecret: undefined,
    concurrency: 64,
    allowLoopback: false,
  };
  const stop = startDispatchLoop({ database, webhooks, mail: withoutMail, log: silentLog } as unknown as Runtime &
    Senders);
  await passTime(80);
  const pauses = claims.slice(1).map((at, index) => at - (claims[index] ?? 0));
  expect(claims.length).toBeGreaterThan(100);
  expect(Math.max(...pauses)).toBeLessThan(1_500);
  // An attempt may begin late: its secret is opened in another thread.
  let isStopped = false;
  void stop().then(() => {
    isStopped = true;
  });
  while (!isStopped) await passTime(1);
});

test("a server that sends nothing indexes new records every five seconds and lets dates act, and does no other work of the dispatcher", async () => {
  const called: string[] = [];
  const call = async (name: string) => {
    called.push(name);
    return {
      ok: true,
      value: { sealed: 0, merged: 0, renewed: 0, cleaned: 0, suggested: 0, failures: [], has_more: false },
    };
  };
  const stop = startUpkeepLoop({ database: { call } as unknown as RpcClient, log: silentLog });
  await passTime(61);
  await stop();
  expect(new Set(called)).toEqual(new Set(["apply_due_dates", "seal_records"]));
  expect(called.length).toBe(26);
  await passTime(20);
  expect(called.length).toBe(26);
});

// Regression: a `COPY ... TO PROGRAM` in another session left seal_records without an answer, and the server ended.
describe.each([
  ["throws", () => Promise.reject(new Error("the database is gone"))],
  ["answers nothing", async () => ({ ok: true, value: null })],
])("an RPC that %s ends nothing but its own work", (_fault, fail) => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  beforeEach(() => void process.on("unhandledRejection", note));
  afterEach(() => void process.off("unhandledRejection", note));

  const secrets = createSecretBox(generateSecretsKey());
  const mail = {
    isSetUp: true,
    mailer: { send: () => Promise.reject(new Error("no mail")) },
    sender: "a@example.org",
    apiUrl: "https://api.example.org",
    dashboardUrl: undefined,
    concurrency: 2,
  };
  const webhooks = {
    secrets,
    transport: { send: async () => ({ status: 200, headers: {}, body: "" }) },
    dispatchSecret: undefined,
    concurrency: 8,
    allowLoopback: false,
  };

  /** Names of the RPCs that both loops call in 70 s while one of them fails, and how often each is called in the last 40 s. */
  async function callsBeside(failing: string | undefined): Promise<Map<string, number>> {
    const { database } = await databaseOf(secrets);
    const more: Record<string, unknown> = {
      apply_due_dates: { has_more: false },
      next_digest: { saved_search_id: null, is_left_out: false },
      list_overdue_tables: ["request_log"],
      prune_table: { rows: 0 },
    };
    const calls = new Map<string, number>();
    let isLate = false;
    const call = async (name: string, given: never) => {
      calls.set(name, (calls.get(name) ?? 0) + Number(isLate));
      if (name === failing) return fail();
      return name in more ? { ok: true, value: structuredClone(more[name]) } : database.call(name as never, given);
    };
    const runtime = { database: { call }, webhooks, mail, log: silentLog } as unknown as Runtime & Senders;
    const stops = [startDispatchLoop(runtime), startUpkeepLoop(runtime)];
    await passTime(30);
    isLate = true;
    await passTime(70);
    let stopped = 0;
    for (const stop of stops) void stop().then(() => (stopped += 1));
    for (let seconds = 0; seconds < 5_000 && stopped < stops.length; seconds++) await passTime(1);
    expect(stopped, `loops that end although ${failing} fails`).toBe(stops.length);
    return calls;
  }

  test("whichever it is", async () => {
    const usual = await callsBeside(undefined);
    const names = [...usual.keys()];
    expect(names).toEqual(expect.arrayContaining(["seal_records", "finish_deliveries", "prune_table", "next_digest"]));
    for (const failing of names) {
      const calls = await callsBeside(failing);
      // Without a claim, or an answer about overdue tables, there is nothing to finish or to prune.
      const missing = names.filter(
        (name) => !(calls.get(name) ?? 0) && !(failing === "claim_deliveries" && name === "finish_deliveries"),
      );
      expect(
        missing.filter((name) => !(failing === "list_overdue_tables" && name === "prune_table")),
        failing,
      ).toEqual([]);
    }
    expect(unhandled).toEqual([]);
  });
});
