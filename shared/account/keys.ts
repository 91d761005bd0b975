import { displayKey, generateKey, hashKey } from "../auth/key.ts";
import type { RpcOutcome } from "../database/rpc.ts";
import { noParameters, readQuery } from "../validation/query.ts";
import { readAccountBody, readId } from "./read.ts";
import { accountRoute } from "./route.ts";
import { type AccountKey, newKey, rotation } from "./schemas/keys.ts";

/** `GET /account-api/keys` */
const list = accountRoute({
  method: "GET",
  path: "/keys",
  read: (request) => readQuery(new URL(request.url).search, noParameters),
  ask: ({ database, signedIn }) => database.call("list_account_keys", { ...signedIn }),
  show: (keys) => ({ body: { keys } }),
});

/** `POST /account-api/keys` */
const create = accountRoute({
  method: "POST",
  path: "/keys",
  read: (request) => readAccountBody(request, newKey),
  ask: ({ database, signedIn }, { name, expires_at }) =>
    issue((issued) =>
      database.call("create_account_key", { ...signedIn, ...issued, name, ...(expires_at ? { expires_at } : {}) }),
    ),
  show: (key) => ({ body: key, status: 201 }),
});

/** `POST /account-api/keys/{id}/rotate` */
const rotate = accountRoute({
  method: "POST",
  path: "/keys/{id}/rotate",
  async read(request, parameters) {
    const id = readId(parameters);
    if (!id.ok) return id;
    const body = await readAccountBody(request, rotation);
    return body.ok ? { ok: true, value: { key_id: id.value, ...body.value } } : body;
  },
  ask: ({ database, signedIn }, asked) =>
    issue((issued) => database.call("rotate_account_key", { ...signedIn, ...issued, ...asked })),
  show: (key) => ({ body: key, status: 201 }),
});

/** `POST /account-api/keys/{id}/revoke` */
const revoke = accountRoute({
  method: "POST",
  path: "/keys/{id}/revoke",
  read: (_request, parameters) => readId(parameters),
  ask: ({ database, signedIn }, key_id) => database.call("revoke_account_key", { ...signedIn, key_id }),
  show: (key) => ({ body: key }),
});

export const keyRoutes = [list, create, rotate, revoke];

/** Makes a key, has the database store what it may know of it, and puts the key's text to what is answered. */
async function issue(
  store: (issued: { key_hash: string; display: string }) => Promise<RpcOutcome<AccountKey>>,
): Promise<RpcOutcome<AccountKey & { key: string }>> {
  const key = generateKey();
  const outcome = await store({ key_hash: await hashKey(key), display: displayKey(key) });
  return outcome.ok ? { ok: true, value: { ...outcome.value, key } } : outcome;
}
