import type { Admission, RpcFailure } from "../database/rpc.ts";
import { secondsUntilReset } from "../http/headers.ts";
import type { Problem } from "../http/problems.ts";
import { overloaded } from "../overload/limited-database.ts";

/** A refusal or failure of the database, as the client is told, and whom it concerns. */
export interface DatabaseRefusal {
  problem: Problem;
  admission?: Admission | undefined;
}

const retryAfterSeconds = "5";

/** The problem that an RPC's failure is to the client. Nothing of the database's own words is in it. */
export function refusalFor(failure: RpcFailure, now: Date): DatabaseRefusal {
  const admission = admissionIn(failure.details);
  switch (failure.code) {
    case "PT401":
      return {
        problem: {
          name: "unauthorized",
          detail: "The API key is unknown, revoked or expired.",
          headers: { "WWW-Authenticate": 'Bearer realm="funding"' },
        },
      };
    case "PT403":
      return {
        problem: {
          name: "forbidden",
          detail: "The subscription of this key's account does not include API access.",
        },
        admission,
      };
    case "PT429":
      return {
        problem: {
          name: "quota-exceeded",
          detail: `The account's quota of ${admission?.daily_quota ?? 0} requests a day is used up. It resets at midnight UTC.`,
          headers: { "Retry-After": String(secondsUntilReset(now)) },
        },
        admission,
      };
    case "PT503":
      return unavailable("Semantic search is not available at the moment. Keyword search works.", admission);
    case overloaded.code:
      return unavailable("More is asked than can be answered at the moment. Try again shortly.", undefined, spread());
    // Reaching the database failed, or it took too long, or it has no connection to spare.
    case "":
    case "20":
    case "57014":
    case "PGRST000":
    case "PGRST001":
    case "PGRST002":
    case "PGRST003":
      return unavailable("The service could not answer in time. Try again shortly.", admission);
    default:
      if (isPassing(failure.code)) {
        return unavailable("The service is not available at the moment. Try again shortly.", admission);
      }
      return { problem: { name: "server-error", detail: "Something went wrong on our side." } };
  }
}

/**
 * Whether a function of the database fails with a code on purpose: PT and a status are its refusals, 57014 its time limit.
 * Class 22 (data exception) and 23 (integrity constraint violation) are its answer to arguments that are none: the edge
 * has passed on what it should have refused, which is a server-error to the client. Any other code is a fault of the
 * function itself.
 */
export function isMappedFailure(code: string): boolean {
  return /^(PT(400|401|403|404|409|429|503)|57014|2[23][0-9A-Z]{3})$/.test(code);
}

/**
 * Whether an error is of the server and not of what was asked, so that the same request may be answered later: SQLSTATE
 * classes 08 (connection), 40 (rolled back, deadlock), 53 (no disk, memory or connections), 57 (shut down, starting up),
 * 58 (system), and a lock that was not to be had.
 */
function isPassing(code: string): boolean {
  return /^(08|40|53|57|58)/.test(code) || code === "55P03";
}

function unavailable(
  detail: string,
  admission: Admission | undefined,
  seconds: string = retryAfterSeconds,
): DatabaseRefusal {
  return { problem: { name: "unavailable", detail, headers: { "Retry-After": seconds } }, admission };
}

/** One to five seconds, so that those who were refused together do not come back together. */
function spread(): string {
  return String(1 + Math.floor(Math.random() * 5));
}

/** `funding.admit` says in an error's detail which key was refused, and a withdrawal whose request it was. */
function admissionIn(details: string | null): Admission | undefined {
  try {
    const parsed = JSON.parse(details ?? "") as Partial<Admission>;
    const { api_key_id, daily_quota, remaining } = parsed;
    if (api_key_id === undefined || daily_quota === undefined || remaining === undefined) return undefined;
    return { api_key_id, daily_quota, remaining };
  } catch {
    return undefined;
  }
}
