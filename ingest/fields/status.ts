import { shown, ValueError } from "../errors.ts";
import type { GrantRecord } from "../record.ts";
import { keyOf, lineOf } from "./value.ts";

/** A status of ours, and whether the source says that the record is archived. */
export interface Status<Name extends string> {
  name: Name;
  isArchived: boolean;
}

type SharedStatus = "forecasted" | "upcoming" | "closed" | "archived";

/** What sources call the statuses, by {@link keyOf}. An "active" column may also say yes or no. */
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

/** A grant's status. Archived means closed; a word that is not known is an error. */
export function grantStatusOf(value: unknown): Status<GrantRecord["status"]> {
  const key = keyOf(lineOf(value));
  const name = Object.hasOwn(grantNames, key) ? grantNames[key] : undefined;
  if (name === undefined) {
    throw new ValueError(
      `${shown(value)} is not a status that is known (posted, open, closed, forecasted, upcoming, archived)`,
    );
  }
  return name === "archived" ? { name: "closed", isArchived: true } : { name, isArchived: false };
}

/** A contract's status: ours for the words that are known, else the source's own in lower case. */
export function contractStatusOf(value: unknown): Status<string> {
  const text = lineOf(value).toLowerCase();
  const key = keyOf(text);
  const name = (Object.hasOwn(contractNames, key) ? contractNames[key] : undefined) ?? text;
  return name === "archived" ? { name: "closed", isArchived: true } : { name, isArchived: false };
}
