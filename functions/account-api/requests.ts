import { fail, invalidParameters, succeed } from "../../shared/http/problems.ts";
import { nextOf } from "../../shared/responses/account/log-page.ts";
import { requestId, requestListParameters } from "../../shared/responses/account/requests.ts";
import { readQuery } from "../../shared/validation/query.ts";
import { accountRoute } from "./route.ts";

/** `GET /account-api/requests`: the account's latest requests, newest first; `next` is the `page` of the next request. */
const list = accountRoute({
  method: "GET",
  path: "/requests",
  parse: (request) =>
    readQuery(new URL(request.url).search, {
      names: Object.keys(requestListParameters.shape),
      schema: requestListParameters,
    }),
  query: ({ database, signedIn }, { status, ...filter }) =>
    database.call("list_account_requests", {
      ...signedIn,
      filter: { ...filter, ...(status && { status_class: Number(status[0]) }) },
    }),
  render: ({ requests, next }) => ({ body: { requests, next: nextOf(next) } }),
});

/** `GET /account-api/requests/{request_id}`: one request, by the `X-Request-Id` of its answer. */
const single = accountRoute({
  method: "GET",
  path: "/requests/{request_id}",
  parse: (_request, { request_id = "" }) => {
    const id = requestId.safeParse(decoded(request_id));
    if (id.success) return succeed(id.data);
    return fail(invalidParameters([{ parameter: "request_id", message: "must be the X-Request-Id of an answer" }]));
  },
  query: ({ database, signedIn }, request_id) => database.call("get_account_request", { ...signedIn, request_id }),
  render: (body) => ({ body }),
});

/** A segment of a path as its client meant it: `:` may come as `%3A`. Invalid percent-encoding stays, and is no id. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export const requestRoutes = [list, single];
