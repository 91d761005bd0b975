import { displayKey, generateKey, hashKey } from "../../shared/auth/key.ts";
import type { RpcOutcome, Rpcs } from "../../shared/database/rpc.ts";
import { keyChanges, newKey, rotation } from "../../shared/responses/account/keys.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";
import { accountRoute, readAccountBody, readId, readWithId } from "./route.ts";
import type { Writes } from "./writes.ts";

/** `GET /account-api/keys` */
const list = accountRoute({
  method: "GET",
  path: "/keys",
  parse: (request) => readQuery(new URL(request.url).search, noParameters),
  query: ({ database, signedIn }) => database.call("list_account_keys", { ...signedIn }),
  render: (keys) => ({ body: { keys } }),
});

/** `POST /account-api/keys` */
const create = accountRoute({
  method: "POST",
  path: "/keys",
  parse: (request) => readAccountBody(request, newKey),
  query: ({ writes }, { name, expires_at, ...limits }) =>
    issue(writes, "create_account_key", { name, ...(expires_at ? { expires_at } : {}), limits }),
  render: (key) => ({ body: key, status: 201 }),
});

/** `PATCH /account-api/keys/{id}`: changes the key's limits. */
const update = accountRoute({
  method: "PATCH",
  path: "/keys/{id}",
  parse: (request, parameters) => readWithId(parameters, () => readAccountBody(request, keyChanges)),
  query: ({ database, signedIn }, { id, input }) =>
    database.call("limit_account_key", { ...signedIn, key_id: id, limits: input }),
  render: (key) => ({ body: key }),
});

/** `POST /account-api/explorer-key` */
const createForExplorer = accountRoute({
  method: "POST",
  path: "/explorer-key",
  parse: (request) => readQuery(new URL(request.url).search, noParameters),
  query: ({ writes }) => issue(writes, "create_explorer_key", {}),
  render: (key) => ({ body: key, status: 201 }),
});

/** `POST /account-api/keys/{id}/rotate` */
const rotate = accountRoute({
  method: "POST",
  path: "/keys/{id}/rotate",
  async parse(request, parameters) {
    const id = readId(parameters);
    if (!id.ok) return id;
    const body = await readAccountBody(request, rotation);
    return body.ok ? { ok: true, value: { key_id: id.value, ...body.value } } : body;
  },
  query: ({ writes }, input) => issue(writes, "rotate_account_key", input),
  render: (key) => ({ body: key, status: 201 }),
});

/** `POST /account-api/keys/{id}/revoke` */
const revoke = accountRoute({
  method: "POST",
  path: "/keys/{id}/revoke",
  parse: (_request, parameters) => readId(parameters),
  query: ({ writes }, key_id) => writes.call("revoke_account_key", { key_id }),
  render: (key) => ({ body: key }),
});

export const keyRoutes = [list, create, update, createForExplorer, rotate, revoke];

/** Generates a key, stores its hash and its visible part, and adds its text to the answer. */
async function issue<Name extends "create_account_key" | "create_explorer_key" | "rotate_account_key">(
  writes: Writes,
  name: Name,
  parameters: Omit<Rpcs[Name]["arguments"], "user_id" | "session_id" | "key_hash" | "display">,
): Promise<RpcOutcome<Rpcs[Name]["result"] & { key: string | null }>> {
  const key = generateKey();
  const issued = { key_hash: await hashKey(key), display: displayKey(key), ...parameters };
  const outcome = await writes.callWithSecret(
    name,
    issued as Omit<Rpcs[Name]["arguments"], "user_id" | "session_id">,
    key,
  );
  return outcome.ok ? { ok: true, value: { ...outcome.value.result, key: outcome.value.secret } } : outcome;
}
