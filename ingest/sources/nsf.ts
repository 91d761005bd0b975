import { isBlank, lineOf } from "../fields/value.ts";
import { jsonRows } from "../read/json.ts";
import { jsonOr } from "../read/json-or.ts";
import { csvRows } from "../read/rows.ts";
import { awardAmounts } from "./award-amounts.ts";
import { withColumnNames } from "./column-names.ts";
import { facts } from "./facts.ts";
import { performancePlace } from "./performance-place.ts";
import { noRecord, type RawRow, recordsDated, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";

const { grant } = recordsDated(sourceDates.nsf);

/** The members of the API's awards, by the columns of tables that are made of them. */
const columnNames: Readonly<Record<string, string>> = {
  award_id: "id",
  award_url: "awardUrl",
  title_clean: "title",
  program_prefix: "titlePrefixes",
  institution: "awardeeName",
  state: "awardeeStateCode",
  directorate_full: "orgLongName",
  division_full: "orgLongName2",
  program_name: "fundProgramName",
  amount_usd: "fundsObligatedAmt",
  end_date: "expDate",
  abstract: "abstractText",
};

/** Awards of the National Science Foundation: answers of its award API, or tables made of them. */
export const nsf: Source = {
  name: "nsf",
  about: "NSF's award API, JSON (or CSV made of it): awarded grants",
  datasets: ["grants"],
  isFull: false,
  columns: ["id", "title"],
  read: jsonOr(jsonRows("$.response.award.*"), withColumnNames(csvRows, columnNames)),
  map(row) {
    if (isBlank(row.id)) return noRecord("has no award id");
    return [
      grant({
        source_id: row.id,
        title: titleOf(row),
        description: [row.abstractText, facts({ Recipient: row.awardeeName, Program: row.fundProgramName })],
        classification: "awarded_project",
        ...awardAmounts(row.fundsObligatedAmt, row.estimatedTotalAmt),
        project_end_date: row.expDate,
        ...placeOf(row),
        funder_name: "National Science Foundation",
        funder_source_id: "4900",
        listing_url: [row.awardUrl, `https://www.nsf.gov/awardsearch/showAward?AWD_ID=${lineOf(row.id)}`],
        created_at: row.date,
        categories: [row.orgLongName, row.orgLongName2],
        identifiers: [row.id, isBlank(row.cfdaNumber) ? [] : lineOf(row.cfdaNumber).split(/,\s*/)],
      }),
    ];
  },
};

/** The title; tables have what stood before its colons ("Collaborative Research, RAPID") in a column of its own. */
function titleOf(row: RawRow): unknown {
  if (isBlank(row.titlePrefixes) || isBlank(row.title)) return row.title;
  return `${lineOf(row.titlePrefixes).replaceAll(", ", ": ")}: ${lineOf(row.title)}`;
}

/** Where the work is done, else where the awardee is. */
function placeOf(row: RawRow) {
  return (
    performancePlace({
      country: row.perfCountryCode,
      state: row.perfStateCode,
      city: row.perfCity,
      zip: row.perfZipCode,
    }) ??
    performancePlace({
      country: row.awardeeCountryCode,
      state: row.awardeeStateCode,
      city: row.awardeeCity,
      zip: row.awardeeZipCode,
    })
  );
}
