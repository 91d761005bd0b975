import { generateKey, hashKey } from "../../shared/auth/key.ts";
import { readJsonBody } from "../../shared/validation/body.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";
import { accountRoute, readWithId } from "./route.ts";
import { createBody, seenBody, updateBody } from "./saved-search-bodies.ts";

/** `GET /account-api/saved-searches`: each with the number of its new records; and whether digests can be sent. */
const list = accountRoute({
  method: "GET",
  path: "/saved-searches",
  parse: (request) => readQuery(new URL(request.url).search, noParameters),
  async query({ database, signedIn, mail }) {
    const outcome = await database.call("list_saved_searches", { ...signedIn });
    return outcome.ok ? { ok: true, value: { ...outcome.value, has_mailer: mail.isSetUp } } : outcome;
  },
  render: (body) => ({ body }),
});

/** `GET /account-api/saved-searches/{id}` */
const single = accountRoute({
  method: "GET",
  path: "/saved-searches/{id}",
  parse: (_request, parameters) => readWithId(parameters),
  query: ({ database, signedIn }, { id }) => database.call("get_saved_search", { ...signedIn, saved_search_id: id }),
  render: (body) => ({ body }),
});

/** `POST /account-api/saved-searches` */
const create = accountRoute({
  method: "POST",
  path: "/saved-searches",
  parse: (request) => readJsonBody(request, createBody),
  query: ({ writes }, saved_search) => writes.call("create_saved_search", { saved_search }),
  render: (body) => ({ body, status: 201 }),
});

/** `PATCH /account-api/saved-searches/{id}`: a digest is ended without a mailer, too, and set only with one. */
const update = accountRoute({
  method: "PATCH",
  path: "/saved-searches/{id}",
  parse: (request, parameters) => readWithId(parameters, () => readJsonBody(request, updateBody)),
  query: async ({ database, signedIn, mail }, { id, input }) =>
    input.digest && !mail.isSetUp
      ? { ok: false, failure: { code: "PT409", message: "this deployment sends no e-mail", details: null, hint: null } }
      : database.call("update_saved_search", { ...signedIn, saved_search_id: id, changes: input }),
  render: (body) => ({ body }),
});

/** `DELETE /account-api/saved-searches/{id}`: its address ends as well. */
const remove = accountRoute({
  method: "DELETE",
  path: "/saved-searches/{id}",
  parse: (_request, parameters) => readWithId(parameters),
  query: ({ database, signedIn }, { id }) => database.call("delete_saved_search", { ...signedIn, saved_search_id: id }),
  render: (body) => ({ body }),
});

/** `POST /account-api/saved-searches/{id}/seen`: its records are no longer new. */
const seen = accountRoute({
  method: "POST",
  path: "/saved-searches/{id}/seen",
  parse: (request, parameters) => readWithId(parameters, () => readJsonBody(request, seenBody)),
  query: ({ writes }, { id, input }) =>
    writes.call("mark_saved_search_seen", { saved_search_id: id, ...(input.until && { until: input.until }) }),
  render: (body) => ({ body }),
});

/** `POST /account-api/saved-searches/{id}/address`: a new secret address, shown once. The former one ends. */
const issue = accountRoute({
  method: "POST",
  path: "/saved-searches/{id}/address",
  parse: (_request, parameters) => readWithId(parameters),
  async query({ writes }, { id }) {
    const token = generateKey("fo_feed_");
    const parameters = { saved_search_id: id, token_hash: await hashKey(token) };
    const outcome = await writes.callWithSecret("issue_saved_search_address", parameters, token);
    if (!outcome.ok) return outcome;
    return { ok: true, value: { ...outcome.value.result, token: outcome.value.secret } };
  },
  render: (body) => ({ body, status: 201 }),
});

/** `POST /account-api/saved-searches/{id}/address/revoke` */
const revoke = accountRoute({
  method: "POST",
  path: "/saved-searches/{id}/address/revoke",
  parse: (_request, parameters) => readWithId(parameters),
  query: ({ writes }, { id }) => writes.call("revoke_saved_search_address", { saved_search_id: id }),
  render: (body) => ({ body }),
});

export const savedSearchRoutes = [list, create, single, update, remove, seen, issue, revoke];
