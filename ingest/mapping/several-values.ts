import * as z from "zod";
import { type Detail, details } from "../../shared/catalogue/details.ts";
import { dateFields } from "../fields/parsers.ts";
import { isBlank } from "../fields/value.ts";
import type { Note } from "../notes.ts";
import type { Mapping } from "./mapping.ts";
import { listOnPath, valuesAt } from "./path.ts";

/** Details that take all values of their columns: lists, and paragraphs. */
const listDetails = Object.entries<Detail>(details).flatMap(([name, { schema, reads }]) =>
  schema instanceof z.ZodArray || reads === "paragraphs" ? [name] : [],
);
/** Fields that take all values of their columns. Every other field takes one. */
const listFields: ReadonlySet<string> = new Set([
  "categories",
  "description",
  "identifiers",
  "states",
  "summary",
  ...listDetails,
]);

/** Fields of which a wrong one makes another record: of several values none is taken, and the row is rejected. */
const decisiveFields: ReadonlySet<string> = new Set([
  "source_id",
  "title",
  "name",
  "amount_min",
  "amount_max",
  ...dateFields,
]);

/** Outcome of the check of a row: why it is rejected, or what is noted about its record. */
export interface SeveralValues {
  refusal?: string;
  notes: readonly Note[];
}

/**
 * Returns a check of rows for paths that lead through a list to several values, where the field takes one: the row may be an answer with
 * several records, whose values must not be mixed.
 */
export function createSeveralValuesCheck(mapping: Mapping): (row: Record<string, unknown>) => SeveralValues {
  const paths = [...mapping.columns]
    .filter(([field]) => !listFields.has(field))
    .flatMap(([field, columns]) => columns.filter((column) => column.includes(".")).map((path) => ({ field, path })));
  return (row) => {
    const notes: Note[] = [];
    for (const { field, path } of paths) {
      const values = distinct(valuesAt(row, path));
      const list = values.length < 2 ? undefined : listOnPath(row, path);
      if (list === undefined) continue;
      if (decisiveFields.has(field)) return { refusal: explain(field, path, list, values.length), notes: [] };
      notes.push({ field, value: values, reason: `are ${values.length} values at "${path}"; the first was taken` });
    }
    return { notes };
  };
}

function explain(field: string, path: string, list: string, count: number): string {
  const first = `${list}.0${path.slice(list.length)}`;
  return `${field}: this row has ${count} different values at "${path}". If they are ${count} records, --records ${list} reads them so; "${first}" is the first alone`;
}

function distinct(values: readonly unknown[]): unknown[] {
  return [
    ...new Map(values.filter((value) => !isBlank(value)).map((value) => [JSON.stringify(value), value])).values(),
  ];
}
