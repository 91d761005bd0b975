import { createHash } from "node:crypto";
import { ColumnDate } from "../fields/date.ts";
import type { FieldValues } from "../mapping/apply.ts";
import type { Dataset } from "../record.ts";

/**
 * Identity of a record whose source gives no identifier, made of its own values. The `source_id` is `head` and `tail`, so that it does not depend
 * on other rows: it is the same wherever the row stands in a file, and whatever rows come or go.
 */
export interface DerivedIdentity {
  /** Hash of what a record is known by: title, funder, address and posting date; of a funder, name, website and date. */
  head: string;
  /** Hash of the other mapped values, which tell records of one head apart. Without the status, which changes with time. */
  tail: string;
  /** The tail in databases of earlier versions, where the head was all. */
  legacyTail: string;
  /** Fields of which the head and the tail were made. */
  fields: { head: readonly string[]; tail: readonly string[] };
}

/** Fields of the head, which are hashed in this order. */
const headFields: Readonly<Record<Dataset, readonly string[]>> = {
  grants: ["title", "funder_name", "listing_url", "created_at"],
  contracts: ["title", "funder_name", "listing_url", "created_at"],
  funders: ["name", "website", "created_at"],
};

/** Fields of the head of which each makes it likely that it is of one record. Titles alone are often the same. */
export const distinctiveFields: ReadonlySet<string> = new Set(["listing_url", "website", "created_at"]);

/** Fields that say how a record stands today. */
const statusFields: ReadonlySet<string> = new Set(["status", "archived_at"]);

/** Derives the identity of a record from its head's fields, which were read, and from the row's values, which were not. */
export function deriveIdentity(
  dataset: Dataset,
  record: Readonly<Record<string, unknown>>,
  values: FieldValues,
): DerivedIdentity {
  const names = headFields[dataset];
  const hash = hashOf(names.map((name) => record[name] ?? null));
  const rest = [...values]
    .filter(([name, given]) => !names.includes(name) && !statusFields.has(name) && given.length > 0)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const head = names.filter((name) => record[name] !== null && record[name] !== undefined);
  return {
    head: hash.slice(0, 16),
    legacyTail: hash.slice(16, 32),
    tail: hashOf(rest.map(([name, given]) => [name, given.map(toComparable)])).slice(0, 16),
    fields: { head, tail: rest.map(([name]) => name) },
  };
}

/** Text of a value as the source wrote it, so that it does not depend on the version that reads it. */
function toComparable(value: unknown): string {
  const given = value instanceof ColumnDate ? value.text : value;
  const text = typeof given === "object" ? JSON.stringify(given) : String(given);
  return text.replaceAll(/\s+/g, " ").trim();
}

function hashOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
