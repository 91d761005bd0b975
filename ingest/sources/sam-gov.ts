import { classificationOf } from "../fields/classification.ts";
import { isBlank, lineOf } from "../fields/value.ts";
import { csvRows } from "../read/rows.ts";
import { agencyName } from "./agency-name.ts";
import { awardAmounts } from "./award-amounts.ts";
import { withColumnNames } from "./column-names.ts";
import { facts } from "./facts.ts";
import { performancePlace } from "./performance-place.ts";
import { productServiceGroup } from "./product-service-codes.ts";
import { agencyPath, documentLink, noticeId, placeParts, samGovColumns } from "./sam-gov-columns.ts";
import { noRecord, type RawRow, recordsDated, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";

const { contract } = recordsDated(sourceDates["sam-gov"]);

/** SAM.gov's contract opportunities: the daily file of all active notices, and the yearly files of archived ones. */
export const samGov: Source = {
  name: "sam-gov",
  about: "SAM.gov's ContractOpportunitiesFullCSV: all active notices",
  datasets: ["contracts"],
  isFull: true,
  columns: ["Title", "Type", "Link"],
  read: withColumnNames(csvRows, samGovColumns),
  map(row) {
    const id = noticeId(row);
    if (isBlank(id)) return noRecord("has no notice id");
    const type = noticeType(row);
    const classification = isAwarded(type) ? "awarded_project" : "opportunity";
    const { department, agency } = agencyPath(row);
    return [
      contract({
        source_id: id,
        title: row.Title,
        description: [row.Description, facts({ "Awarded to": row.Awardee })],
        classification,
        ...awardAmounts(row.Award$),
        deadline_date: row.ResponseDeadLine,
        // Whether it is open, closed or awarded follows from its type, its deadline and whether it is archived.
        archived_at: isArchived(row.Active) ? [row.ArchiveDate, row.ResponseDeadLine, row.PostedDate] : undefined,
        // A notice that names no place is for the whole nation; of an award, nothing is known then.
        ...(performancePlace(placeParts(row)) ?? { is_national: classification === "opportunity" }),
        funder_name: [
          isBlank(agency) ? "" : agencyName(agency, department),
          isBlank(department) ? "" : agencyName(department),
        ],
        funder_source_id: row["FPDS Code"],
        listing_url: [row.Link, `https://sam.gov/opp/${lineOf(id)}/view`],
        document_url: documentLink(row),
        created_at: row.PostedDate,
        categories: [type, productServiceGroup(row.ClassificationCode)],
        identifiers: [row["Sol#"], row.AwardNumber, id],
        naics: row.NaicsCode,
        primary_contact_email: emailsIn(row.PrimaryContactEmail, row.SecondaryContactEmail),
        set_aside_code: [row.SetASideCode, row.SetASide],
      }),
    ];
  },
};

/** What the notice is; a change of one is what it changes. */
function noticeType(row: RawRow): string {
  const [type = ""] = [row.Type, row.BaseType]
    .filter((value) => !isBlank(value))
    .map((value) => lineOf(value))
    .filter((value) => !/^modification\/amendment/i.test(value));
  return type;
}

/** A justification says why a contract was awarded without full competition (FAR 6.305): there is no bidding for it. */
function isAwarded(type: string): boolean {
  return classificationOf(type) === "awarded_project" || /^justification/i.test(type);
}

/** SAM.gov calls the notices inactive that it has archived. */
function isArchived(active: unknown): boolean {
  return !isBlank(active) && /^(no|inactive|false)$/i.test(lineOf(active));
}

function emailsIn(...values: unknown[]): string[] {
  return values
    .filter((value) => !isBlank(value))
    .flatMap((value) => lineOf(value).split(/[\s;,]+/))
    .filter((word) => word.includes("@"));
}
