import type { RpcFailure, RpcOutcome } from "../../shared/database/rpc.ts";
import type { Webhook } from "../../shared/responses/account/webhooks.ts";
import { urlFault } from "../../shared/webhooks/endpoint-url.ts";
import { generateSecret, type SecretBox } from "../../shared/webhooks/secret-box.ts";
import { type AccountContext, created, inMembers, nothing, route, withId } from "./route.ts";
import { rotateBody, webhookBodies } from "./webhook-bodies.ts";

/** Accepts loopback URLs: `query` refuses them where the platform does not allow them. */
const bodies = webhookBodies(true);

/** How long a request goes on deleting a webhook's deliveries, in milliseconds. The next request goes on where it ended. */
const deletionMs = 10_000;

export const webhookRoutes = [
  route("GET /account-api/webhooks", nothing, ({ call }) => call("list_webhooks", {})),
  /** Shows the secret, as only this answer and a rotation's do. */
  route(
    "POST /account-api/webhooks",
    inMembers(bodies.create),
    async ({ writes, webhooks }, input) => {
      const refused = refuseUrl(input.url, webhooks.allowLoopback);
      if (refused !== undefined) return refused;
      const id = crypto.randomUUID();
      return withSecret(webhooks, id, (sealed, secret) =>
        writes.callWithSecret("create_webhook", { webhook: { ...input, id, secret: sealed } }, secret),
      );
    },
    created,
  ),
  /** Reads alone, but a filter may be too long for an address. */
  route("POST /account-api/webhooks/preview", inMembers(bodies.preview), ({ call }, webhook) =>
    call("preview_webhook", { webhook }),
  ),
  route("GET /account-api/webhooks/{id}", withId(), ({ call }, { id }) => call("get_webhook", { webhook_id: id })),
  /** Also pauses a webhook, and activates one that was paused or disabled. */
  route(
    "PATCH /account-api/webhooks/{id}",
    withId(inMembers(bodies.update)),
    async ({ call, webhooks }, { id, input }) => {
      const refused = input.url === undefined ? undefined : refuseUrl(input.url, webhooks.allowLoopback);
      return refused ?? call("update_webhook", { webhook_id: id, changes: input });
    },
  ),
  /** One call of the database after the other, where there are very many deliveries. */
  route(
    "DELETE /account-api/webhooks/{id}",
    withId(),
    async ({ call }, { id }) => {
      const ends = performance.now() + deletionMs;
      for (;;) {
        const outcome = await call("delete_webhook", { webhook_id: id });
        if (!outcome.ok || outcome.value.is_deleted) return outcome;
        if (performance.now() >= ends) return stillDeleting;
      }
    },
    ({ id }) => ({ body: { id } }),
  ),
  /** Shows the new secret. */
  route(
    "POST /account-api/webhooks/{id}/rotate",
    withId(inMembers(rotateBody)),
    ({ writes, webhooks }, { id, input }) =>
      withSecret(webhooks, id, (sealed, secret) =>
        writes.callWithSecret("rotate_webhook_secret", { webhook_id: id, secret: sealed, ...input }, secret),
      ),
    created,
  ),
];

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
