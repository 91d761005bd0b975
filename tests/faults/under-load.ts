import { expect } from "vitest";
import { createAccount } from "../../database/accounts/accounts.ts";
import type { Connection } from "../../database/connection.ts";
import { webhookBodies } from "../../functions/account-api/webhook-bodies.ts";
import { hashKey } from "../../shared/auth/key.ts";
import { createSecretBox, generateSecret, generateSecretsKey } from "../../shared/webhooks/secret-box.ts";
import { createCallers, createLimitedCaller } from "../load/callers.ts";
import { Ledger, settledUsage, type Taken } from "../load/ledger.ts";
import { prepareMix } from "../load/mix.ts";
import type { NativeStack } from "./native-stack.ts";
import { type Acknowledged, contract, startWriter } from "./writer.ts";

/** Requests under way at a time, with a breath between two of one: enough to meet every moment of a fault. */
const usualConnections = 8;
const breathMs = 10;
/** A call to the database may take 8 s, and before it there may be a queue. */
const slowestMs = 10_500;

export interface FaultOptions {
  connections?: number;
  /** From the end of the fault to answers that are right. */
  resumesWithinMs?: number;
}

export interface LoadedStack {
  stack: NativeStack;
  /**
   * Lets a fault happen while requests are answered and records and keys written, and waits until all is well again.
   * Every answer must be right, or a problem of 503 within some seconds; each acknowledged write must be there, with its event,
   * and usage must be what was answered.
   */
  during(name: string, fault: () => Promise<void>, options?: FaultOptions): Promise<void>;
}

/** Prepares the load: an account that gets keys, with a webhook for contracts, and callers with the right answers to their requests. */
export async function loadStack(stack: NativeStack): Promise<LoadedStack> {
  const { connection, baseUrl } = stack;
  const email = `keys-${crypto.randomUUID()}@faults.example`;
  await subscribe(connection, await createAccount(connection, email, "developer"));
  await connection.query("update funding.settings set value = '100000' where name = 'maximum_active_keys'");
  // The funder of all that is written is there before the right answers are read.
  await connection.query("select funding.upsert_records('contracts', $1::jsonb)", [JSON.stringify([contract("0")])]);
  const callers = await createCallers(connection);
  const limited = await createLimitedCaller(connection, 1_000_000);
  const mix = await prepareMix(baseUrl, connection, callers, () => limited);
  const everybody = [...callers.developers, callers.free, limited];
  return {
    stack,
    async during(name, fault, { connections = usualConnections, resumesWithinMs = 5_000 } = {}) {
      const ledger = new Ledger();
      const before = await settledUsage(connection, everybody);
      const writer = startWriter(stack.session, email);
      let isOver = false;
      const load = Array.from({ length: connections }, async () => {
        while (!isOver) {
          await ledger.send(baseUrl, mix.next());
          await sleep(breathMs);
        }
      });
      let resumedMs: number;
      try {
        await sleep(1_000);
        await fault();
        const mended = performance.now();
        resumedMs = Math.max(0, (await untilRight(ledger.taken)) - mended);
      } finally {
        // A fault that failed leaves no load behind for the next.
        isOver = true;
        await Promise.all(load);
        await writer.stop();
      }
      await ledger.holdAgainstUsage(connection, everybody, before);

      const refused = ledger.taken.filter(({ status }) => status === 503);
      const slowest = Math.max(...ledger.taken.map(({ ms }) => ms));
      console.log(
        `${name}: ${ledger.taken.length} answers, ${refused.length} of them 503, the slowest after ${Math.round(slowest)} ms; ` +
          `right again after ${Math.round(resumedMs)} ms; ${writer.acknowledged.records.length} writes acknowledged`,
      );
      expect([...ledger.faults]).toEqual([]);
      expect(slowest).toBeLessThan(slowestMs);
      expect(resumedMs).toBeLessThan(resumesWithinMs);
      await expectThere(connection, writer.acknowledged);
    },
  };
}

/** A webhook that wants to know of new contracts, so that each has its event. Nobody sends any. */
async function subscribe(connection: Connection, accountId: string): Promise<void> {
  const id = crypto.randomUUID();
  const body = webhookBodies(true).create.schema.parse({ url: "http://127.0.0.1:9/", events: ["contract.created"] });
  const secret = await createSecretBox(generateSecretsKey()).seal(generateSecret(), id);
  await connection.query("select funding.create_webhook($1, $2::jsonb)", [
    accountId,
    JSON.stringify({ ...body, id, secret }),
  ]);
}

/** Waits until nothing was refused for a second. @returns the moment at which the last refusal arrived. */
async function untilRight(taken: readonly Taken[]): Promise<number> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    await sleep(100);
    const refused = taken.filter(({ status }) => status === 503);
    const last = Math.max(...refused.map(({ at, ms }) => at + ms), 0);
    const since = taken.filter(({ at }) => at > Math.max(last, performance.now() - 1_000));
    if (performance.now() - last > 1_000 && since.length >= 20) return last;
    if (performance.now() > deadline) throw new Error("the service has not come back in 30 s");
  }
}

async function expectThere(connection: Connection, { records, keys, revoked }: Acknowledged): Promise<void> {
  expect(records.length).toBeGreaterThan(5);
  const stored = await connection.query<{ source_id: string; events: number }>(
    `select source_id, (select count(*)::integer from funding.events as event
                        where event.record_id = contract.id and event.event = 'contract.created') as events
     from funding.contracts as contract where source = 'faults' and source_id = any($1)`,
    [records],
  );
  expect(stored.filter(({ events }) => events !== 1)).toEqual([]);
  expect(stored).toHaveLength(records.length);
  const valid = (state: boolean) =>
    connection.query<{ key_hash: string }>(
      "select key_hash from funding.api_keys where name = 'fault' and (revoked_at is null) = $1",
      [state],
    );
  const hashes = async (list: string[]) => Promise.all(list.map(hashKey));
  const letIn = new Set((await valid(true)).map(({ key_hash }) => key_hash));
  const shutOut = new Set((await valid(false)).map(({ key_hash }) => key_hash));
  expect((await hashes(keys)).filter((hash) => !letIn.has(hash))).toEqual([]);
  expect((await hashes(revoked)).filter((hash) => !shutOut.has(hash))).toEqual([]);
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
