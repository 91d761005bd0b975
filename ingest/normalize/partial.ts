import type { FieldValues } from "../mapping/apply.ts";

const placeFields = ["states", "geography", "is_national", "place_country", "place_zip"];

/** Fields that are made of several of the source's, and are given when one of those is. */
const madeOf: Readonly<Record<string, readonly string[]>> = {
  states: placeFields,
  is_national: placeFields,
  geography: placeFields,
  archived_at: ["archived_at", "status"],
};

/** The record; of a partial one, only the fields that its values say something of. */
export function partOf<Given extends Provenance>(
  record: Given,
  values: FieldValues,
  isPartial: boolean,
): Provenance & Partial<Given> {
  if (!isPartial) return record;
  const { source, source_id } = record;
  const given = Object.entries(record).filter(([field]) =>
    (madeOf[field] ?? [field]).some((name) => (values.get(name) ?? []).length > 0),
  );
  return { ...(Object.fromEntries(given) as Partial<Given>), source, source_id };
}

type Provenance = { source: string; source_id: string };
