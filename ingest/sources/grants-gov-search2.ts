import { isBlank, toLine } from "../fields/value.ts";
import { jsonRows } from "../read/json.ts";
import {
  agencyPath,
  assumedDeadline,
  categoryNames,
  checkFloor,
  contactOf,
  floorNotes,
  listingUrl,
  rankOf,
  scopeOf,
} from "./grants-gov-values.ts";
import { asPartial, createRecordMakers, type MappedRecord, noRecord, type RawRow, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";

const { grant } = createRecordMakers(sourceDates["grants-gov-search2"]);

/**
 * Answers of Grants.gov's API: pages of `search2`, and `fetchOpportunity`, which has more of one opportunity. They update
 * parts of the extract's records, for opportunities that were posted or changed since the day's extract.
 */
export const grantsGovSearch2: Source = {
  name: "grants-gov-search2",
  about: "answers of Grants.gov's API: search2, fetchOpportunity",
  recordSource: "grants-gov",
  datasets: ["grants"],
  isFull: false,
  read: jsonRows("$.data.oppHits.*", "$.data"),
  isEarly: isForecastRow,
  map(row) {
    if (isBlank(row.id)) return noRecord("has no opportunity id; perhaps the search found nothing");
    const isHit = row.opportunityTitle === undefined;
    // What `fetchOpportunity` says of an opportunity is kept in place of a page's row of it.
    const rank = rankOf(isForecastRow(row), isHit ? 0 : 1);
    const { awardFloor, awardCeiling } = objectIn(row.synopsis ?? row.forecast);
    const notes = floorNotes(awardFloor, awardCeiling);
    return [{ rank, notes, ...asPartial(isHit ? hit(row) : opportunity(row)) }];
  },
};

function isForecastRow(row: RawRow): boolean {
  return row.opportunityTitle === undefined ? row.docType === "forecast" : isBlank(row.synopsis);
}

function hit(row: RawRow): MappedRecord {
  const agency = isBlank(row.agency) ? row.agencyName : row.agency;
  const listings = row.cfdaList ?? row.alnist ?? row.alnList;
  return grant({
    source_id: row.id,
    title: row.title,
    deadline_date: row.closeDate,
    ...assumedDeadline(row.closeDate),
    status: row.oppStatus,
    ...(isBlank(agency) ? {} : scopeOf(agency)),
    funder_name: agency,
    funder_source_id: row.agencyCode,
    listing_url: listingUrl(row.id),
    created_at: row.openDate,
    identifiers: [row.number, listings, row.id],
    opportunity_number: row.number,
    notice_type: noticeType(row.docType),
    agency: isBlank(agency) ? undefined : agencyPath(row.agencyCode, agency),
    assistance_listings: listings,
  });
}

function opportunity(row: RawRow): MappedRecord {
  const isForecast = isBlank(row.synopsis);
  const details = objectIn(isForecast ? row.forecast : row.synopsis);
  const agency = objectIn(row.agencyDetails ?? details.agencyDetails);
  const deadline = details.responseDate ?? details.estApplicationResponseDate;
  return grant({
    source_id: row.id,
    title: row.opportunityTitle,
    description: details.synopsisDesc ?? details.forecastDesc,
    amount_min: checkFloor(details.awardFloor, details.awardCeiling),
    amount_max: details.awardCeiling,
    deadline_date: deadline,
    ...assumedDeadline(deadline),
    deadline_note: details.responseDateDesc ?? details.estApplicationResponseDateDesc,
    status: isForecast ? "forecasted" : "posted",
    archived_at: details.archiveDate,
    ...(isBlank(agency.agencyName) ? {} : scopeOf(agency.agencyName)),
    // The synopsis's own agencyName is a person.
    funder_name: agency.agencyName,
    funder_source_id: agency.agencyCode ?? row.owningAgencyCode,
    listing_url: listingUrl(row.id),
    created_at: details.postingDate,
    categories: categoryNames(namesIn(details.fundingActivityCategories, "id")),
    identifiers: [
      row.opportunityNumber,
      objectsIn(row.cfdas ?? row.alns).map(({ cfdaNumber, alnNumber }) => cfdaNumber ?? alnNumber),
      row.id,
    ],
    opportunity_number: row.opportunityNumber,
    notice_type: noticeType(isForecast ? "forecast" : "synopsis"),
    agency: isBlank(agency.agencyName)
      ? undefined
      : [objectIn(row.topAgencyDetails ?? details.topAgencyDetails).agencyName, agency.agencyName],
    applicant_types: namesIn(details.applicantTypes, "id"),
    eligibility_text: details.applicantEligibilityDesc,
    assistance_listings: objectsIn(row.cfdas ?? row.alns).map(({ cfdaNumber, alnNumber, programTitle }) =>
      [cfdaNumber ?? alnNumber, programTitle].filter((part) => !isBlank(part)).join(" "),
    ),
    funding_instrument: namesIn(details.fundingInstruments, "id"),
    cost_sharing: details.costSharing,
    expected_awards: details.numberOfAwards,
    total_funding: details.estimatedFunding,
    contact: contactOf({
      name: details.agencyContactName,
      email: details.agencyContactEmail,
      phone: details.agencyContactPhone,
      text: details.agencyContactDesc,
    }),
    documents: documentsOf(row, details),
  });
}

/** "Synopsis", "Forecast". */
function noticeType(type: unknown): string | undefined {
  return isBlank(type) ? undefined : toLine(type).replace(/^./, (letter) => letter.toUpperCase());
}

/** Attached files and linked documents. */
function documentsOf(row: RawRow, details: RawRow): unknown[] {
  const files = objectsIn(row.synopsisAttachmentFolders)
    .flatMap(({ synopsisAttachments }) => objectsIn(synopsisAttachments))
    .map(({ id, fileName, mimeType, fileLobSize, lastUpdatedDate, createdDate }) => ({
      url: isBlank(id) ? undefined : `https://apply07.grants.gov/grantsws/rest/opportunity/att/download/${toLine(id)}`,
      name: fileName,
      type: mimeType,
      size: fileLobSize,
      updated_at: momentOf(lastUpdatedDate ?? createdDate),
    }));
  const links = [
    ...objectsIn(row.synopsisDocumentURLs),
    { docUrl: details.fundingDescLinkUrl, description: details.fundingDescLinkDesc },
  ];
  return [...files, ...links.map(({ docUrl, description }) => ({ url: docUrl, name: description }))];
}

/** "Jul 14, 2026 03:39:47 PM EDT" as RFC 3339. */
function momentOf(value: unknown): string | undefined {
  // Without its zone, it would be read in that of the machine.
  const hasZone = !isBlank(value) && /\d:\d.*\b[ECMP][SD]T$/.test(toLine(value));
  const moment = hasZone ? Date.parse(toLine(value)) : Number.NaN;
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
}

function objectsIn(list: unknown): RawRow[] {
  return Array.isArray(list) ? list.map(objectIn) : [];
}

function objectIn(value: unknown): RawRow {
  return typeof value === "object" && value !== null ? (value as RawRow) : {};
}

function namesIn(list: unknown, member: string): unknown[] {
  return objectsIn(list).map((item) => item[member]);
}
