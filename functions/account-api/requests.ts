import { fail, invalidParameters, succeed } from "../../shared/http/problems.ts";
import { nextOf } from "../../shared/responses/account/log-page.ts";
import { requestId, requestListParameters } from "../../shared/responses/account/requests.ts";
import { inQuery, route } from "./route.ts";

export const requestRoutes = [
  /** The account's latest requests, newest first; `next` is the `page` of the next request. */
  route(
    "GET /account-api/requests",
    inQuery(requestListParameters),
    ({ call }, { status, ...filter }) =>
      call("list_account_requests", { filter: { ...filter, ...(status && { status_class: Number(status[0]) }) } }),
    ({ requests, next }) => ({ body: { requests, next: nextOf(next) } }),
  ),
  /** One request, by the `X-Request-Id` of its answer. */
  route(
    "GET /account-api/requests/{request_id}",
    (_request, { request_id = "" }) => {
      const id = requestId.safeParse(decoded(request_id));
      if (id.success) return succeed(id.data);
      return fail(invalidParameters([{ parameter: "request_id", message: "must be the X-Request-Id of an answer" }]));
    },
    ({ call }, request_id) => call("get_account_request", { request_id }),
  ),
];

/** A segment of a path as its client meant it: `:` may come as `%3A`. Invalid percent-encoding stays, and is no id. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
