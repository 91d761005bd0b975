import type { Dataset, RecordUpdate } from "../record.ts";
import type { MappedRecord } from "../sources/source.ts";
import type { Context } from "./context.ts";
import { normalizeFunder } from "./funder.ts";
import { normalizeContract, normalizeGrant } from "./opportunity.ts";
import { keepGivenFields } from "./partial.ts";

/** A record with its dataset. */
export type DatasetRecord = { [Name in Dataset]: { dataset: Name; record: RecordUpdate<Name> } }[Dataset];

/**
 * Parses, checks and repairs the values of a record.
 *
 * @throws {RejectedRow} when the values cannot become a record; the message is the reason.
 */
export function normalize(
  { dataset, values, isPartial }: MappedRecord,
  options: Omit<Context, "isPartial">,
): DatasetRecord {
  const context = { ...options, isPartial };
  switch (dataset) {
    case "grants":
      return { dataset, record: keepGivenFields(normalizeGrant(values, context), values, isPartial) };
    case "contracts":
      return { dataset, record: keepGivenFields(normalizeContract(values, context), values, isPartial) };
    case "funders":
      return { dataset, record: keepGivenFields(normalizeFunder(values, context), values, isPartial) };
  }
}
