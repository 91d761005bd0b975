import { isBlank } from "../fields/value.ts";
import { jsonRows } from "../read/json.ts";
import { categoryNames, isOver, listingUrl, scopeOf } from "./grants-gov-values.ts";
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
  map(row, { today }) {
    if (isBlank(row.id)) return noRecord("has no opportunity id; perhaps the search found nothing");
    return [asPartial(row.opportunityTitle === undefined ? hit(row) : opportunity(row, today))];
  },
};

function hit(row: RawRow): MappedRecord {
  return grant({
    source_id: row.id,
    title: row.title,
    deadline_date: row.closeDate,
    status: row.oppStatus,
    ...scopeOf(row.agency),
    funder_name: row.agency,
    funder_source_id: row.agencyCode,
    listing_url: listingUrl(row.id),
    created_at: row.openDate,
    identifiers: [row.number, row.cfdaList, row.id],
  });
}

function opportunity(row: RawRow, today: string): MappedRecord {
  const isForecast = isBlank(row.synopsis);
  const details = objectIn(isForecast ? row.forecast : row.synopsis);
  const agency = objectIn(row.agencyDetails ?? details.agencyDetails);
  const deadline = details.responseDate ?? details.estApplicationResponseDate;
  const isArchived = isOver(details.archiveDate, today);
  const statusByDate = isOver(deadline, today, { isOnTheDay: false }) ? "closed" : "posted";
  return grant({
    source_id: row.id,
    title: row.opportunityTitle,
    description: details.synopsisDesc ?? details.forecastDesc,
    amount_min: details.awardFloor,
    amount_max: details.awardCeiling,
    deadline_date: deadline,
    status: isArchived ? "archived" : isForecast ? "forecasted" : statusByDate,
    archived_at: isArchived ? details.archiveDate : undefined,
    ...(isBlank(agency.agencyName) ? {} : scopeOf(agency.agencyName)),
    // The synopsis's own agencyName is a person.
    funder_name: agency.agencyName,
    funder_source_id: agency.agencyCode ?? row.owningAgencyCode,
    listing_url: listingUrl(row.id),
    created_at: details.postingDate,
    categories: categoryNames(namesIn(details.fundingActivityCategories, "id")),
    identifiers: [row.opportunityNumber, namesIn(row.cfdas ?? row.alns, "cfdaNumber"), row.id],
  });
}

function objectIn(value: unknown): RawRow {
  return typeof value === "object" && value !== null ? (value as RawRow) : {};
}

function namesIn(list: unknown, member: string): unknown[] {
  return Array.isArray(list) ? list.map((item) => objectIn(item)[member]) : [];
}
