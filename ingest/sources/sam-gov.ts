import { parseClassification } from "../fields/classification.ts";
import { isBlank, toLine } from "../fields/value.ts";
import { csvRows } from "../read/csv.ts";
import { agencyName } from "./agency-name.ts";
import { awardAmounts } from "./award-amounts.ts";
import { withColumnNames } from "./column-names.ts";
import { facts } from "./facts.ts";
import { type OtherFile, refuseJson, refuseOtherFiles } from "./other-files.ts";
import { performancePlace } from "./performance-place.ts";
import { productServiceGroup } from "./product-service-codes.ts";
import { agencyPath, documentLinks, noticeId, placeParts, samGovColumns, topAgencies } from "./sam-gov-columns.ts";
import { createRecordMakers, noRecord, type RawRow, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";

const { contract } = createRecordMakers(sourceDates["sam-gov"]);

const requiredColumns = ["Title", "Type", "Link"];

/** Answers of SAM.gov's API, and tables of its notices whose columns have other names. */
const otherFiles: readonly OtherFile[] = [
  {
    columns: ["opportunitiesData", "noticeId", "fullParentPathName"],
    is: "is an answer of SAM.gov's opportunities API",
    format: "ndjson",
    dataset: "contracts",
    source: "sam-gov",
    maps: [
      ["source_id", "noticeId"],
      ["title", "title"],
      // The description is an address that asks for a key.
      ["description", "title"],
      ["funder", "fullParentPathName"],
      ["identifiers", "solicitationNumber"],
      ["opportunity_number", "solicitationNumber"],
      ["created_at", "postedDate"],
      ["deadline", "responseDeadLine"],
      ["archived_at", "archiveDate"],
      ["classification", "type"],
      ["notice_type", "type"],
      ["naics", "naicsCode"],
      ["psc", "classificationCode"],
      ["set_aside", "typeOfSetAside"],
      ["email", "pointOfContact.email"],
      ["url", "uiLink"],
      ["documents", "resourceLinks"],
      ["states", "placeOfPerformance.state.name"],
      ["place_zip", "placeOfPerformance.zip"],
      ["place_country", "placeOfPerformance.country.name"],
    ],
  },
  {
    columns: ["UI Link", "Department Path", "UiLink", "ui_link", "uiLink", "Notice ID"],
    is: "is a table of SAM.gov's notices with other names of columns",
    format: "csv",
    dataset: "contracts",
    source: "sam-gov",
    maps: [
      ["source_id", "NoticeId", "Notice ID", "noticeId", "Opportunity ID"],
      ["title", "Title", "title", "Opportunity Title"],
      ["funder", "Sub-Tier", "Department Path", "Agency", "Department", "Department/Ind.Agency", "fullParentPathName"],
      ["identifiers", "Sol#", "Solicitation Number", "solicitationNumber"],
      ["created_at", "PostedDate", "Posted Date", "Published Date", "postedDate"],
      ["deadline", "ResponseDeadLine", "Response Deadline", "Response Date", "Due Date"],
      ["classification", "Type", "Notice Type"],
      ["notice_type", "Type", "Notice Type"],
      ["naics", "NaicsCode", "NAICS Code", "NAICS"],
      ["psc", "ClassificationCode", "PSC Code", "PSC", "Classification Code"],
      ["set_aside", "SetASideCode", "SetASide", "Set Aside", "Set Aside Code", "Set-Aside"],
      ["url", "UI Link", "UiLink", "uiLink", "ui_link"],
      ["email", "PrimaryContactEmail", "Contact Email", "Primary Contact Email"],
      ["states", "PopState", "Place of Performance"],
    ],
  },
];

/** SAM.gov's contract opportunities: the daily file of all active notices, and the yearly files of archived ones. */
export const samGov: Source = {
  name: "sam-gov",
  about: "SAM.gov's ContractOpportunitiesFullCSV: all active notices",
  datasets: ["contracts"],
  isFull: true,
  columns: requiredColumns,
  usedColumns: samGovColumns.own,
  missedColumns: ["ResponseDeadLine", "SetASide"],
  read: refuseJson(
    withColumnNames(csvRows, samGovColumns, refuseOtherFiles("sam-gov", otherFiles, requiredColumns)),
    "sam-gov",
    otherFiles,
  ),
  map(row) {
    const id = noticeId(row);
    if (isBlank(id)) return noRecord("has no notice id");
    const type = noticeType(row);
    const classification = isAwarded(type) ? "awarded_project" : "opportunity";
    const agencies = agencyPath(row);
    const { department, agency } = topAgencies(row);
    const place = placeParts(row);
    return [
      contract({
        source_id: id,
        title: row.Title,
        description: [row.Description, facts({ "Awarded to": row.Awardee })],
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
