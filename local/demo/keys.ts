import { createAccount, defineTier } from "../../accounts/accounts.ts";
import { createKey } from "../../accounts/keys.ts";
import type { Connection } from "../../database/connection.ts";

/** API keys that `npm start` prints. */
export interface DemoKeys {
  /** Developer tier, unlimited. */
  api_key: string;
  /** A tier with 100 requests a day. */
  limited_api_key: string;
  /** The free tier, which has no API access. */
  free_api_key: string;
}

/** Opens three demo accounts, one a tier, each with a key. */
export async function createDemoKeys(connection: Connection): Promise<DemoKeys> {
  await defineTier(connection, "limited", 100);
  return {
    api_key: await keyOnTier(connection, "developer"),
    limited_api_key: await keyOnTier(connection, "limited"),
    free_api_key: await keyOnTier(connection, "free"),
  };
}

/** E-mail address of the demo account on a tier. */
export function demoEmail(tier: "developer" | "limited" | "free"): string {
  return `${tier}@demo.example`;
}

async function keyOnTier(connection: Connection, tier: "developer" | "limited" | "free"): Promise<string> {
  const email = demoEmail(tier);
  // An interrupted start may have left the account behind, whose key nobody has.
  await connection.query("delete from funding.accounts where email = $1", [email]);
  await createAccount(connection, email, tier);
  return (await createKey(connection, email, "demo")).key;
}
