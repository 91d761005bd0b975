import { hashKey, isWellFormedKey } from "../../shared/auth/key.ts";
import type { RpcFailure, SavedSearchRead } from "../../shared/database/rpc.ts";
import { problemForFailure } from "../../shared/endpoint/database-failures.ts";
import { createHandler, type RoutePattern } from "../../shared/endpoint/handler.ts";
import type { RequestContext } from "../../shared/endpoint/request-context.ts";
import { requestDatabase } from "../../shared/endpoint/request-database.ts";
import { respondAnswer, respondProblem } from "../../shared/endpoint/respond.ts";
import { type Allowance, secondsUntilReset, weakTag } from "../../shared/http/headers.ts";
import type { Problem } from "../../shared/http/problems.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import type { Runtime } from "../../shared/runtime.ts";
import { writeAtom } from "./atom.ts";
import { writeCalendar } from "./calendar.ts";
import { isUnsubscribeRoute, respondUnsubscribe, unsubscribeRoutes } from "./unsubscribe.ts";

/** A document at a secret address. */
interface Document extends RoutePattern {
  kind: "feed" | "calendar";
  contentType: string;
  write(read: SavedSearchRead, entries: NonNullable<SavedSearchRead["entries"]>): string;
}

const documents: readonly Document[] = [
  {
    method: "GET",
    path: "/{token}/feed.atom",
    kind: "feed",
    contentType: "application/atom+xml; charset=utf-8",
    write: ({ search, last_modified }, entries) => writeAtom(search, entries, last_modified),
  },
  {
    method: "GET",
    path: "/{token}/deadlines.ics",
    kind: "calendar",
    contentType: "text/calendar; charset=utf-8",
    write: ({ search }, entries) => writeCalendar(search, entries),
  },
];

/**
 * `GET /saved-searches/{token}/feed.atom` and `/deadlines.ics`: a saved search for programs that cannot send a key. And
 * `/saved-searches/{token}/unsubscribe`, which ends the digest whose mail has the token. The token in the path is the
 * secret: it is stored by its hash alone, and logged nowhere. Parameters are ignored: feed readers and calendars add some of their own
 * (`?nocache=1`).
 */
export const handle = createHandler(
  "saved-searches",
  [...documents, ...unsubscribeRoutes],
  async (context, { route, parameters: { token = "" } }, runtime: Runtime) => {
    const { request } = context;
    if (isUnsubscribeRoute(route)) return respondUnsubscribe(context, route, token, runtime);
    if (!isWellFormedKey(token, "fo_feed_")) return respondProblem(context, unknownAddress);
    const token_hash = await hashKey(token);
    const outcome = await requestDatabase(context, runtime, token_hash).call("read_saved_search", {
      token_hash,
      kind: route.kind,
      ...knownCopy(request.headers),
    });
    if (outcome.ok) return respondDocument(context, route, outcome.value);
    const { problem, allowance } = problemFor(outcome.failure, new Date());
    if (problem.name === "server-error") context.error = `${outcome.failure.code} ${outcome.failure.message}`;
    return respondProblem(context, problem, allowance);
  },
);

export default { fetch: onEdge(handle) };

function respondDocument(context: RequestContext, { contentType, write }: Document, read: SavedSearchRead) {
  const { entries, tag, last_modified, read_limit } = read;
  const headers = {
    ETag: weakTag(tag),
    ...lastModified(last_modified, new Date()),
    "Cache-Control": "private, no-cache",
  };
  const allowance = { daily_quota: read_limit.limit, remaining: read_limit.remaining };
  return entries === null
    ? respondAnswer(context, { bytes: null, status: 304, headers }, allowance)
    : respondAnswer(
        context,
        { text: write(read, entries), headers: { ...headers, "Content-Type": contentType } },
        allowance,
      );
}

/** The caller's copies: their tags or, without any, a date. */
function knownCopy(headers: Headers): { known_tags?: string[]; known_since?: string } {
  const tags = headers.get("if-none-match");
  if (tags !== null) return { known_tags: [...tags.matchAll(/"([\w.-]{1,100})"/g)].map(([, tag = ""]) => tag) };
  const since = new Date(headers.get("if-modified-since") ?? "");
  // A date of HTTP has a year of four digits. Postgres does not read JavaScript's form of later ones.
  const isDate = since.getUTCFullYear() >= 1970 && since.getUTCFullYear() <= 9999;
  return isDate ? { known_since: since.toISOString() } : {};
}

/** Least age of a change for which `Last-Modified` is sent, in milliseconds. */
const leastAgeMs = 10_000;

/**
 * `Last-Modified`, in whole seconds. It is left out while it is fresh (RFC 9110, 8.8.2.2): another change of the same second may follow, or one
 * that was made before and is committed after it.
 */
function lastModified(moment: string, now: Date): { "Last-Modified"?: string } {
  const seconds = new Date(Math.ceil(Date.parse(moment) / 1000) * 1000);
  return now.getTime() - seconds.getTime() < leastAgeMs ? {} : { "Last-Modified": seconds.toUTCString() };
}

const unknownAddress: Problem = {
  name: "not-found",
  detail: "There is no saved search at this address. It was replaced or ended, or is mistyped.",
};

function problemFor(failure: RpcFailure, now: Date): { problem: Problem; allowance?: Allowance } {
  switch (failure.code) {
    case "PT404":
      return { problem: unknownAddress };
    case "PT403":
      return {
        problem: {
          name: "forbidden",
          detail: "The subscription of the account that saved this search does not include API access.",
        },
      };
    case "PT429": {
      const { limit, resets_at } = JSON.parse(failure.details ?? "{}") as { limit?: number; resets_at?: string };
      return {
        problem: {
          name: "quota-exceeded",
          detail: `This address may be read ${limit ?? 0} times a day. It can be read again after midnight UTC.`,
          headers: { "Retry-After": String(secondsUntilReset(resets_at, now)) },
        },
        allowance: { daily_quota: limit ?? 0, remaining: 0 },
      };
    }
    default:
      return { problem: problemForFailure(failure, now).problem };
  }
}
