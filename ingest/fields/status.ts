import { quoteValue, ValueError } from "../errors.ts";
import type { GrantRecord } from "../record.ts";
import { toKey, toLine } from "./value.ts";

/** A status of the API, and whether the source says that the record is archived. */
export interface Status<Name extends string> {
  name: Name;
  isArchived: boolean;
}

type SharedStatus = "forecasted" | "upcoming" | "closed" | "archived";

/** Sources' names of the statuses, as keys of {@link toKey}. A column "active" may also say yes or no. */
const sharedNames: Record<string, SharedStatus> = {
  forecast: "forecasted",
  forecasted: "forecasted",
  upcoming: "upcoming",
  planned: "upcoming",
  comingsoon: "upcoming",
  closed: "closed",
  inactive: "closed",
  expired: "closed",
  ended: "closed",
  no: "closed",
  false: "closed",
  archived: "archived",
  archive: "archived",
};

const grantNames: Record<string, GrantRecord["status"] | SharedStatus> = {
  ...sharedNames,
  posted: "posted",
  active: "posted",
  current: "posted",
  yes: "posted",
  true: "posted",
  open: "open",
  acceptingapplications: "open",
  cancelled: "closed",
  canceled: "closed",
  awarded: "closed",
  completed: "closed",
};

const contractNames: Record<string, string> = {
  ...sharedNames,
  active: "open",
  current: "open",
  open: "open",
  yes: "open",
  true: "open",
  canceled: "cancelled",
  award: "awarded",
};

/** Reads a grant's status. Archived means closed. An unknown word is an error. */
export function parseGrantStatus(value: unknown): Status<GrantRecord["status"]> {
  const key = toKey(toLine(value));
  const name = Object.hasOwn(grantNames, key) ? grantNames[key] : undefined;
  if (name === undefined) {
    throw new ValueError(
      `${quoteValue(value)} is not a known status (posted, open, closed, forecasted, upcoming, archived)`,
    );
  }
  return name === "archived" ? { name: "closed", isArchived: true } : { name, isArchived: false };
}

/** Reads a contract's status: the API's for a known word, else the source's own word in lower case. */
export function parseContractStatus(value: unknown): Status<string> {
  const text = toLine(value).toLowerCase();
  const key = toKey(text);
  const name = (Object.hasOwn(contractNames, key) ? contractNames[key] : undefined) ?? text;
  return name === "archived" ? { name: "closed", isArchived: true } : { name, isArchived: false };
}
