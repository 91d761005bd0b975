/**
 * Ids of the sample records in test events, reserved: an id of a record is a hash with the version 8 of UUIDs, and these
 * have version 4, so that no record has one. A receiver that stores records by their id overwrites none.
 */
export const sampleIds = {
  grant: "7e570000-0000-4000-8000-000000000001",
  contract: "7e570000-0000-4000-8000-000000000002",
  funder: "7e570000-0000-4000-8000-000000000003",
  /** The funder of the contract. */
  agency: "7e570000-0000-4000-8000-000000000004",
} as const;

const reserved: ReadonlySet<unknown> = new Set(Object.values(sampleIds));

/** Whether a record's id is that of a sample: the event about it is a test. */
export function isSampleId(id: unknown): boolean {
  return reserved.has(id);
}
