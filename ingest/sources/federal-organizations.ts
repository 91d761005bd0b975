import { isBlank, toLine } from "../fields/value.ts";
import { jsonRows } from "../read/json.ts";
import { agencyName, isSameAgency, splitAgencyPath } from "./agency-name.ts";
import { facts } from "./facts.ts";
import { createRecordMakers, noRecord, type RawRow, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";

const { funder } = createRecordMakers(sourceDates["federal-organizations"]);

/** Departments, agencies and offices in the Federal Hierarchy of SAM.gov. */
export const federalOrganizations: Source = {
  name: "federal-organizations",
  about: "SAM.gov's Federal Hierarchy, JSON: departments, agencies, offices",
  datasets: ["funders"],
  isFull: false,
  columns: ["orgKey", "name"],
  read: jsonRows("$.*"),
  map(row) {
    const key = isBlank(row.orgKey) ? null : toLine(row.orgKey);
    if (row.modStatus === "INACTIVE") return noRecord(`is inactive${since(row.endDate)}`, key);
    const parents = parentsOf(row);
    const same = parents.find((parent) => isSameAgency(parent, row.name));
    // The hierarchy lists a department again as an agency within it, and an agency as an office within it.
    if (same !== undefined) return noRecord(`is ${agencyName(same)} itself, listed again within it`, key);
    const [department] = parents.map((parent) => agencyName(parent));
    const name = agencyName(row.name, department);
    return [
      funder({
        source_id: key,
        name,
        summary: [descriptionOf(row, name), facts({ "Part of": department, Abbreviation: row.shortName })],
        created_at: row.createdDate,
      }),
    ];
  },
};

/** Organizations that contain this one, from the department down. The path ends with the organization itself. */
function parentsOf(row: RawRow): string[] {
  if (isBlank(row.fullParentPathName)) return [];
  return splitAgencyPath(toLine(row.fullParentPathName)).slice(0, -1);
}

/** Description, unless it repeats the name. Its line breaks are written "/n". */
function descriptionOf(row: RawRow, name: string): string {
  if (isBlank(row.description)) return "";
  const text = String(row.description).replaceAll("/n", "\n").trim();
  return isSameAgency(text, row.name) || isSameAgency(text, name) ? "" : text;
}

function since(date: unknown): string {
  return isBlank(date) ? "" : ` since ${toLine(date).slice(0, 10)}`;
}
