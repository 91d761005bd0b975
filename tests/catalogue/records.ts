import type { Connection } from "../../database/connection.ts";
import { queryValue } from "../../database/connection.ts";
import { loadBatch } from "../../ingest/load.ts";
import { everyDetail } from "../support/every-detail.ts";

/** A grant as an import writes it. */
export const grantOf = (source_id: string, given: object = {}) => ({
  source: "catalogue-test",
  source_id,
  title: "Lunch All Summer Program",
  description: "Meals for children while schools are closed.",
  status: "open",
  states: ["OH"],
  is_national: false,
  geography: "Ohio",
  amount_min: 25_000,
  amount_max: 250_000,
  deadline_date: "2099-03-05",
  project_end_date: null,
  classification: "opportunity",
  archived_at: null,
  funder_name: "Office of Summer Meals",
  funder_source_id: null,
  listing_url: "https://grants.example.gov/notices/1?a=1&b=2",
  created_at: "2026-01-01T00:00:00Z",
  categories: ["Food and Nutrition"],
  identifiers: [],
  details: { ...everyDetail, deadline_at: "2099-03-05T17:00:00-05:00", deadline_note: null },
  ...given,
});

/** Imports grants, and returns their ids by their ids in the source. */
export async function loadGrants(connection: Connection, records: object[]): Promise<Record<string, string>> {
  const { refused } = await loadBatch(connection, "grants", records as never);
  if (refused.length > 0) throw new Error(JSON.stringify(refused));
  return queryValue<Record<string, string>>(
    connection,
    "select json_object_agg(source_id, id) from funding.grants where source = 'catalogue-test'",
  );
}
