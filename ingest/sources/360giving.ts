import { countryOfCode, parseCountry } from "../fields/country.ts";
import { parseDayOrNull } from "../fields/date.ts";
import { isBlank, toLine } from "../fields/value.ts";
import type { Note } from "../notes.ts";
import { jsonRows } from "../read/json.ts";
import { awardAmounts } from "./award-amounts.ts";
import { facts } from "./facts.ts";
import { performancePlace } from "./performance-place.ts";
import { createRecordMakers, type MappedRecord, noRecord, type RawRow, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";

const { order } = sourceDates["360giving"];
const { grant, funder } = createRecordMakers(sourceDates["360giving"]);

/** Grants in the 360Giving Data Standard, in which British funders publish their grants, and those funders. */
export const threeSixtyGiving: Source = {
  name: "360giving",
  about: "grants in the 360Giving Data Standard, JSON: awarded, with their funders",
  datasets: ["grants", "funders"],
  isFull: false,
  columns: ["id", "title", "fundingOrganization"],
  read: jsonRows("$.grants.*"),
  map(row) {
    if (isBlank(row.id)) return noRecord("has no grant id");
    const organization = first(row.fundingOrganization);
    const award = grant({
      source_id: row.id,
      title: row.title,
      description: [
        row.description,
        facts({ Recipient: first(row.recipientOrganization).name, "Amount awarded": amountText(row) }),
      ],
      classification: "awarded_project",
      // Amounts of records are US dollars. An amount in another currency is in the description.
      ...(currencyOf(row) === "USD" ? awardAmounts(row.amountAwarded) : {}),
      project_end_date: endDate(row),
      ...placeOf(row),
      funder_name: organization.name,
      funder_source_id: organization.id,
      listing_url: [row.url, `https://grantnav.threesixtygiving.org/grant/${encodeURIComponent(toLine(row.id))}`],
      created_at: row.awardDate,
      categories: list(row.grantProgramme).map(({ title }) => title),
      identifiers: row.id,
      recipient: recipientOf(first(row.recipientOrganization)),
      award_number: row.id,
      project_start_date: first(row.plannedDates).startDate,
      agency: organization.name,
      place_of_performance: {
        city: first(row.beneficiaryLocation).name,
        country: countryOfCode(first(row.beneficiaryLocation).countryCode),
      },
    });
    return [{ ...award, notes: endNotes(row) }, ...funderOf(organization)];
  },
};

function funderOf({ id, name, url, description }: RawRow): MappedRecord[] {
  if (isBlank(id) || isBlank(name)) return [];
  return [funder({ source_id: id, name, website: url, summary: description })];
}

/** Returns the planned day of the end. One before the beginning is a mistake, and left out. */
function endDate(row: RawRow): unknown {
  return endsBeforeStart(row) ? undefined : first(row.plannedDates).endDate;
}

function endNotes(row: RawRow): Note[] {
  const value = first(row.plannedDates).endDate;
  return endsBeforeStart(row) ? [{ field: "project_end_date", value, reason: "is before the start; left out" }] : [];
}

function endsBeforeStart(row: RawRow): boolean {
  const { startDate, endDate: end } = first(row.plannedDates);
  if (isBlank(end) || isBlank(startDate)) return false;
  const [begins, ends] = [parseDayOrNull(startDate, order), parseDayOrNull(end, order)];
  return begins !== null && ends !== null && ends < begins;
}

/** Recipient. Its number as a charity or company of another country is no EIN. */
function recipientOf({ id, name, addressLocality, addressRegion, addressCountry }: RawRow) {
  return {
    name,
    ein: isBlank(id) ? undefined : /^US-EIN-(\d{2}-?\d{7})$/.exec(toLine(id))?.[1],
    city: addressLocality,
    state: addressRegion,
    country: addressCountry,
  };
}

/** Place of a grant, in Britain or elsewhere outside the United States; within them, the nation. */
function placeOf(row: RawRow) {
  const place = first(row.beneficiaryLocation);
  const recipient = first(row.recipientOrganization);
  const country = [countryOfCode(place.countryCode), recipient.addressCountry, "GB"].find((value) => !isBlank(value));
  const region = [place.name, row.recipientRegionName, recipient.addressRegion].find((value) => !isBlank(value));
  const name = countryName(toLine(country));
  if (parseCountry(name)?.kind === "home") return { is_national: true };
  return performancePlace({ country: name, city: region });
}

function countryName(country: string): string {
  return /^[A-Z]{2}$/.test(country) ? (regionNames.of(country) ?? country) : country;
}

const regionNames = new Intl.DisplayNames(["en"], { type: "region", fallback: "code" });

/** "GBP 10,000". */
function amountText(row: RawRow): string {
  const amount = Number(row.amountAwarded);
  return amount > 0 ? `${currencyOf(row)} ${amount.toLocaleString("en-US")}` : "";
}

function currencyOf(row: RawRow): string {
  return isBlank(row.currency) ? "GBP" : toLine(row.currency).toUpperCase();
}

function first(value: unknown): RawRow {
  return list(value)[0] ?? {};
}

function list(value: unknown): RawRow[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];
}
