import { readPlace } from "../../shared/geography/read-place.ts";
import { parseCountry } from "../fields/country.ts";
import { isBlank } from "../fields/value.ts";
import { splitAgencyPath } from "./agency-name.ts";
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
    "AwardeeCity",
    "AwardeeCountry",
    "AwardeeState",
    "AwardeeUei",
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
    "PopStreetAddress",
    "PopZip",
    "PostedDate",
    "PrimaryContactEmail",
    "PrimaryContactFullname",
    "PrimaryContactPhone",
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
    "Opportunity ID": "NoticeId",
    solicitation_number: "Sol#",
    "Solicitation Number": "Sol#",
    department: "Department/Ind.Agency",
    subtier: "Sub-Tier",
    type_name: "Type",
    "Notice Type": "Type",
    office: "Office",
    publish_date: "PostedDate",
    "Published Date": "PostedDate",
    response_date: "ResponseDeadLine",
    "Response Deadline": "ResponseDeadLine",
    "Due Date": "ResponseDeadLine",
    is_active: "Active",
    set_aside: "SetASide",
    "Set-Aside": "SetASide",
    NAICS: "NaicsCode",
    PSC: "ClassificationCode",
    "NAICS Code": "NaicsCode",
    "PSC Code": "ClassificationCode",
    "Set Aside Code": "SetASideCode",
    "Department Path": "Agency",
    fullParentPathName: "Agency",
    Department: "Department/Ind.Agency",
    awardee_name: "Awardee",
    award_amount: "Award$",
    "Contact Email": "PrimaryContactEmail",
    "Contact Name": "PrimaryContactFullname",
    sam_url: "Link",
    "UI Link": "Link",
    uiLink: "Link",
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
  const [department, agency] = splitAgencyPath(textIn(row.Agency));
  return { department: row["Department/Ind.Agency"] ?? department, agency: row["Sub-Tier"] ?? agency };
}

/** Organizations from the department to the office, from their columns or from that path. */
export function agencyPath(row: RawRow): unknown[] {
  const [, , ...offices] = splitAgencyPath(textIn(row.Agency));
  const { department, agency } = topAgencies(row);
  return [department, agency, ...(isBlank(row.Office) ? offices : [row.Office])].filter((name) => !isBlank(name));
}

/** Forms of companies, behind which the city of the daily file's `Awardee` begins. */
const companyForm = /\b(?:LLC|L\.L\.C\.|INC|CORP|CORPORATION|CO|COMPANY|LTD|LIMITED|LP|LLP|PC|PLLC|GMBH)\b\.?/gi;

/** Who got the award, from columns of its own, or from "EXAMPLE BOILERS LLC Fairbanks AK 99703 USA". */
export function awardee(row: RawRow) {
  const text = textIn(row.Awardee).replaceAll(/\s+/g, " ");
  const own = {
    name: text,
    uei: row.AwardeeUei,
    city: row.AwardeeCity,
    state: row.AwardeeState,
    country: row.AwardeeCountry,
  };
  const address = /^(?<before>.+?) (?<state>[A-Z]{2}) (?<zip>\d{5}(?:-?\d{4})?) (?<country>[A-Z]{3})$/.exec(
    text,
  )?.groups;
  if (address === undefined) return own;
  const { before = "", state, country } = address;
  const end = [...before.matchAll(companyForm)].map((match) => match.index + match[0].length).at(-1);
  // Without a company's form, nobody can tell where the name ends and the city begins.
  const parts = end === undefined ? { name: before } : { name: before.slice(0, end), city: before.slice(end).trim() };
  return { ...own, ...parts, state, country };
}

/** Longest text that is read as a place, in characters. */
const longestPlace = 1_000;

interface PlaceParts {
  country: unknown;
  state: unknown;
  city: unknown;
  zip?: unknown;
  street?: unknown;
}

/** Parts of the place of performance, from their columns or from a text. */
export function placeParts(row: RawRow): PlaceParts {
  if (isBlank(row["Place of Performance"])) {
    return {
      country: row.PopCountry,
      state: row.PopState,
      city: row.PopCity,
      zip: row.PopZip,
      street: row.PopStreetAddress,
    };
  }
  return partsOfText(textIn(row["Place of Performance"]));
}

/** Parts of "Richmond, Virginia, UNITED STATES", "Accra, , GHANA", "Norfolk, VA 23511" or "Nationwide". */
function partsOfText(text: string): PlaceParts {
  const parts = text.split(",").map((part) => part.trim());
  while (parts.length > 1 && parts.at(-1) === "") parts.pop();
  const last = parts.at(-1) ?? "";
  const kind = parseCountry(last)?.kind;
  // Countries have codes of three letters, of which IND is Indiana's abbreviation too.
  const hasCountry = /^[A-Z]{3}$/.test(last) || kind === "home" || kind === "territory";
  const reading = hasCountry || text.length > longestPlace ? undefined : readPlace(text);
  if (reading?.kind === "national") return { country: "USA", state: undefined, city: text };
  // Words such as "Fort Example" are no country.
  if (parts.length === 1 && kind === "unlisted" && reading?.kind === "unknown")
    return { country: undefined, state: undefined, city: text };
  const isAtHome = reading?.kind === "states" || kind === "home";
  if (!isAtHome) {
    const [country, ...more] = parts.reverse();
    return more.length > 1 ? { country, state: more[0], city: more[1] } : { country, state: undefined, city: more[0] };
  }
  const places = reading === undefined ? parts.slice(0, -1) : parts;
  const { rest, zip } = takeZip(places);
  return {
    country: reading === undefined ? last : undefined,
    state: reading === undefined ? rest.at(-1) : reading.states.join("; "),
    city: rest.length > 1 && (reading?.states.length ?? 1) === 1 ? rest.slice(0, -1).join(", ") : undefined,
    zip,
  };
}

/** The ZIP code behind the state: "VA 23511", or a part of its own. Before the state, five digits are a city's code. */
function takeZip(parts: readonly string[]): { rest: string[]; zip: string | undefined } {
  const last = parts.at(-1) ?? "";
  const zip = /(?<=^|\s)\d{5}(?:-\d{4})?$/.exec(last)?.[0];
  if (zip === undefined) return { rest: [...parts], zip };
  const state = last.slice(0, -zip.length).trim();
  return { rest: state === "" ? parts.slice(0, -1) : [...parts.slice(0, -1), state], zip };
}

/** Addresses of documents. Attachment links are one a line, among other text of SAM.gov's API. */
export function documentLinks(row: RawRow): unknown[] {
  const attachments = textIn(row["Attachment Links"]).match(/^https?:\S+$/gm) ?? [];
  return isBlank(row.AdditionalInfoLink) ? attachments : [row.AdditionalInfoLink, ...attachments];
}

function textIn(value: unknown): string {
  return isBlank(value) ? "" : String(value).trim();
}
