import { parsers } from "../fields/parsers.ts";
import type { FieldValues } from "../mapping/apply.ts";
import type { FunderRecord } from "../record.ts";
import { fieldReader } from "./field-reader.ts";
import type { Context } from "./opportunity.ts";
import { derivedId } from "./source-id.ts";

/** @throws {RejectedRow} when the row cannot become a funder. */
export function funderOf(values: FieldValues, { source, note }: Context): FunderRecord {
  const row = fieldReader(parsers.funders, values, note);
  const name = row.require("name");
  const website = row.read("website");
  const created_at = row.read("created_at");
  return {
    source,
    source_id: row.read("source_id") ?? derivedId([name, website, created_at]),
    name,
    summary: row.read("summary"),
    website,
    created_at,
  };
}
