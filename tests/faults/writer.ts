import type pg from "pg";
import { displayKey, generateKey, hashKey } from "../../shared/auth/key.ts";

/** Writes that the database has acknowledged: each must last. */
export interface Acknowledged {
  /** Source ids of contracts. */
  records: string[];
  /** Keys that are let in, and those that were revoked. */
  keys: string[];
  revoked: string[];
}

export interface Writer {
  acknowledged: Acknowledged;
  /** Ends when what is under way is. */
  stop(): Promise<void>;
}

const pauseMs = 20;

/**
 * Writes records, creates keys and revokes every third, one commit each, on a session of its own; a session that broke
 * is replaced. What was not acknowledged may be there or not.
 *
 * @param email the account of the keys.
 */
export function startWriter(session: () => Promise<pg.Client>, email: string): Writer {
  const acknowledged: Acknowledged = { records: [], keys: [], revoked: [] };
  const run = crypto.randomUUID().slice(0, 8);
  let isStopped = false;
  let number = 0;
  let client: pg.Client | undefined;

  const write = async (): Promise<void> => {
    client ??= await session();
    number += 1;
    const record = contract(`${run}-${number}`);
    await client.query("select funding.upsert_records('contracts', $1::jsonb)", [JSON.stringify([record])]);
    acknowledged.records.push(record.source_id);
    const key = generateKey();
    await client.query("select funding.create_key($1, 'fault', $2, $3)", [email, await hashKey(key), displayKey(key)]);
    // A revocation whose answer is lost may have happened: such a key may work or not.
    if (number % 3 !== 0) {
      acknowledged.keys.push(key);
      return;
    }
    await client.query("select funding.revoke_key((select id from funding.api_keys where key_hash = $1))", [
      await hashKey(key),
    ]);
    acknowledged.revoked.push(key);
  };

  const done = (async () => {
    while (!isStopped) {
      try {
        await write();
      } catch {
        void client?.end().catch(() => undefined);
        client = undefined;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    await client?.end().catch(() => undefined);
  })();
  return {
    acknowledged,
    async stop() {
      isStopped = true;
      await done;
    },
  };
}

export function contract(sourceId: string) {
  return {
    source: "faults",
    source_id: sourceId,
    title: `Repair of lock number ${sourceId}`,
    description: "Gates, pumps and walls.",
    amount_min: 10_000,
    amount_max: 80_000,
    deadline_date: "2031-07-01",
    status: "open",
    classification: "opportunity",
    states: ["OH"],
    is_national: false,
    geography: "Ohio",
    funder_name: "Canal Office",
    created_at: "2026-06-01T00:00:00Z",
    categories: ["Environment"],
    identifiers: [],
    archived_at: null,
    naics: "237310",
    set_aside_code: "8A",
  };
}
