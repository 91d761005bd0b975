import { createAccount } from "../../database/accounts/accounts.ts";
import { createKey, revokeKey } from "../../database/accounts/keys.ts";
import type { Connection } from "../../database/connection.ts";
import { generateKey } from "../../shared/auth/key.ts";

/** Refused keys, by the reason. */
export interface RefusedKeys {
  keys: Record<string, string[]>;
  /** Deletes the keys' account. */
  deleteAccount(): Promise<void>;
}

/** Makes keys of each kind that is answered 401. `control` is the same kind as `unknown`. */
export async function makeKeys(connection: Connection, count: number): Promise<RefusedKeys> {
  const email = `${crypto.randomUUID()}@keys.example`;
  await createAccount(connection, email, "developer");
  const issue = async () => {
    const { id, key } = await createKey(connection, email, "bench");
    return { id, key };
  };
  const keys: Record<string, string[]> = { unknown: [], control: [], revoked: [], expired: [] };
  for (let made = 0; made < count; made++) {
    keys.unknown?.push(generateKey());
    keys.control?.push(generateKey());
    const revoked = await issue();
    await revokeKey(connection, revoked.id);
    keys.revoked?.push(revoked.key);
    const expired = await issue();
    await connection.query("update funding.api_keys set expires_at = now() - interval '1 day' where id = $1", [
      expired.id,
    ]);
    keys.expired?.push(expired.key);
  }
  await connection.execute("analyze funding.api_keys");
  return {
    keys,
    deleteAccount: async () => {
      await connection.query("delete from funding.accounts where email = $1", [email]);
    },
  };
}
