import type { Admission, RpcFailure } from "../database/rpc.ts";
import { secondsUntilReset } from "../http/headers.ts";
import type { Problem } from "../http/problems.ts";
import { maxStreamsPerCaller, tooManyStreams } from "../overload/stream-limit.ts";
import { overloaded } from "./request-database.ts";

/** Problem of a database failure, and the admission of the caller that it concerns. */
export interface FailureProblem {
  problem: Problem;
  admission?: Admission | undefined;
}

const retryAfterSeconds = "5";

/** Returns the problem for an RPC's failure. It repeats nothing of the database's own message. */
export function problemForFailure(failure: RpcFailure, now: Date): FailureProblem {
  const { admission, keyLimit } = readRefusal(failure.details);
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
      if (keyLimit?.key_datasets !== undefined) {
        return { problem: outsideDatasets(keyLimit.key_datasets, keyLimit.unread_datasets ?? []), admission };
      }
      if (keyLimit?.key_addresses !== undefined) {
        return { problem: outsideAddresses(keyLimit.key_addresses, keyLimit.client_address), admission };
      }
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
          detail: `${keyLimit?.quota_of === "key" ? "This key" : "The account"}'s quota of ${admission?.daily_quota ?? 0} requests a day is used up. It resets at midnight UTC.`,
          headers: { "Retry-After": String(secondsUntilReset(keyLimit?.resets_at, now)) },
        },
        admission,
      };
    case "PT503":
      return unavailable("Semantic search is not available at the moment. Keyword search works.", admission);
    case overloaded.code:
      return unavailable("Too many requests right now. Try again in a few seconds.", undefined, jitterSeconds());
    case tooManyStreams.caller.code:
      return unavailable(
        `This key has ${maxStreamsPerCaller} CSV files open, which is the most at a time. Read one to its end or close its connection, then try again.`,
        undefined,
        jitterSeconds(),
      );
    case tooManyStreams.all.code:
      return unavailable(
        "Too many CSV files are being sent right now. Try again in a few seconds.",
        undefined,
        jitterSeconds(),
      );
    // The account's count stayed locked: see `funding.count_request`.
    case "55P03":
      return unavailable(
        "The account's requests cannot be counted right now. Try again in a few seconds.",
        admission,
        jitterSeconds(),
      );
    // Nobody but the operator can make room.
    case "53100":
      return unavailable(
        "Nothing can be stored at the moment, because the server's disk is nearly full. Reading works. Try again later.",
        admission,
      );
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
      if (isTransientFailure(failure.code)) {
        return unavailable("The service is not available at the moment. Try again shortly.", admission);
      }
      return { problem: { name: "server-error", detail: "Something went wrong on our side." } };
  }
}

/**
 * Whether a database function raises a code on purpose: PT and a status are refusals, 57014 and 55P03 are limits of time. Classes 22
 * (data exception) and 23 (integrity constraint violation) reject invalid arguments: the edge should have refused them,
 * so the client gets a server-error. Any other code is a defect of the function itself.
 */
export function isMappedFailure(code: string): boolean {
  return /^(PT(400|401|403|404|409|429|503)|57014|55P03|2[23][0-9A-Z]{3})$/.test(code);
}

/**
 * Whether an error is the server's and transient, so that the same request may be answered later: SQLSTATE classes 08 (connection), 40 (rolled back, deadlock), 53 (no disk, memory or connections), 57 (shut down, starting up),
 * 58 (system), and 55P03 (lock not available).
 */
export function isTransientFailure(code: string): boolean {
  return /^(08|40|53|57|58)/.test(code) || code === "55P03";
}

function unavailable(
  detail: string,
  admission: Admission | undefined,
  seconds: string = retryAfterSeconds,
): FailureProblem {
  return { problem: { name: "unavailable", detail, headers: { "Retry-After": seconds } }, admission };
}

/** One to five seconds at random, so that callers refused together do not come back together. */
function jitterSeconds(): string {
  return String(1 + Math.floor(Math.random() * 5));
}

/** The key's limit that refused a request, in the detail of a PT403 or PT429. */
interface KeyLimit {
  /** Datasets that the key reads, and those that the request wanted besides. */
  key_datasets?: string[];
  unread_datasets?: string[];
  /** Address ranges of the key, and the client's address where it is known. */
  key_addresses?: string[];
  client_address?: string;
  /** `key` where the key's own quota is used up. */
  quota_of?: string;
  /** When the quota begins anew, by the database's clock. */
  resets_at?: string;
}

function outsideDatasets(datasets: string[], unread: string[]): Problem {
  const reads = `the request reads ${inWords(unread)}`;
  return {
    name: "outside-key-limits",
    detail: `This key is for ${inWords(datasets)} alone, and ${reads}. Use another key, or change its limits.`,
  };
}

/** Limit of a key's ranges that a refusal names. */
const maximumNamedRanges = 3;

function outsideAddresses(ranges: string[], clientAddress: string | undefined): Problem {
  if (clientAddress === undefined) {
    return {
      name: "outside-key-limits",
      detail:
        "This key is limited to some addresses, and this server does not know those of its clients, so it refuses the key. Tell the server's operator, who can set CLIENT_ADDRESS_HEADER; until then, use a key without addresses.",
    };
  }
  const left = ranges.length - maximumNamedRanges;
  const named = left > 0 ? [...ranges.slice(0, maximumNamedRanges), `${left} more`] : ranges;
  return {
    name: "outside-key-limits",
    detail: `This key is for requests from ${inWords(named)} alone, and this one comes from ${clientAddress}. Use another key, or change its limits.`,
  };
}

/** Lists names: `grants, contracts and funders`. */
function inWords(names: readonly string[]): string {
  const [last = "", ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`;
}

/**
 * Reads the detail of errors of `funding.admit` and of the counting: the admission, which `withdraw` adds to a failure as well, and the key's limit
 * if that refused the request.
 */
function readRefusal(details: string | null): { admission?: Admission; keyLimit?: KeyLimit } {
  try {
    const parsed = JSON.parse(details ?? "") as Partial<Admission> & KeyLimit;
    const { api_key_id, daily_quota, remaining, key_datasets, unread_datasets, quota_of, resets_at } = parsed;
    const { key_addresses, client_address } = parsed;
    if (api_key_id === undefined || daily_quota === undefined || remaining === undefined) return {};
    const keyLimit = {
      ...(key_datasets && { key_datasets }),
      ...(unread_datasets && { unread_datasets }),
      ...(key_addresses && { key_addresses }),
      ...(client_address && { client_address }),
      ...(quota_of && { quota_of }),
      ...(resets_at && { resets_at }),
    };
    return { admission: { api_key_id, daily_quota, remaining }, keyLimit };
  } catch {
    return {};
  }
}
