import { contractStatus, sharedStatuses } from "../../shared/validation/contract-status.ts";
import { quoteValue, ValueError } from "../errors.ts";
import type { GrantRecord } from "../record.ts";
import { toKey, toLine } from "./value.ts";

/** A status of the API, and whether the source says that the record is archived. */
export interface Status<Name extends string> {
  name: Name;
  isArchived: boolean;
}

type GrantStatus = GrantRecord["status"];
type SharedStatus = (typeof sharedStatuses)[keyof typeof sharedStatuses];

/** Words of portals for each status of a grant; those that contracts have too are in `shared/validation/contract-status.ts`. */
const grantWords: Readonly<Record<GrantStatus, readonly string[]>> = {
  posted: [
    ...["posted", "active", "current", "published", "live", "released", "issued", "announced", "nofo released"],
    ...["nofo posted", "addendum posted", "amended", "modified", "reopened", "extended", "deadline extended", "new"],
    ...["yes", "y", "true", "t", "1"],
  ],
  open: [
    ...[
      "open",
      "now open",
      "open now",
      "currently open",
      "always open",
      "accepting applications",
      "now accepting applications",
    ],
    ...["applications open", "application open", "available", "closing soon", "closes soon", "ending soon", "due soon"],
    ...["rolling", "rolling basis", "rolling deadline", "ongoing", "continuous", "year round", "open until filled"],
  ],
  forecasted: ["anticipated", "estimated", "expected", "projected", "notice of intent", "pre solicitation"],
  upcoming: [
    ...["opening soon", "opens soon", "open soon", "not yet open", "not open yet", "scheduled", "future", "next"],
    ...["pre release", "prerelease", "pre announcement", "draft", "in development"],
  ],
  closed: [
    ...[
      "under review",
      "in review",
      "application review",
      "applications under review",
      "review",
      "evaluation",
      "under evaluation",
    ],
    ...[
      "awarded",
      "award made",
      "funded",
      "fully funded",
      "completed",
      "complete",
      "finished",
      "past",
      "not active",
      "not open",
    ],
    ...[
      "cancelled",
      "canceled",
      "withdrawn",
      "deleted",
      "removed",
      "discontinued",
      "terminated",
      "retired",
      "rescinded",
    ],
    ...[
      "paused",
      "suspended",
      "on hold",
      "temporarily closed",
      "applications closed",
      "no longer accepting applications",
    ],
    ...["not accepting applications", "not currently accepting applications", "deadline passed", "n", "f", "0"],
  ],
};

/** Statuses of grants by publishers' words, as keys of {@link toKey}. */
const grantNames: ReadonlyMap<string, GrantStatus | SharedStatus> = new Map([
  ...Object.entries(sharedStatuses),
  ...Object.entries(grantWords).flatMap(([name, words]) =>
    words.map((word): [string, GrantStatus] => [toKey(word), name as GrantStatus]),
  ),
]);

/** Beginnings of sentences: "Open until June 30", "Closed on 5/1/2026". */
const beginnings: readonly [RegExp, GrantStatus][] = [
  [/^(?:now |still |currently )?open (?:until|till|through|thru|to|for)\b/i, "open"],
  [/^(?:closes|closing|due|deadline)(?: date)?:? (?:on|in|by|at|today|tomorrow|\d|[A-Z][a-z]{2,8} \d)/i, "open"],
  [
    /^(?:opens|opening)(?: date)?:? (?:on|in|at|early|late|spring|summer|fall|autumn|winter|tomorrow|\d|[A-Z][a-z]{2,8} \d)/i,
    "upcoming",
  ],
  [/^closed (?:on|as of|since|for|until)\b/i, "closed"],
];

/** Common property of the statuses that a text names: whether people can apply now. */
const sides: Readonly<Record<GrantStatus | SharedStatus, string>> = {
  posted: "now",
  open: "now",
  forecasted: "later",
  upcoming: "later",
  closed: "no more",
  archived: "no more",
};

/**
 * Reads a grant's status, also one in several words that agree: "Open (Rolling)", "Closed - Under Review". Archived means closed.
 *
 * @throws {ValueError} for a word that says nothing about it, or may mean several: "Pending", "Annual".
 */
export function parseGrantStatus(value: unknown): Status<GrantStatus> {
  const text = toLine(value);
  const name =
    grantNames.get(toKey(text)) ?? statusOfParts(text) ?? beginnings.find(([words]) => words.test(text))?.[1];
  if (name === undefined) {
    throw new ValueError(
      `${quoteValue(value)} is not a known status (posted, open, closed, forecasted, upcoming, archived)`,
    );
  }
  return name === "archived" ? { name: "closed", isArchived: true } : { name, isArchived: false };
}

/** The first of several words, where all are known and agree. */
function statusOfParts(text: string): GrantStatus | SharedStatus | undefined {
  const parts = text.split(/\s[-\u2013\u2014]\s|[\u2013\u2014()[\],;:/|]/).filter((part) => toKey(part) !== "");
  const names = parts.map((part) => grantNames.get(toKey(part)));
  const [first] = names;
  const agree = first !== undefined && names.every((name) => name !== undefined && sides[name] === sides[first]);
  return agree ? first : undefined;
}

/** Reads a contract's status: the API's for a known word, else the source's own word in lower case. */
export function parseContractStatus(value: unknown): Status<string> {
  const name = contractStatus(toLine(value).toLowerCase());
  return name === "archived" ? { name: "closed", isArchived: true } : { name, isArchived: false };
}
