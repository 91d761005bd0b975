import { detailParsers } from "../fields/parsers.ts";
import type { FieldValues } from "../mapping/apply.ts";

const placeFields = ["states", "geography", "is_national", "place_country", "place_zip"];

/** Fields that are derived from several of the source's fields, and given when one of those is. */
const derivedFrom: Readonly<Record<string, readonly string[]>> = {
  states: placeFields,
  is_national: placeFields,
  geography: placeFields,
  archived_at: ["archived_at", "status"],
  // Details are stored field by field: a part of them changes those that it has.
  details: Object.keys(detailParsers).concat("deadline_date"),
};

/** Reduces a partial record to the fields that it has values for. Other records stay. */
export function keepGivenFields<Given extends Provenance>(
  record: Given,
  values: FieldValues,
  isPartial: boolean,
): Provenance & Partial<Given> {
  if (!isPartial) return record;
  const { source, source_id } = record;
  const given = Object.entries(record).filter(([field]) =>
    (derivedFrom[field] ?? [field]).some((name) => (values.get(name) ?? []).length > 0),
  );
  return { ...(Object.fromEntries(given) as Partial<Given>), source, source_id };
}

type Provenance = { source: string; source_id: string };
