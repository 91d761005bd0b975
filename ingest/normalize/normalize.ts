import type { Dataset, RecordUpdate } from "../record.ts";
import type { MappedRecord } from "../sources/source.ts";
import type { Context } from "./context.ts";
import { funderOf } from "./funder.ts";
import { contractOf, grantOf } from "./opportunity.ts";
import { partOf } from "./partial.ts";

/** A record and its dataset. */
export type DatasetRecord = { [Name in Dataset]: { dataset: Name; record: RecordUpdate<Name> } }[Dataset];

/** @throws {RejectedRow} when the values cannot become a record; the message is the reason. */
export function normalize(
  { dataset, values, isPartial }: MappedRecord,
  options: Omit<Context, "isPartial">,
): DatasetRecord {
  const context = { ...options, isPartial };
  switch (dataset) {
    case "grants":
      return { dataset, record: partOf(grantOf(values, context), values, isPartial) };
    case "contracts":
      return { dataset, record: partOf(contractOf(values, context), values, isPartial) };
    case "funders":
      return { dataset, record: partOf(funderOf(values, context), values, isPartial) };
  }
}
