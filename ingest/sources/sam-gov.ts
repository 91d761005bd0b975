import { parseClassification } from "../fields/classification.ts";
import { isBlank, toLine } from "../fields/value.ts";
import { csvRows } from "../read/csv.ts";
import { jsonObjects, mapRows } from "../read/json-objects.ts";
import { jsonOr } from "../read/json-or.ts";
import { agencyName } from "./agency-name.ts";
import { awardAmounts } from "./award-amounts.ts";
import { withColumnNames } from "./column-names.ts";
import { facts } from "./facts.ts";
import { performancePlace } from "./performance-place.ts";
import { productServiceGroup } from "./product-service-codes.ts";
import { answerMember, columnsOfAnswer } from "./sam-gov-answers.ts";
import {
  agencyPath,
  awardee,
  documentLinks,
  noticeId,
  placeParts,
  samGovColumns,
  topAgencies,
} from "./sam-gov-columns.ts";
import { createRecordMakers, noRecord, type RawRow, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";

const { contract } = createRecordMakers(sourceDates["sam-gov"]);

/** SAM.gov's contract opportunities: the daily file of all active notices, the yearly files of archived ones, and answers of its API v2. */
export const samGov: Source = {
  name: "sam-gov",
  about: "SAM.gov's ContractOpportunitiesFullCSV, or answers of its API v2",
  datasets: ["contracts"],
  isFull: true,
  columns: ["Title", "Type", "Link"],
  usedColumns: samGovColumns.own,
  missedColumns: ["ResponseDeadLine", "SetASide"],
  isPart: (row) => Object.hasOwn(row, answerMember),
  read: jsonOr(mapRows(jsonObjects(answerMember, "title"), columnsOfAnswer), withColumnNames(csvRows, samGovColumns)),
  map(row) {
    const id = noticeId(row);
    if (isBlank(id)) return noRecord("has no notice id");
    const type = noticeType(row);
    const classification = isAwarded(type) ? "awarded_project" : "opportunity";
    const agencies = agencyPath(row);
    const { department, agency } = topAgencies(row);
    const place = placeParts(row);
    const award = { recipient: awardee(row), award_number: row.AwardNumber, obligated_amount: row.Award$ };
    return [
      contract({
        source_id: id,
        title: row.Title,
        description: descriptionOf(row),
        classification,
        ...awardAmounts(row.Award$),
        deadline_date: row.ResponseDeadLine,
        status: isArchived(row.Active) ? "archived" : undefined,
        archived_at: row.ArchiveDate,
        // A notice that names no place is national. The place of an award is then unknown.
        ...(performancePlace({ ...place, city: place.city ?? place.state }) ?? {
          is_national: classification === "opportunity",
        }),
        funder_name: [
          isBlank(agency) ? "" : agencyName(agency, department),
          isBlank(department) ? "" : agencyName(department),
        ],
        funder_source_id: row["FPDS Code"],
        listing_url: [row.Link, `https://sam.gov/opp/${toLine(id)}/view`],
        document_url: documentLinks(row)[0],
        created_at: row.PostedDate,
        categories: [type, productServiceGroup(row.ClassificationCode)],
        identifiers: [row["Sol#"], row.AwardNumber, id],
        naics: row.NaicsCode,
        primary_contact_email: findEmails(row.PrimaryContactEmail, row.SecondaryContactEmail),
        set_aside_code: [row.SetASideCode, row.SetASide],
        opportunity_number: row["Sol#"],
        notice_type: row.Type,
        ...(classification === "awarded_project" ? award : {}),
        // An office's name is full of codes, and stays as it is.
        agency: agencies.map((name, position) =>
          position > 1 ? name : agencyName(name, position === 1 ? department : undefined),
        ),
        psc: row.ClassificationCode,
        place_of_performance: place,
        contact: {
          name: row.PrimaryContactFullname,
          email: findEmails(row.PrimaryContactEmail),
          phone: row.PrimaryContactPhone,
        },
        documents: documentLinks(row),
      }),
    ];
  },
};

/** Description and awardee. Answers of the API have the title alone. */
function descriptionOf(row: RawRow): unknown[] {
  const texts = [row.Description, facts({ "Awarded to": row.Awardee })].filter((text) => !isBlank(text));
  return texts.length === 0 ? [row.Title] : texts;
}

/** Type of the notice. A modification has the type of the notice that it modifies. */
function noticeType(row: RawRow): string {
  const [type = ""] = [row.Type, row.BaseType]
    .filter((value) => !isBlank(value))
    .map((value) => toLine(value))
    .filter((value) => !/^modification\/amendment/i.test(value));
  return type;
}

/** Whether there is no bidding any more. A justification explains an award without full competition (FAR 6.305). */
function isAwarded(type: string): boolean {
  return parseClassification(type) === "awarded_project" || /^justification/i.test(type);
}

/** Whether a notice is archived: SAM.gov then calls it inactive; copies have a flag. */
function isArchived(active: unknown): boolean {
  return !isBlank(active) && /^(no?|inactive|false|f|0|archived)$/i.test(toLine(active));
}

function findEmails(...values: unknown[]): string[] {
  return values
    .filter((value) => !isBlank(value))
    .flatMap((value) => toLine(value).split(/[\s;,]+/))
    .filter((word) => word.includes("@"));
}
