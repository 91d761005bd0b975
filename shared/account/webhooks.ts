import type { RpcFailure, RpcOutcome } from "../database/rpc.ts";
import { readJsonBody } from "../validation/body.ts";
import { noParameters, readQuery } from "../validation/query.ts";
import { rotateBody, webhookBodies } from "../webhooks/endpoint.ts";
import { urlFault } from "../webhooks/endpoint-url.ts";
import { generateSecret } from "../webhooks/secret.ts";
import type { SecretBox } from "../webhooks/secret-box.ts";
import type { Webhook } from "../webhooks/shown.ts";
import { readWithId } from "./read.ts";
import { type AccountContext, accountRoute } from "./route.ts";

/** Whether this machine is accepted is the platform's to say, which `ask` knows. */
const bodies = webhookBodies(true);

/** `GET /account-api/webhooks` */
const list = accountRoute({
  method: "GET",
  path: "/webhooks",
  read: (request) => readQuery(new URL(request.url).search, noParameters),
  ask: ({ database, signedIn }) => database.call("list_webhooks", { ...signedIn }),
  show: (body) => ({ body }),
});

/** `GET /account-api/webhooks/{id}` */
const single = accountRoute({
  method: "GET",
  path: "/webhooks/{id}",
  read: (_request, parameters) => readWithId(parameters),
  ask: ({ database, signedIn }, { id }) => database.call("get_webhook", { ...signedIn, webhook_id: id }),
  show: (body) => ({ body }),
});

/** `POST /account-api/webhooks`: the one answer that shows the secret, but for a rotation's. */
const create = accountRoute({
  method: "POST",
  path: "/webhooks",
  read: (request) => readJsonBody(request, bodies.create),
  async ask({ database, signedIn, webhooks }, asked) {
    const refused = urlRefusal(asked.url, webhooks.allowLoopback);
    if (refused !== undefined) return refused;
    const id = crypto.randomUUID();
    return withSecret(webhooks, id, (secret) =>
      database.call("create_webhook", { ...signedIn, webhook: { ...asked, id, secret } }),
    );
  },
  show: (body) => ({ body, status: 201 }),
});

/** `PATCH /account-api/webhooks/{id}`: also pauses it, and starts one that was paused or disabled. */
const update = accountRoute({
  method: "PATCH",
  path: "/webhooks/{id}",
  read: (request, parameters) => readWithId(parameters, () => readJsonBody(request, bodies.update)),
  async ask({ database, signedIn, webhooks }, { id, asked }) {
    const refused = asked.url === undefined ? undefined : urlRefusal(asked.url, webhooks.allowLoopback);
    return refused ?? database.call("update_webhook", { ...signedIn, webhook_id: id, changes: asked });
  },
  show: (body) => ({ body }),
});

/** `DELETE /account-api/webhooks/{id}` */
const remove = accountRoute({
  method: "DELETE",
  path: "/webhooks/{id}",
  read: (_request, parameters) => readWithId(parameters),
  ask: ({ database, signedIn }, { id }) => database.call("delete_webhook", { ...signedIn, webhook_id: id }),
  show: (body) => ({ body }),
});

/** `POST /account-api/webhooks/{id}/rotate`: shows the new secret. */
const rotate = accountRoute({
  method: "POST",
  path: "/webhooks/{id}/rotate",
  read: (request, parameters) => readWithId(parameters, () => readJsonBody(request, rotateBody)),
  ask: ({ database, signedIn, webhooks }, { id, asked }) =>
    withSecret(webhooks, id, (secret) =>
      database.call("rotate_webhook_secret", { ...signedIn, webhook_id: id, secret, ...asked }),
    ),
  show: (body) => ({ body, status: 201 }),
});

export const webhookRoutes = [list, create, single, update, remove, rotate];

/** Makes a secret, has the database store it sealed, and puts its text to what is answered. */
async function withSecret(
  { secrets }: { secrets: SecretBox | undefined },
  id: string,
  store: (sealed: string) => Promise<RpcOutcome<Webhook>>,
): Promise<RpcOutcome<Webhook & { secret: string }>> {
  if (secrets === undefined) {
    const message = "Webhooks are not set up here: the operator has to set WEBHOOK_SECRETS_KEY.";
    return { ok: false, failure: { code: "PT503", message, details: null, hint: null } };
  }
  const secret = generateSecret();
  const outcome = await store(await secrets.seal(secret, id));
  return outcome.ok ? { ok: true, value: { ...outcome.value, secret } } : outcome;
}

function urlRefusal(
  url: string,
  allowLoopback: AccountContext["webhooks"]["allowLoopback"],
): { ok: false; failure: RpcFailure } | undefined {
  const message = urlFault(url, allowLoopback);
  if (message === undefined) return undefined;
  return { ok: false, failure: { code: "PT400", message, details: null, hint: "url" } };
}
