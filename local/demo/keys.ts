import * as z from "zod";
import { createAccount, defineTier } from "../../database/accounts/accounts.ts";
import { createKey } from "../../database/accounts/keys.ts";
import type { Connection } from "../../database/connection.ts";

/** API keys that `npm start` prints. */
export const demoKeys = z.object({
  /** Developer tier, unlimited. */
  api_key: z.string(),
  /** A tier with 100 requests a day. */
  limited_api_key: z.string(),
  /** The free tier, which has no API access. */
  free_api_key: z.string(),
});
export type DemoKeys = z.infer<typeof demoKeys>;

const keyName = "demo";

/**
 * Makes a key for each of three demo accounts, one a tier. It opens those that there are not; the others keep all but their first key of that name.
 */
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
  const [known] = await connection.query<{ id: string }>("select id from funding.accounts where email = $1", [email]);
  // An interrupted start may have left an account with a key that nobody has. It may also be in use, and the file of its keys gone.
  if (known === undefined) await createAccount(connection, email, tier);
  else {
    await connection.query(
      `delete from funding.api_keys where id = (
         select id from funding.api_keys where account_id = $1 and name = $2 order by created_at, id limit 1)`,
      [known.id, keyName],
    );
  }
  return (await createKey(connection, email, keyName)).key;
}
