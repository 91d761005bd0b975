import { displayKey, generateKey, hashKey } from "../../shared/auth/key.ts";
import type { RpcOutcome, Rpcs } from "../../shared/database/rpc.ts";
import { keyChanges, newKey, rotation } from "../../shared/responses/account/keys.ts";
import { created, inBody, nothing, route, withId } from "./route.ts";
import type { ArgumentsBeside, Writes } from "./writes.ts";

export const keyRoutes = [
  route(
    "GET /account-api/keys",
    nothing,
    ({ call }) => call("list_account_keys", {}),
    (keys) => ({ body: { keys } }),
  ),
  route(
    "POST /account-api/keys",
    inBody(newKey),
    ({ writes }, { name, expires_at, ...limits }) =>
      issue(writes, "create_account_key", { name, ...(expires_at ? { expires_at } : {}), limits }),
    created,
  ),
  /** Changes the key's limits. */
  route("PATCH /account-api/keys/{id}", withId(inBody(keyChanges)), ({ call }, { id, input }) =>
    call("limit_account_key", { key_id: id, limits: input }),
  ),
  route("POST /account-api/explorer-key", nothing, ({ writes }) => issue(writes, "create_explorer_key", {}), created),
  route(
    "POST /account-api/keys/{id}/rotate",
    withId(inBody(rotation)),
    ({ writes }, { id, input }) => issue(writes, "rotate_account_key", { key_id: id, ...input }),
    created,
  ),
  route("POST /account-api/keys/{id}/revoke", withId(), ({ writes }, { id }) =>
    writes.call("revoke_account_key", { key_id: id }),
  ),
];

/** Generates a key, stores its hash and its visible part, and adds its text to the answer. */
async function issue<Name extends "create_account_key" | "create_explorer_key" | "rotate_account_key">(
  writes: Writes,
  name: Name,
  parameters: Omit<ArgumentsBeside<Name>, "key_hash" | "display">,
): Promise<RpcOutcome<Rpcs[Name]["result"] & { key: string | null }>> {
  const key = generateKey();
  const issued = { key_hash: await hashKey(key), display: displayKey(key), ...parameters };
  const outcome = await writes.callWithSecret(name, issued as ArgumentsBeside<Name>, key);
  return outcome.ok ? { ok: true, value: { ...outcome.value.result, key: outcome.value.secret } } : outcome;
}
