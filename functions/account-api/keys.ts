import { displayKey, generateKey, hashKey } from "../../shared/auth/key.ts";
import type { RpcOutcome } from "../../shared/database/rpc.ts";
import { type AccountKey, newKey, rotation } from "../../shared/responses/account/keys.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";
import { accountRoute, readAccountBody, readId } from "./route.ts";

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
  query: ({ database, signedIn }, { name, expires_at }) =>
    issue((issued) =>
      database.call("create_account_key", { ...signedIn, ...issued, name, ...(expires_at ? { expires_at } : {}) }),
    ),
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
  query: ({ database, signedIn }, input) =>
    issue((issued) => database.call("rotate_account_key", { ...signedIn, ...issued, ...input })),
  render: (key) => ({ body: key, status: 201 }),
});

/** `POST /account-api/keys/{id}/revoke` */
const revoke = accountRoute({
  method: "POST",
  path: "/keys/{id}/revoke",
  parse: (_request, parameters) => readId(parameters),
  query: ({ database, signedIn }, key_id) => database.call("revoke_account_key", { ...signedIn, key_id }),
  render: (key) => ({ body: key }),
});

export const keyRoutes = [list, create, rotate, revoke];

/** Generates a key, stores its hash and its visible part, and adds its text to the answer. */
async function issue(
  store: (issued: { key_hash: string; display: string }) => Promise<RpcOutcome<AccountKey>>,
): Promise<RpcOutcome<AccountKey & { key: string }>> {
  const key = generateKey();
  const outcome = await store({ key_hash: await hashKey(key), display: displayKey(key) });
  return outcome.ok ? { ok: true, value: { ...outcome.value, key } } : outcome;
}
