import type { Contract, Funder, Grant } from "../responses/records.ts";

/** Columns of a dataset's CSV: the fields of its records. A ranked search adds `relevance_score` at the end. */
export const grantColumns = [
  "id",
  "title",
  "description",
  "amount_min",
  "amount_max",
  "deadline_date",
  "project_end_date",
  "status",
  "geography",
  "funder_id",
  "funder_name",
  "listing_url",
  "created_at",
  "categories",
] as const satisfies readonly (keyof Grant)[];

export const contractColumns = [
  "id",
  "title",
  "description",
  "amount_min",
  "amount_max",
  "deadline_date",
  "project_end_date",
  "status",
  "geography",
  "document_url",
  "listing_url",
  "naics",
  "primary_contact_email",
  "set_aside_code",
  "funder_id",
  "funder_name",
  "created_at",
  "categories",
] as const satisfies readonly (keyof Contract)[];

export const funderColumns = [
  "id",
  "name",
  "summary",
  "website",
  "created_at",
] as const satisfies readonly (keyof Funder)[];
