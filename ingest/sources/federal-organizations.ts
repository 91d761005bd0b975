import { isBlank, lineOf } from "../fields/value.ts";
import { jsonRows } from "../read/json.ts";
import { agencyName, isSameAgency } from "./agency-name.ts";
import { facts } from "./facts.ts";
import { noRecord, type RawRow, recordsDated, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";

const { funder } = recordsDated(sourceDates["federal-organizations"]);

/** Departments, agencies and offices of the Federal Hierarchy of SAM.gov. */
export const federalOrganizations: Source = {
  name: "federal-organizations",
  about: "SAM.gov's Federal Hierarchy, JSON: departments, agencies, offices",
  datasets: ["funders"],
  isFull: false,
  columns: ["orgKey", "name"],
  read: jsonRows("$.*"),
  map(row) {
    const key = isBlank(row.orgKey) ? null : lineOf(row.orgKey);
    if (row.modStatus === "INACTIVE") return noRecord(`is inactive${since(row.endDate)}`, key);
    const parents = parentsOf(row);
    const same = parents.find((parent) => isSameAgency(parent, row.name));
    // A department is listed again as its own agency, and an agency as its own office.
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

/** The organizations that it is in, from the department down: its path has it at the end. */
function parentsOf(row: RawRow): string[] {
  if (isBlank(row.fullParentPathName)) return [];
  return lineOf(row.fullParentPathName).split(".").slice(0, -1);
}

/** The description, unless it is the name again. Line breaks are "/n" in it. */
function descriptionOf(row: RawRow, name: string): string {
  if (isBlank(row.description)) return "";
  const text = String(row.description).replaceAll("/n", "\n").trim();
  return isSameAgency(text, row.name) || isSameAgency(text, name) ? "" : text;
}

function since(date: unknown): string {
  return isBlank(date) ? "" : ` since ${lineOf(date).slice(0, 10)}`;
}
