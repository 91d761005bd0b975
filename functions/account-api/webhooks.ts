import type { RpcFailure, RpcOutcome } from "../../shared/database/rpc.ts";
import type { Webhook } from "../../shared/responses/account/webhooks.ts";
import { readJsonBody } from "../../shared/validation/body.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";
import { urlFault } from "../../shared/webhooks/endpoint-url.ts";
import { generateSecret, type SecretBox } from "../../shared/webhooks/secret-box.ts";
import { type AccountContext, accountRoute, readWithId } from "./route.ts";
import { rotateBody, webhookBodies } from "./webhook-bodies.ts";

/** Accepts loopback URLs: `query` refuses them where the platform does not allow them. */
const bodies = webhookBodies(true);

/** `GET /account-api/webhooks` */
const list = accountRoute({
  method: "GET",
  path: "/webhooks",
  parse: (request) => readQuery(new URL(request.url).search, noParameters),
  query: ({ database, signedIn }) => database.call("list_webhooks", { ...signedIn }),
  render: (body) => ({ body }),
});

/** `GET /account-api/webhooks/{id}` */
const single = accountRoute({
  method: "GET",
  path: "/webhooks/{id}",
  parse: (_request, parameters) => readWithId(parameters),
  query: ({ database, signedIn }, { id }) => database.call("get_webhook", { ...signedIn, webhook_id: id }),
  render: (body) => ({ body }),
});

/** `POST /account-api/webhooks`: shows the secret, as only this answer and a rotation's do. */
const create = accountRoute({
  method: "POST",
  path: "/webhooks",
  parse: (request) => readJsonBody(request, bodies.create),
  async query({ writes, webhooks }, input) {
    const refused = refuseUrl(input.url, webhooks.allowLoopback);
    if (refused !== undefined) return refused;
    const id = crypto.randomUUID();
    return withSecret(webhooks, id, (sealed, secret) =>
      writes.callWithSecret("create_webhook", { webhook: { ...input, id, secret: sealed } }, secret),
    );
  },
  render: (body) => ({ body, status: 201 }),
});

/** `POST /account-api/webhooks/preview`: reads alone, but a filter may be too long for an address. */
const preview = accountRoute({
  method: "POST",
  path: "/webhooks/preview",
  parse: (request) => readJsonBody(request, bodies.preview),
  query: ({ database, signedIn }, webhook) => database.call("preview_webhook", { ...signedIn, webhook }),
  render: (body) => ({ body }),
});

/** `PATCH /account-api/webhooks/{id}`: also pauses a webhook, and activates one that was paused or disabled. */
const update = accountRoute({
  method: "PATCH",
  path: "/webhooks/{id}",
  parse: (request, parameters) => readWithId(parameters, () => readJsonBody(request, bodies.update)),
  async query({ database, signedIn, webhooks }, { id, input }) {
    const refused = input.url === undefined ? undefined : refuseUrl(input.url, webhooks.allowLoopback);
    return refused ?? database.call("update_webhook", { ...signedIn, webhook_id: id, changes: input });
  },
  render: (body) => ({ body }),
});

/** How long a request goes on deleting a webhook's deliveries, in milliseconds. The next request goes on where it ended. */
const deletionMs = 10_000;

/** `DELETE /account-api/webhooks/{id}`: one call of the database after the other, where there are very many deliveries. */
const remove = accountRoute({
  method: "DELETE",
  path: "/webhooks/{id}",
  parse: (_request, parameters) => readWithId(parameters),
  async query({ database, signedIn }, { id }) {
    const ends = performance.now() + deletionMs;
    for (;;) {
      const outcome = await database.call("delete_webhook", { ...signedIn, webhook_id: id });
      if (!outcome.ok || outcome.value.is_deleted) return outcome;
      if (performance.now() >= ends) return stillDeleting;
    }
  },
  render: ({ id }) => ({ body: { id } }),
});

/** `POST /account-api/webhooks/{id}/rotate`: shows the new secret. */
const rotate = accountRoute({
  method: "POST",
  path: "/webhooks/{id}/rotate",
  parse: (request, parameters) => readWithId(parameters, () => readJsonBody(request, rotateBody)),
  query: ({ writes, webhooks }, { id, input }) =>
    withSecret(webhooks, id, (sealed, secret) =>
      writes.callWithSecret("rotate_webhook_secret", { webhook_id: id, secret: sealed, ...input }, secret),
    ),
  render: (body) => ({ body, status: 201 }),
});

export const webhookRoutes = [list, create, preview, single, update, remove, rotate];

/** Generates a secret, stores it sealed, and adds its text to the answer. */
async function withSecret(
  { secrets }: { secrets: SecretBox | undefined },
  id: string,
  store: (sealed: string, secret: string) => Promise<RpcOutcome<{ result: Webhook; secret: string | null }>>,
): Promise<RpcOutcome<Webhook & { secret: string | null }>> {
  if (secrets === undefined) {
    const message = "Webhooks are not set up here: the operator has to set WEBHOOK_SECRETS_KEY.";
    return { ok: false, failure: { code: "PT503", message, details: null, hint: null } };
  }
  const secret = generateSecret();
  const outcome = await store(await secrets.seal(secret, id), secret);
  return outcome.ok ? { ok: true, value: { ...outcome.value.result, secret: outcome.value.secret } } : outcome;
}

/** Failure of a deletion that took too long for one request: 503 with `Retry-After`. */
const stillDeleting: RpcOutcome<never> = {
  ok: false,
  failure: {
    code: "PT503",
    message: "Part of the webhook's deliveries are deleted. Send the request again to go on.",
    details: null,
    // Seconds.
    hint: "1",
  },
};

function refuseUrl(
  url: string,
  allowLoopback: AccountContext["webhooks"]["allowLoopback"],
): { ok: false; failure: RpcFailure } | undefined {
  const message = urlFault(url, allowLoopback);
  if (message === undefined) return undefined;
  return { ok: false, failure: { code: "PT400", message, details: null, hint: "url" } };
}
