/**
 * Shapes in which records of all sources enter the database.
 *
 * An importer maps a raw row to one of them; the demo generator makes them; `ingest/load.ts` writes them. Dates are
 * `YYYY-MM-DD`, moments are RFC 3339 with an offset, amounts are US dollars, states are two-letter USPS codes. A value
 * that the source does not give is `null`, never `""` or 0.
 */

import type { Dataset } from "../shared/datasets.ts";
import type { CheckName, OpportunityDetails } from "../shared/responses/details.ts";

export type { Dataset };

/** Origin of a record. `source` and `source_id` together are unique. */
interface Provenance {
  /** A short slug for the publisher, for example `grants-gov`. */
  source: string;
  /** The publisher's own identifier for the record; stable from one import to the next. */
  source_id: string;
}

/** An organization that gives money. */
export interface FunderRecord extends Provenance {
  name: string;
  summary: string | null;
  website: string | null;
  /** When the organization was first listed. Defaults to the moment of the import. */
  created_at: string | null;
}

/** The `archived_at` of an archived record whose source has no date: the database keeps the moment of the first import that says so. */
export const unknownPast = "-infinity";

/** Details that `expand=details` shows, as far as the source has them. A field that the source does not give is absent. */
export type StoredDetails = Partial<Omit<OpportunityDetails, "source" | "updated_at" | CheckName>>;

/** Fields that grants and contracts share. */
interface OpportunityRecord extends Provenance {
  title: string;
  description: string;
  amount_min: number | null;
  amount_max: number | null;
  /** The last day to apply. Must be null on an awarded project. */
  deadline_date: string | null;
  /** The day an awarded project ends. Must be null on an opportunity. */
  project_end_date: string | null;
  /** As the source states it. The database closes the record when its deadline has passed. */
  status: string;
  /** `awarded_project` for money already given, `opportunity` for everything else. */
  classification: "opportunity" | "awarded_project";
  /** USPS codes; empty when the record is national or its place is unknown. */
  states: string[];
  /** True when every state is meant. `states` is then empty. */
  is_national: boolean;
  /** The place as people write it ("Ohio", "National", "Ohio; Indiana"), or null. */
  geography: string | null;
  funder_name: string;
  /** The funder's `source_id` within the same `source`, when the source has one. */
  funder_source_id: string | null;
  listing_url: string | null;
  /** When the opportunity was posted. Defaults to the moment of the import. */
  created_at: string | null;
  /** When the record left the current catalogue or will leave it, or null; `unknownPast` where it left at an unknown time. */
  archived_at: string | null;
  categories: string[];
  /** Numbers that people quote: opportunity number, assistance listing, solicitation number. */
  identifiers: string[];
  details: StoredDetails;
}

/** A grant opportunity, or a project that a grant paid for. */
export interface GrantRecord extends OpportunityRecord {
  status: "open" | "posted" | "closed" | "forecasted" | "upcoming";
}

/** A contract opportunity, or a contract already awarded. */
export interface ContractRecord extends OpportunityRecord {
  document_url: string | null;
  /** Six-digit NAICS industry code. */
  naics: string | null;
  primary_contact_email: string | null;
  /** GSA set-aside code, for example `8A`, `HZC` or `SDVOSBC`. */
  set_aside_code: string | null;
}

export interface RecordOf {
  grants: GrantRecord;
  contracts: ContractRecord;
  funders: FunderRecord;
}

/** A record, or a part of one. Absent fields keep their stored values. */
export type RecordUpdate<Name extends Dataset> = Pick<RecordOf[Name], "source" | "source_id"> & Partial<RecordOf[Name]>;
