import { contractStatus, sharedStatuses } from "../../shared/validation/contract-status.ts";
import { quoteValue, ValueError } from "../errors.ts";
import type { GrantRecord } from "../record.ts";
import { toKey, toLine } from "./value.ts";

/** A status of the API, and whether the source says that the record is archived. */
export interface Status<Name extends string> {
  name: Name;
  isArchived: boolean;
}

type SharedStatus = (typeof sharedStatuses)[keyof typeof sharedStatuses];

/** Sources' names of grants' statuses, as keys of {@link toKey}. */
const grantNames: Record<string, GrantRecord["status"] | SharedStatus> = {
  ...sharedStatuses,
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
  const name = contractStatus(toLine(value).toLowerCase());
  return name === "archived" ? { name: "closed", isArchived: true } : { name, isArchived: false };
}
