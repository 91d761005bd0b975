/**
 * Statuses of contracts: the API's names for publishers' words. The importer and the filter read them alike, so that a
 * publisher's word finds the records that were imported by it.
 */

/** Publishers' words for statuses of grants and contracts, as keys of {@link toKey}. A column "active" may also say yes or no. */
export const sharedStatuses = {
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
  // No status but a state of the catalogue: the importer closes and archives such a record.
  archived: "archived",
  archive: "archived",
} as const;

const statuses: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...sharedStatuses,
    active: "open",
    current: "open",
    open: "open",
    yes: "open",
    true: "open",
    canceled: "cancelled",
    award: "awarded",
  }),
);

/** Publishers' words that {@link contractStatus} knows. */
export const contractStatusWords: readonly string[] = [...statuses.keys()];

/**
 * Returns the API's name of a contract's status, from a publisher's word in any letter case and punctuation: "Canceled" is
 * `cancelled`, "Active" is `open`. Any other text is returned as it is, since publishers also have statuses of their own.
 */
export function contractStatus(text: string): string {
  return statuses.get(toKey(text)) ?? text;
}

const ownNames: ReadonlySet<string> = new Set([...statuses.values(), "cancelled", "awarded", "posted"]);

/** Whether a text is a status of the API, or a publisher's word for one. */
export function isContractStatus(text: string): boolean {
  return ownNames.has(contractStatus(text).toLowerCase());
}

/** A word's ASCII letters and digits, in lower case. */
function toKey(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
