import { parseSourceId } from "../fields/code.ts";
import { countryOfCode } from "../fields/country.ts";
import { isBlank, toLine } from "../fields/value.ts";
import { csvRows } from "../read/csv.ts";
import { jsonRows } from "../read/json.ts";
import { jsonOr } from "../read/json-or.ts";
import { awardAmounts } from "./award-amounts.ts";
import { type ColumnNames, withColumnNames } from "./column-names.ts";
import { facts } from "./facts.ts";
import { performancePlace } from "./performance-place.ts";
import { createRecordMakers, noRecord, type RawRow, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";

const { grant } = createRecordMakers(sourceDates.nsf);

/** Members of the API's awards, by the columns of CSV tables made from them. */
const columnNames: ColumnNames = {
  own: [
    "abstractText",
    "awardUrl",
    "awardeeCity",
    "awardeeCountryCode",
    "awardeeName",
    "awardeeStateCode",
    "awardeeZipCode",
    "cfdaNumber",
    "date",
    "estimatedTotalAmt",
    "expDate",
    "fundProgramName",
    "fundsObligatedAmt",
    "id",
    "orgLongName",
    "orgLongName2",
    "perfCity",
    "perfCountryCode",
    "perfStateCode",
    "perfZipCode",
    "startDate",
    "title",
    "titlePrefixes",
    "transType",
    "ueiNumber",
  ],
  copies: {
    award_id: "id",
    award_url: "awardUrl",
    title_clean: "title",
    program_prefix: "titlePrefixes",
    institution: "awardeeName",
    state: "awardeeStateCode",
    directorate_full: "orgLongName",
    division_full: "orgLongName2",
    program_name: "fundProgramName",
    transaction_type: "transType",
    amount_usd: "fundsObligatedAmt",
    start_date: "startDate",
    end_date: "expDate",
    abstract: "abstractText",
  },
};

/** Awards of the National Science Foundation: answers of its award API, or CSV tables made from them. */
export const nsf: Source = {
  name: "nsf",
  about: "NSF's award API, JSON (or CSV made of it): awarded grants",
  datasets: ["grants"],
  isFull: false,
  columns: ["id", "title"],
  usedColumns: columnNames.own,
  missedColumns: ["fundsObligatedAmt", "expDate"],
  read: jsonOr(jsonRows("$.response.award.*"), withColumnNames(csvRows, columnNames)),
  map(row) {
    if (isBlank(row.id)) return noRecord("has no award id");
    const id = awardId(row.id);
    return [
      grant({
        source_id: id,
        title: titleOf(row),
        description: [row.abstractText, facts({ Recipient: row.awardeeName, Program: row.fundProgramName })],
        classification: "awarded_project",
        ...awardAmounts(row.fundsObligatedAmt, row.estimatedTotalAmt),
        project_end_date: row.expDate,
        ...placeOf(row),
        funder_name: "National Science Foundation",
        funder_source_id: "4900",
        listing_url: [row.awardUrl, `https://www.nsf.gov/awardsearch/showAward?AWD_ID=${id}`],
        created_at: row.date,
        categories: [row.orgLongName, row.orgLongName2],
        recipient: {
          name: row.awardeeName,
          uei: row.ueiNumber,
          city: row.awardeeCity,
          state: row.awardeeStateCode,
          country: countryCode(row.awardeeCountryCode, row.awardeeStateCode, row.awardeeCity),
        },
        award_number: id,
        award_type: row.transType,
        obligated_amount: row.fundsObligatedAmt,
        project_start_date: row.startDate,
        notice_type: row.transType,
        agency: ["National Science Foundation", row.orgLongName, row.orgLongName2],
        assistance_listings: row.cfdaNumber,
        funding_instrument: /grant|cooperative/i.test(isBlank(row.transType) ? "" : toLine(row.transType))
          ? row.transType
          : undefined,
        total_funding: row.estimatedTotalAmt,
        place_of_performance: {
          city: row.perfCity,
          state: row.perfStateCode,
          zip: row.perfZipCode,
          country: countryCode(row.perfCountryCode, row.perfStateCode, row.perfCity),
        },
        identifiers: [id, isBlank(row.cfdaNumber) ? [] : toLine(row.cfdaNumber).split(/,\s*/)],
      }),
    ];
  },
};

/** Number of an award: seven digits, of which spreadsheets drop leading zeros. */
function awardId(value: unknown): string {
  const id = parseSourceId(value);
  return /^\d+$/.test(id) ? id.padStart(7, "0") : id;
}

/** Title. Tables have its prefixes ("Collaborative Research, RAPID") in a separate column. */
function titleOf(row: RawRow): unknown {
  if (isBlank(row.titlePrefixes) || isBlank(row.title)) return row.title;
  return `${toLine(row.titlePrefixes).replaceAll(", ", ": ")}: ${toLine(row.title)}`;
}

/** Place of the work, else of the awardee. */
function placeOf(row: RawRow) {
  return (
    performancePlace({
      country: countryCode(row.perfCountryCode, row.perfStateCode, row.perfCity),
      state: row.perfStateCode,
      city: row.perfCity,
      zip: row.perfZipCode,
    }) ??
    performancePlace({
      country: countryCode(row.awardeeCountryCode, row.awardeeStateCode, row.awardeeCity),
      state: row.awardeeStateCode,
      city: row.awardeeCity,
      zip: row.awardeeZipCode,
    })
  );
}

/** Code of a country. NA is Namibia for a city abroad; programs that make tables write it where nothing is known. */
function countryCode(code: unknown, state: unknown, city: unknown): unknown {
  return isBlank(state) && !isBlank(city) ? countryOfCode(code) : code;
}
