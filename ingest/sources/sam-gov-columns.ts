import { isBlank } from "../fields/value.ts";
import type { ColumnNames } from "./column-names.ts";
import type { RawRow } from "./source.ts";

/** Columns of ContractOpportunitiesFullCSV that are used, and the names of exports and trackers made from SAM.gov. */
export const samGovColumns: ColumnNames = {
  own: [
    "Active",
    "AdditionalInfoLink",
    "Agency",
    "ArchiveDate",
    "Attachment Links",
    "Award$",
    "AwardNumber",
    "Awardee",
    "BaseType",
    "ClassificationCode",
    "Department/Ind.Agency",
    "Description",
    "FPDS Code",
    "Link",
    "NaicsCode",
    "NoticeId",
    "Office",
    "Place of Performance",
    "PopCity",
    "PopCountry",
    "PopState",
    "PopZip",
    "PostedDate",
    "PrimaryContactEmail",
    "ResponseDeadLine",
    "SecondaryContactEmail",
    "SetASide",
    "SetASideCode",
    "Sol#",
    "Sub-Tier",
    "Title",
    "Type",
  ],
  copies: {
    "Notice ID": "NoticeId",
    title: "Title",
    "Opportunity Title": "Title",
    solicitation_number: "Sol#",
    "Solicitation Number": "Sol#",
    department: "Department/Ind.Agency",
    subtier: "Sub-Tier",
    type_name: "Type",
    "Notice Type": "Type",
    office: "Office",
    publish_date: "PostedDate",
    response_date: "ResponseDeadLine",
    "Due Date": "ResponseDeadLine",
    is_active: "Active",
    set_aside: "SetASide",
    "Set-Aside": "SetASide",
    NAICS: "NaicsCode",
    PSC: "ClassificationCode",
    awardee_name: "Awardee",
    award_amount: "Award$",
    "Contact Email": "PrimaryContactEmail",
    sam_url: "Link",
    "SAM.gov Link": "Link",
    description: "Description",
  },
};

/** Identifier of the notice: from its column, else from its address. */
export function noticeId(row: RawRow): unknown {
  return isBlank(row.NoticeId) ? /\b[0-9a-f]{32}\b/.exec(textIn(row.Link))?.[0] : row.NoticeId;
}

/** Department and agency, from their columns or from the path "DEPT OF DEFENSE.DEPT OF THE NAVY.ONR". */
export function topAgencies(row: RawRow): { department: unknown; agency: unknown } {
  const [department, agency] = pathIn(row.Agency);
  return { department: row["Department/Ind.Agency"] ?? department, agency: row["Sub-Tier"] ?? agency };
}

/** Organizations from the department to the office, from their columns or from that path. */
export function agencyPath(row: RawRow): unknown[] {
  const [, , ...offices] = pathIn(row.Agency);
  const { department, agency } = topAgencies(row);
  return [department, agency, ...(isBlank(row.Office) ? offices : [row.Office])].filter((name) => !isBlank(name));
}

/** Parts of a path. The points of "U.S. AIR FORCES IN EUROPE" are within a part. */
function pathIn(value: unknown): string[] {
  return textIn(value).split(/(?<!\b[A-Z])\.(?!\s)/);
}

/** Parts of the place of performance, from their columns or from "Richmond, Virginia, UNITED STATES". */
export function placeParts(row: RawRow): {
  country: unknown;
  state: unknown;
  city: unknown;
  zip?: unknown;
} {
  if (isBlank(row["Place of Performance"])) {
    return { country: row.PopCountry, state: row.PopState, city: row.PopCity, zip: row.PopZip };
  }
  const [country, state, city] = textIn(row["Place of Performance"]).split(", ").reverse();
  return { country, state, city: city ?? state };
}

/** Addresses of documents. Attachment links are one a line, among other text of SAM.gov's API. */
export function documentLinks(row: RawRow): unknown[] {
  const attachments = textIn(row["Attachment Links"]).match(/^https?:\S+$/gm) ?? [];
  return isBlank(row.AdditionalInfoLink) ? attachments : [row.AdditionalInfoLink, ...attachments];
}

function textIn(value: unknown): string {
  return isBlank(value) ? "" : String(value).trim();
}
