import { toItems } from "../fields/list.ts";
import { isBlank, toLine } from "../fields/value.ts";
import { csvRows } from "../read/csv.ts";
import { jsonObjects, mapRows } from "../read/json-objects.ts";
import { jsonOr } from "../read/json-or.ts";
import {
  agencyPath,
  assumedDeadline,
  categoryOfKey,
  checkFloor,
  contactOf,
  floorNotes,
  listingUrl,
  scopeOf,
} from "./grants-gov-values.ts";
import { asPartial, createRecordMakers, noRecord, type RawRow, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";

const { grant } = createRecordMakers(sourceDates.simpler);

const columns = [
  "additional_info_url",
  "additional_info_url_description",
  "agency_code",
  "agency_contact_description",
  "agency_email_address",
  "agency_name",
  "agency_phone_number",
  "applicant_eligibility_description",
  "applicant_types",
  "archive_date",
  "attachments",
  "award_ceiling",
  "award_floor",
  "close_date",
  "close_date_description",
  "estimated_total_program_funding",
  "expected_number_of_awards",
  "forecasted_close_date",
  "forecasted_close_date_description",
  "funding_categories",
  "funding_instruments",
  "is_cost_sharing",
  "is_forecast",
  "legacy_opportunity_id",
  "opportunity_assistance_listings",
  "opportunity_id",
  "opportunity_number",
  "opportunity_status",
  "opportunity_title",
  "post_date",
  "summary_description",
  "top_level_agency_name",
];

/**
 * Simpler.Grants.gov: its extracts `opportunities_json` and `opportunities_csv`, answers of its API, and the CSV that its site exports. They update
 * the records of `grants-gov`: by the legacy id where the file has it, else by the UUID and the opportunity's number (`funding.record_ids`).
 */
export const simpler: Source = {
  name: "simpler",
  about: "Simpler.Grants.gov: its extracts, JSON or CSV, and its site's export",
  recordSource: "grants-gov",
  datasets: ["grants"],
  isFull: false,
  columns: ["opportunity_id", "opportunity_title"],
  usedColumns: columns,
  missedColumns: ["close_date", "summary_description"],
  read: jsonOr(mapRows(jsonObjects("opportunity_id", "opportunity_title"), withSummary), csvRows),
  map(row) {
    const id = [row.legacy_opportunity_id, row.opportunity_id].find((value) => !isBlank(value));
    if (id === undefined) return noRecord("has no opportunity_id");
    const { legacy_opportunity_id: legacyId, award_floor: floor, award_ceiling: ceiling, agency_name: agency } = row;
    const isForecast = /^(?:true|1|yes)$/i.test(String(row.is_forecast ?? ""));
    const expected = [row.forecasted_close_date, row.forecasted_close_date_description];
    const [deadline, note] = isForecast ? expected : [row.close_date, row.close_date_description];
    return [
      {
        notes: floorNotes(floor, ceiling),
        ...asPartial(
          grant({
            source_id: toLine(id).toLowerCase(),
            title: row.opportunity_title,
            description: row.summary_description,
            amount_min: checkFloor(floor, ceiling),
            amount_max: ceiling,
            deadline_date: deadline,
            ...assumedDeadline(deadline),
            deadline_note: note,
            status: row.opportunity_status,
            archived_at: row.archive_date,
            ...(isBlank(agency) ? {} : scopeOf(agency)),
            funder_name: [agency, row.agency_code],
            funder_source_id: row.agency_code,
            listing_url: isBlank(legacyId)
              ? `https://simpler.grants.gov/opportunity/${toLine(row.opportunity_id)}`
              : listingUrl(legacyId),
            created_at: row.post_date,
            categories: listOf(row.funding_categories).map(categoryOfKey),
            identifiers: [row.opportunity_number, numbersOf(row.opportunity_assistance_listings), legacyId],
            opportunity_number: row.opportunity_number,
            notice_type: isForecast ? "Forecast" : "Synopsis",
            agency: isBlank(row.top_level_agency_name)
              ? agencyPath(row.agency_code, agency)
              : [row.top_level_agency_name, agency],
            applicant_types: listOf(row.applicant_types),
            eligibility_text: row.applicant_eligibility_description,
            assistance_listings: listingsOf(row.opportunity_assistance_listings),
            funding_instrument: listOf(row.funding_instruments),
            cost_sharing: row.is_cost_sharing,
            expected_awards: row.expected_number_of_awards,
            total_funding: row.estimated_total_program_funding,
            contact: contactOf({
              text: row.agency_contact_description,
              email: row.agency_email_address,
              phone: row.agency_phone_number,
            }),
            documents: [
              ...attachmentsOf(row.attachments),
              { url: row.additional_info_url, name: row.additional_info_url_description },
            ],
          }),
        ),
      },
    ];
  },
};

/** An opportunity of JSON, whose summary is an object within it, in one row. */
function withSummary(opportunity: RawRow): RawRow {
  const { summary, ...own } = opportunity;
  return { ...objectIn(summary), ...own };
}

/** Values of a list: an array, or a text with semicolons. */
function listOf(value: unknown): unknown[] {
  return isBlank(value)
    ? []
    : toItems(value).flatMap((item) => (typeof item === "string" ? item.split(/\s*;\s*/) : [item]));
}

/** Assistance listings: "10.557|WIC;10.558|Child Care", or objects. */
function listingsOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value
    .map(objectIn)
    .map((listing) =>
      [listing.assistance_listing_number, listing.program_title].filter((part) => !isBlank(part)).join(" "),
    );
}

function numbersOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.map((listing) => objectIn(listing).assistance_listing_number);
  return isBlank(value)
    ? []
    : toLine(value)
        .split(";")
        .map((part) => part.split("|")[0]?.trim());
}

function attachmentsOf(value: unknown): unknown[] {
  return (Array.isArray(value) ? value : []).map(objectIn).map((file) => ({
    url: file.download_path,
    name: isBlank(file.file_description) ? file.file_name : file.file_description,
    type: file.mime_type,
    size: file.file_size_bytes,
    updated_at: file.updated_at,
  }));
}

function objectIn(value: unknown): RawRow {
  return typeof value === "object" && value !== null ? (value as RawRow) : {};
}
