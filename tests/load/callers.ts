import { createAccount, defineTier } from "../../database/accounts/accounts.ts";
import { createKey } from "../../database/accounts/keys.ts";
import type { Connection } from "../../database/connection.ts";
import { generateKey } from "../../shared/auth/key.ts";

/** Caller with an account of its own for each run, so that its usage is that of the run. */
export interface Caller {
  name: string;
  key: string;
  keyId: string;
  /** Requests a day; undefined is unlimited. */
  quota?: number;
}

/** The callers of the mix, and invalid keys. */
export interface Callers {
  developers: [Caller, Caller];
  free: Caller;
  /** Well-formed, and never issued. */
  unknownKey: string;
  malformedKey: string;
}

export async function createCallers(connection: Connection): Promise<Callers> {
  return {
    developers: [
      await createCaller(connection, "first", "developer"),
      await createCaller(connection, "second", "developer"),
    ],
    free: await createCaller(connection, "free", "free"),
    unknownKey: generateKey(),
    malformedKey: `${generateKey().slice(0, -1)}_`,
  };
}

/** A caller whose quota is used up after so many requests. */
export async function createLimitedCaller(connection: Connection, quota: number): Promise<Caller> {
  const tier = `load-${crypto.randomUUID()}`;
  await defineTier(connection, tier, quota);
  return { ...(await createCaller(connection, "limited", tier)), quota };
}

async function createCaller(connection: Connection, name: string, tier: string): Promise<Caller> {
  const email = `${name}-${crypto.randomUUID()}@load.example`;
  await createAccount(connection, email, tier);
  const { id, key } = await createKey(connection, email, "load");
  return { name, key, keyId: id };
}
