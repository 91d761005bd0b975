import { parsers } from "../fields/parsers.ts";
import type { FieldValues } from "../mapping/apply.ts";
import type { FunderRecord } from "../record.ts";
import type { Context } from "./context.ts";
import { createFieldReader } from "./field-reader.ts";

/** @throws {RejectedRow} when the row cannot become a funder. */
export function normalizeFunder(values: FieldValues, context: Context): FunderRecord {
  const row = createFieldReader(parsers.funders, values, context);
  const name = row.require("name");
  const website = row.read("website");
  const created_at = row.read("created_at");
  return {
    source: context.source,
    source_id: row.read("source_id") ?? "",
    name,
    summary: row.read("summary"),
    website,
    created_at,
  };
}
