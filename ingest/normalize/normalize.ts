import type { FieldValues } from "../mapping/apply.ts";
import type { Dataset, RecordOf, RecordUpdate } from "../record.ts";
import type { MappedRecord } from "../sources/source.ts";
import type { Context } from "./context.ts";
import { normalizeFunder } from "./funder.ts";
import { normalizeContract, normalizeGrant } from "./opportunity.ts";
import { keepGivenFields } from "./partial.ts";
import { type DerivedIdentity, deriveIdentity } from "./source-id.ts";

/** A record with its dataset. */
export type DatasetRecord = { [Name in Dataset]: { dataset: Name; record: RecordUpdate<Name> } }[Dataset];

/** A normalized record. Where its source gives no identifier, its own values identify it. */
export type NormalizedRecord = DatasetRecord & { identity?: DerivedIdentity };

/**
 * Parses, checks and repairs the values of a record.
 *
 * @throws {RejectedRow} when the values cannot become a record; the message is the reason.
 */
export function normalize(
  { dataset, values, isPartial }: MappedRecord,
  options: Omit<Context, "isPartial">,
): NormalizedRecord {
  const context = { ...options, isPartial };
  switch (dataset) {
    case "grants":
      return identify({ dataset, record: normalizeGrant(values, context) }, values, isPartial);
    case "contracts":
      return identify({ dataset, record: normalizeContract(values, context) }, values, isPartial);
    case "funders":
      return identify({ dataset, record: normalizeFunder(values, context) }, values, isPartial);
  }
}

function identify<Name extends Dataset>(
  { dataset, record }: { dataset: Name; record: RecordOf[Name] },
  values: FieldValues,
  isPartial: boolean,
): NormalizedRecord {
  const identity = record.source_id === "" ? deriveIdentity(dataset, { ...record }, values) : undefined;
  const source_id = identity === undefined ? record.source_id : identity.head + identity.tail;
  const kept = { dataset, record: keepGivenFields({ ...record, source_id }, values, isPartial) } as DatasetRecord;
  return identity === undefined ? kept : { ...kept, identity };
}
