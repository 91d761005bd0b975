import { generateKey, hashKey } from "../../shared/auth/key.ts";
import { created, inMembers, nothing, route, withId } from "./route.ts";
import { createBody, seenBody, updateBody } from "./saved-search-bodies.ts";

export const savedSearchRoutes = [
  /** Each with the number of its new records; and whether digests can be sent. */
  route("GET /account-api/saved-searches", nothing, async ({ call, mail }) => {
    const outcome = await call("list_saved_searches", {});
    return outcome.ok ? { ok: true, value: { ...outcome.value, has_mailer: mail.isSetUp } } : outcome;
  }),
  route(
    "POST /account-api/saved-searches",
    inMembers(createBody),
    ({ writes }, saved_search) => writes.call("create_saved_search", { saved_search }),
    created,
  ),
  route("GET /account-api/saved-searches/{id}", withId(), ({ call }, { id }) =>
    call("get_saved_search", { saved_search_id: id }),
  ),
  /** A digest is ended without a mailer, too, and set only with one. */
  route(
    "PATCH /account-api/saved-searches/{id}",
    withId(inMembers(updateBody)),
    async ({ call, mail }, { id, input }) =>
      input.digest && !mail.isSetUp
        ? {
            ok: false,
            failure: { code: "PT409", message: "this deployment sends no e-mail", details: null, hint: null },
          }
        : call("update_saved_search", { saved_search_id: id, changes: input }),
  ),
  /** Its address ends as well. */
  route("DELETE /account-api/saved-searches/{id}", withId(), ({ call }, { id }) =>
    call("delete_saved_search", { saved_search_id: id }),
  ),
  /** Its records are no longer new. */
  route("POST /account-api/saved-searches/{id}/seen", withId(inMembers(seenBody)), ({ writes }, { id, input }) =>
    writes.call("mark_saved_search_seen", { saved_search_id: id, ...(input.until && { until: input.until }) }),
  ),
  /** A new secret address, shown once. The former one ends. */
  route(
    "POST /account-api/saved-searches/{id}/address",
    withId(),
    async ({ writes }, { id }) => {
      const token = generateKey("fo_feed_");
      const parameters = { saved_search_id: id, token_hash: await hashKey(token) };
      const outcome = await writes.callWithSecret("issue_saved_search_address", parameters, token);
      if (!outcome.ok) return outcome;
      return { ok: true, value: { ...outcome.value.result, token: outcome.value.secret } };
    },
    created,
  ),
  route("POST /account-api/saved-searches/{id}/address/revoke", withId(), ({ writes }, { id }) =>
    writes.call("revoke_saved_search_address", { saved_search_id: id }),
  ),
];
