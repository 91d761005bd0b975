import { isGrantsGovHost, sourceOf } from "../common-grants/address.ts";
import { isBlank, toLine } from "../fields/value.ts";
import type { Note } from "../notes.ts";
import { jsonObjects } from "../read/json-objects.ts";
import {
  agencyPath,
  assumedDeadline,
  checkFloor,
  contactOf,
  floorNotes,
  listingUrl,
  scopeOf,
} from "./grants-gov-values.ts";
import { asPartial, createRecordMakers, type Mapped, noRecord, type RawRow, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";

const { grant } = createRecordMakers(sourceDates["common-grants"]);

/**
 * Opportunities of the CommonGrants protocol 0.4.0: answers of any API of it. Those of Grants.gov become the records of `grants-gov`, by the id or the
 * number that they have there (`funding.record_ids`).
 */
export const commonGrants: Source = {
  name: "common-grants",
  about: "an API of the CommonGrants protocol, by its address; or its answers",
  datasets: ["grants"],
  isFull: false,
  columns: ["id", "title"],
  read: jsonObjects("id", "title", "lastModifiedAt"),
  map: (row) => mapOpportunity(row),
};

/** The source for the API at an address. */
export function commonGrantsAt(address: URL): Source {
  return { ...commonGrants, recordSource: sourceOf(address), map: (row) => mapOpportunity(row, address.hostname) };
}

function mapOpportunity(row: RawRow, host?: string): Mapped {
  const id = isBlank(row.id) ? undefined : toLine(row.id).toLowerCase();
  if (id === undefined) return noRecord("has no id");
  const custom = customValues(row);
  const isOfSimpler = host !== undefined && isGrantsGovHost(host);
  const isOfGrantsGov = isOfSimpler || isAtGrantsGov(row, custom);
  const legacyId = isOfGrantsGov ? (custom.legacySerialId ?? idIn(row.source, /\/(\d{1,15})$/)) : undefined;
  const agency = membersOf(custom.agency);
  const funding = membersOf(row.funding);
  const notes: Note[] = [];
  const dollars = (name: string, field: string) => dollarsOf(funding[name], field, notes);
  const [floor, ceiling] = [dollars("minAwardAmount", "amount_min"), dollars("maxAwardAmount", "amount_max")];
  notes.push(...floorNotes(floor, ceiling));
  const funder = [custom.funderName, agency.name, agency.code].filter((name) => !isBlank(name));
  const place = webHost(row.source) ?? host;
  if (funder.length === 0 && place !== undefined) {
    funder.push(place);
    notes.push({ field: "funder_name", value: place, reason: "is the host of the notice, since no funder is given" });
  }
  const record = grant({
    source_id: isOfGrantsGov ? (legacyId ?? idIn(row.source, /\/opportunity\/([0-9a-f-]{36})$/) ?? id) : id,
    title: row.title,
    description: row.description,
    amount_min: checkFloor(floor, ceiling),
    amount_max: ceiling,
    ...deadlineOf(row, custom, isOfSimpler),
    ...statusOf(row, isOfGrantsGov, isOfSimpler),
    ...(isOfGrantsGov ? scopeOf(agency.name ?? custom.funderName) : { geography: custom.geography }),
    funder_name: funder,
    funder_source_id: agency.code,
    listing_url: listingOf(row, isOfSimpler, id, legacyId),
    created_at: postedAt(row, isOfSimpler),
    categories: custom.categories,
    identifiers: [
      custom.federalOpportunityNumber,
      listOf(custom.assistanceListings).map((listing) => membersOf(listing).identifier),
      custom.legacySerialId,
    ].flat(),
    opportunity_number: custom.federalOpportunityNumber,
    notice_type: custom.noticeType ?? (isOfSimpler ? noticeTypes[String(membersOf(row.status).value)] : undefined),
    agency: agencyOf(agency, isOfGrantsGov),
    applicant_types: listOf(row.acceptedApplicantTypes).map(applicantTypeOf),
    eligibility_text: eligibilityOf(custom.eligibilityCriteria),
    assistance_listings: listOf(custom.assistanceListings).map((listing) => {
      const { identifier, programTitle } = membersOf(listing);
      return [identifier, programTitle].filter((part) => !isBlank(part)).join(" ");
    }),
    funding_instrument: listOf(custom.federalFundingInstruments).map(toWords),
    cost_sharing: costSharingOf(custom.costSharing),
    expected_awards: funding.estimatedAwardCount,
    total_funding: dollars("totalAmountAvailable", "total_funding"),
    place_of_performance: custom.placeOfPerformance,
    contact: contactIn(custom.contactInfo),
    documents: documentsOf(row, custom, isOfSimpler),
  });
  const given = isOfGrantsGov ? { ...asPartial(record), source: "grants-gov" } : record;
  return [{ ...given, notes }];
}

type CustomValues = Readonly<Record<string, unknown>>;

/** Values of the custom fields, by their keys. */
function customValues(row: RawRow): CustomValues {
  return Object.fromEntries(
    Object.entries(membersOf(row.customFields)).map(([key, field]) => [key, membersOf(field).value]),
  );
}

/** Whether an opportunity of another API is one of Grants.gov: by what it says of its source, by its address, or by a federal number. */
function isAtGrantsGov({ source }: RawRow, { dataSource, federalOpportunityNumber }: CustomValues): boolean {
  if (!isBlank(dataSource)) return dataSource === "grants-gov";
  return isGrantsGovHost(webHost(source) ?? "") || !isBlank(federalOpportunityNumber);
}

function webHost(address: unknown): string | undefined {
  const url = typeof address === "string" ? URL.parse(address) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.hostname : undefined;
}

/** The id in an address of Grants.gov. */
function idIn(address: unknown, pattern: RegExp): string | undefined {
  return isGrantsGovHost(webHost(address) ?? "") ? pattern.exec(String(address).toLowerCase())?.[1] : undefined;
}

/** Address of the notice. Simpler.Grants.gov gives that of further information, which is a document here. */
function listingOf({ source }: RawRow, isOfSimpler: boolean, id: string, legacyId: unknown): unknown {
  if (!isOfSimpler) return source;
  return listingUrl(legacyId) ?? `https://simpler.grants.gov/opportunity/${id}`;
}

const noticeTypes: Readonly<Record<string, string>> = { forecasted: "Forecast", open: "Synopsis", closed: "Synopsis" };

/** The status, in the words that Grants.gov's files have: otherwise the records would change with each import of the one or the other. */
function statusOf({ status }: RawRow, isOfGrantsGov: boolean, isOfSimpler: boolean) {
  const { value, customValue } = membersOf(status);
  if (value === "open") return { status: isOfGrantsGov ? "posted" : "open" };
  if (value !== "custom") return { status: value };
  // Simpler.Grants.gov says `custom`, and no more, of what is archived.
  if (isBlank(customValue)) return { status: isOfSimpler ? "archived" : undefined };
  return { status: customValue, ...(customValue === "awarded" ? { classification: "Awarded" } : {}) };
}

/** A type of applicants. `custom` has it beside. */
function applicantTypeOf(given: unknown): unknown {
  const { value, customValue } = membersOf(given);
  return value === "custom" ? (customValue ?? "other") : value;
}

/** Day, hour and words of the deadline. The hours of events have no zone; our own API has the moment beside. */
function deadlineOf({ keyDates }: RawRow, { deadlineAt, deadlineNote }: CustomValues, isOfSimpler: boolean) {
  const { closeDate, otherDates } = membersOf(keyDates);
  const event = membersOf(closeDate);
  const day = event.date ?? event.endDate;
  const time = event.time ?? event.endTime;
  const hour = !isBlank(deadlineAt)
    ? { deadline_at: deadlineAt, ...(isBlank(time) ? { deadline_assumed: true } : {}) }
    : isOfSimpler
      ? assumedDeadline(day)
      : {};
  const written = isBlank(day) || isBlank(time) || !isBlank(deadlineAt) ? day : `${day} ${time}`;
  const end = membersOf(membersOf(otherDates).projectEnd);
  return {
    deadline_date: written,
    ...hour,
    deadline_note: deadlineNote ?? event.details,
    project_end_date: end.date ?? end.endDate,
  };
}

/** When the opportunity was posted: its day, with the hour at which the record was made where that is on the same day. */
function postedAt({ keyDates, createdAt }: RawRow, isOfSimpler: boolean): unknown {
  const { date, startDate } = membersOf(membersOf(keyDates).postDate);
  const day = date ?? startDate;
  if (isBlank(day)) return createdAt;
  return !isOfSimpler && String(createdAt).startsWith(String(day)) ? createdAt : day;
}

function agencyOf({ code, name, parentName }: RawRow, isOfGrantsGov: boolean): unknown[] {
  if (!isBlank(parentName)) return [parentName, name];
  return isOfGrantsGov ? agencyPath(code, name) : [name];
}

function eligibilityOf(given: unknown): unknown {
  const { details, beneficiaryTypes } = membersOf(given);
  if (!isBlank(details)) return details;
  return listOf(beneficiaryTypes)
    .map((type) => membersOf(type).name)
    .filter((name) => !isBlank(name))
    .join(", ");
}

function costSharingOf(given: unknown): unknown {
  const { isRequired, percentage, details } = membersOf(given);
  return isRequired ?? (typeof percentage === "number" ? `${percentage}%` : details);
}

/** `cooperativeAgreement` in words. */
function toWords(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ") : value;
}

function contactIn(given: unknown): unknown {
  const { name, email, phone, description } = membersOf(given);
  return contactOf({ text: description, name, email, phone });
}

function documentsOf(row: RawRow, { attachments, additionalInfo }: CustomValues, isOfSimpler: boolean): unknown[] {
  const { url, description } = membersOf(additionalInfo);
  const address = url ?? (isOfSimpler ? row.source : undefined);
  return [
    ...listOf(attachments)
      .map(membersOf)
      .map((file) => ({
        url: file.downloadUrl,
        name: isBlank(file.description) ? file.name : file.description,
        type: file.mimeType,
        size: file.sizeInBytes,
        // Where its publisher does not say, our own API gives a file the opportunity's time.
        updated_at: file.lastModifiedAt === row.createdAt ? undefined : file.lastModifiedAt,
      })),
    ...(isBlank(address) ? [] : [{ url: address, name: description }]),
  ];
}

/** Dollars of an amount. Another currency is left out. */
function dollarsOf(given: unknown, field: string, notes: Note[]): unknown {
  const { amount, currency } = membersOf(given);
  if (isBlank(amount) || isBlank(currency) || currency === "USD") return amount;
  notes.push({ field, value: `${amount} ${currency}`, reason: "is not in US dollars; left out" });
  return undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function membersOf(value: unknown): RawRow {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as RawRow) : {};
}
