import type { FunderDetails, OpportunityDetails } from "../responses/details.ts";
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

/** Columns that `expand=details` adds, for grants and contracts. */
export const opportunityDetailColumns = [
  "opportunity_number",
  "notice_type",
  "agency",
  "applicant_types",
  "eligibility_text",
  "assistance_listings",
  "funding_instrument",
  "cost_sharing",
  "expected_awards",
  "total_funding",
  "psc",
  "place_of_performance",
  "documents",
  "deadline_at",
  "deadline_assumed",
  "deadline_note",
  "source",
  "updated_at",
] as const satisfies readonly (keyof OpportunityDetails)[];

export const funderDetailColumns = ["source", "updated_at"] as const satisfies readonly (keyof FunderDetails)[];

export const funderColumns = [
  "id",
  "name",
  "summary",
  "website",
  "created_at",
] as const satisfies readonly (keyof Funder)[];
