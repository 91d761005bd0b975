import { ValueError } from "../errors.ts";
import { readFormula } from "../fields/formula.ts";
import { isBlank } from "../fields/value.ts";
import { csvRows } from "../read/csv.ts";
import { withColumnNames } from "./column-names.ts";
import {
  agencyPath,
  assumedDeadline,
  checkFloor,
  contactOf,
  floorNotes,
  listingUrl,
  rankOf,
  scopeOf,
} from "./grants-gov-values.ts";
import { asPartial, createRecordMakers, noRecord, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";

const { grant } = createRecordMakers(sourceDates["grants-gov-site"]);

const columns = [
  "AGENCY CODE",
  "AGENCY NAME",
  "ASSISTANCE LISTINGS",
  "AWARD CEILING",
  "AWARD FLOOR",
  "CATEGORY OF FUNDING ACTIVITY",
  "CLOSE DATE",
  "COST SHARING / MATCH REQUIREMENT",
  "ESTIMATED TOTAL FUNDING",
  "EXPECTED NUMBER OF AWARDS",
  "FUNDING DESCRIPTION",
  "FUNDING INSTRUMENT TYPE",
  "GRANTOR CONTACT",
  "GRANTOR CONTACT EMAIL",
  "OPPORTUNITY NUMBER",
  "OPPORTUNITY STATUS",
  "OPPORTUNITY TITLE",
  "POSTED DATE",
  "VERSION",
];

/**
 * "Export Detailed Data" of Grants.gov's search, CSV. It updates the extract's records: the opportunity's id is in the address that its number links
 * to, `=HYPERLINK("https://www.grants.gov/search-results-detail/358939", "HRSA-27-014")`.
 */
export const grantsGovSite: Source = {
  name: "grants-gov-site",
  about: 'Grants.gov\'s "Export Detailed Data", CSV: what its search found',
  recordSource: "grants-gov",
  datasets: ["grants"],
  isFull: false,
  columns: ["OPPORTUNITY NUMBER", "OPPORTUNITY TITLE", "AGENCY NAME"],
  usedColumns: columns,
  missedColumns: ["CLOSE DATE", "FUNDING DESCRIPTION"],
  read: withColumnNames(csvRows, { own: columns, copies: {} }),
  isEarly: (row) => /^forecast/i.test(String(row.VERSION ?? "")),
  map(row) {
    const link = linkOf(row["OPPORTUNITY NUMBER"]);
    const id = /(\d+)\/?$/.exec(link?.address ?? "")?.[1];
    if (id === undefined)
      return noRecord("OPPORTUNITY NUMBER does not link to the opportunity's page, whose address has its id");
    const number = link?.text;
    const isForecast = /^forecast/i.test(String(row.VERSION ?? row["OPPORTUNITY STATUS"] ?? ""));
    const [floor, ceiling] = [row["AWARD FLOOR"], row["AWARD CEILING"]];
    const agency = row["AGENCY NAME"];
    return [
      {
        rank: rankOf(isForecast, row.VERSION),
        notes: floorNotes(floor, ceiling),
        ...asPartial(
          grant({
            source_id: id,
            title: row["OPPORTUNITY TITLE"],
            description: row["FUNDING DESCRIPTION"],
            amount_min: checkFloor(floor, ceiling),
            amount_max: ceiling,
            deadline_date: row["CLOSE DATE"],
            ...assumedDeadline(row["CLOSE DATE"]),
            status: row["OPPORTUNITY STATUS"],
            ...(isBlank(agency) ? {} : scopeOf(agency)),
            funder_name: [agency, row["AGENCY CODE"]],
            funder_source_id: row["AGENCY CODE"],
            listing_url: listingUrl(id),
            created_at: row["POSTED DATE"],
            categories: row["CATEGORY OF FUNDING ACTIVITY"],
            identifiers: [number, id],
            opportunity_number: number,
            notice_type: isForecast ? "Forecast" : "Synopsis",
            agency: agencyPath(row["AGENCY CODE"], agency),
            assistance_listings: row["ASSISTANCE LISTINGS"],
            funding_instrument: row["FUNDING INSTRUMENT TYPE"],
            cost_sharing: row["COST SHARING / MATCH REQUIREMENT"],
            expected_awards: row["EXPECTED NUMBER OF AWARDS"],
            total_funding: row["ESTIMATED TOTAL FUNDING"],
            contact: contactOf({ name: row["GRANTOR CONTACT"], email: row["GRANTOR CONTACT EMAIL"] }),
          }),
        ),
      },
    ];
  },
};

/** Number and address of a cell that links; undefined where it does not, or is a formula whose value only a spreadsheet knows. */
function linkOf(cell: unknown): { text: string; address?: string } | undefined {
  try {
    return isBlank(cell) ? undefined : readFormula(String(cell).trim());
  } catch (error) {
    if (error instanceof ValueError) return undefined;
    throw error;
  }
}
