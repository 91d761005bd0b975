import type * as z from "zod";
import { type Detail, details, type Reading } from "../../shared/catalogue/details.ts";
import { parseEmail, parsePhone, parseUrl } from "./address.ts";
import { parseAmount, parseAmountRange } from "./amount.ts";
import { parseClassification } from "./classification.ts";
import { parseNaics, parseSetAside, parseSourceId } from "./code.ts";
import { parseDay, parseMoment } from "./date.ts";
import {
  parseAgencyPath,
  parseApplicantTypes,
  parseAssistanceListings,
  parseAwardCount,
  parseCostSharing,
  parseDeadlineMoment,
  parseDocuments,
  parseFundingInstruments,
  parseMembers,
  parsePerformancePlace,
  parsePsc,
  parseRecipient,
  parseTotalFunding,
} from "./details.ts";
import { parseIdentifiers, parseList } from "./list.ts";
import { parsePlaceLine, parseStateTexts } from "./place.ts";
import { parseContractStatus, parseGrantStatus } from "./status.ts";
import { type Parse, parseFirst, parseFlag, parseParagraphs, parseTitle, toLine } from "./value.ts";

const provenance = {
  source_id: parseFirst(parseSourceId),
  created_at: parseFirst((value, note) => parseMoment(value, "mdy", "posted", note)),
};

/** Parsers of what details read (shared/catalogue/details.ts). */
const readings = {
  number: parseFirst(parseSourceId),
  line: parseFirst(toLine),
  paragraphs: (values: readonly unknown[]) => parseParagraphs(values) || null,
  count: parseFirst(parseAwardCount),
  dollars: parseFirst(parseTotalFunding),
  signedDollars: parseFirst(parseAmount),
  yesNo: parseFirst(parseFlag),
  email: parseFirst(parseEmail),
  phone: parseFirst(parsePhone),
  agencyPath: parseAgencyPath,
  applicantTypes: parseApplicantTypes,
  assistanceListings: parseAssistanceListings,
  fundingInstruments: parseFundingInstruments,
  costSharing: parseFirst(parseCostSharing),
  psc: parseFirst(parsePsc),
  place: parseFirst(parsePerformancePlace),
  recipient: parseFirst(parseRecipient),
  startDay: parseFirst((value, note) => parseDay(value, "mdy", "posted", note)),
  documents: parseDocuments,
  momentOfDeadline: parseFirst(parseDeadlineMoment),
} satisfies Record<Reading, Parse<unknown>>;

type Details = typeof details;
type Read<Reads> = Reads extends Reading
  ? (typeof readings)[Reads]
  : Parse<
      { [Name in keyof Reads]: Reads[Name] extends Reading ? ReturnType<(typeof readings)[Reads[Name]]> : never } | null
    >;

/** Parsers of the fields of `details`. */
export const detailParsers = Object.fromEntries(
  Object.entries<Detail>(details).map(([name, { reads }]) => [
    name,
    typeof reads === "string"
      ? readings[reads]
      : parseMembers(Object.fromEntries(Object.entries(reads).map(([member, reading]) => [member, readings[reading]]))),
  ]),
) as { [Name in keyof Details]: Read<Details[Name]["reads"]> } satisfies {
  [Name in keyof Details]: Parse<z.infer<Details[Name]["schema"]> | null>;
};

const opportunity = {
  ...provenance,
  title: parseFirst(parseTitle),
  description: parseParagraphs,
  amount_min: parseFirst(parseAmountRange),
  amount_max: parseFirst(parseAmountRange),
  deadline_date: parseFirst((value) => parseDay(value, "mdy", "deadline")),
  project_end_date: parseFirst((value, note) => parseDay(value, "mdy", "end", note)),
  classification: parseFirst(parseClassification),
  states: parseStateTexts,
  geography: parseFirst(parsePlaceLine),
  is_national: parseFirst(parseFlag),
  place_country: parseFirst(toLine),
  place_zip: parseFirst(toLine),
  funder_name: parseFirst(parseTitle),
  funder_source_id: parseFirst(parseSourceId),
  listing_url: parseFirst(parseUrl),
  archived_at: parseFirst((value, note) => parseMoment(value, "mdy", "end", note)),
  categories: parseList,
  identifiers: parseIdentifiers,
  ...detailParsers,
};

/** Parsers of a row's values, by dataset and field. */
export const parsers = {
  grants: { ...opportunity, status: parseFirst(parseGrantStatus) },
  contracts: {
    ...opportunity,
    status: parseFirst(parseContractStatus),
    document_url: parseFirst(parseUrl),
    naics: parseFirst(parseNaics),
    primary_contact_email: parseFirst(parseEmail),
    set_aside_code: parseFirst(parseSetAside),
  },
  funders: {
    ...provenance,
    name: parseFirst(parseTitle),
    summary: (values: readonly unknown[]) => parseParagraphs(values) || null,
    website: parseFirst(parseUrl),
  },
};

/** Fields whose unreadable values are left out with a note. In other fields, such a value rejects the row. */
export const lenientFields: ReadonlySet<string> = new Set([
  "amount_min",
  "amount_max",
  "listing_url",
  "document_url",
  "website",
  "naics",
  "primary_contact_email",
  // Without its status, a record has the one that its deadline gives it.
  "status",
  ...Object.keys(detailParsers),
]);

/** Fields that hold a day or a moment. */
export const dateFields: ReadonlySet<string> = new Set([
  "created_at",
  "deadline_date",
  "project_end_date",
  "project_start_date",
  "archived_at",
]);

/** Names of columns in exports of Grants.gov and Simpler.Grants.gov. */
const grantsGovNames: Readonly<Record<string, string>> = {
  opportunity_title: "title",
  opportunity_status: "status",
  agency_name: "funder_name",
  agency_code: "funder_source_id",
  post_date: "created_at",
  posted_date: "created_at",
  close_date: "deadline_date",
  archive_date: "archived_at",
  award_floor: "amount_min",
  award_ceiling: "amount_max",
  category_of_funding_activity: "categories",
  funding_categories: "categories",
  funding_description: "description",
  summary_description: "description",
};

/** Other names that columns and `--map` may use for a field. */
export const fieldAliases: Readonly<Record<string, string>> = {
  ...grantsGovNames,
  ...Object.fromEntries(
    Object.entries<Detail>(details).flatMap(([field, { columns = [] }]) => columns.map((column) => [column, field])),
  ),
  state: "states",
  id: "source_id",
  funder: "funder_name",
  deadline: "deadline_date",
  url: "listing_url",
  posted: "created_at",
  naics_code: "naics",
  set_aside: "set_aside_code",
  email: "primary_contact_email",
};
