import type { FieldValues } from "../mapping/apply.ts";

/** Fields that are made of several of the source's, and are given when one of those is. */
const madeOf: Readonly<Record<string, readonly string[]>> = {
  states: ["states", "geography", "is_national"],
  is_national: ["states", "geography", "is_national"],
  geography: ["states", "geography", "is_national"],
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
