import { toLine } from "../fields/value.ts";
import type { FieldValues } from "../mapping/apply.ts";
import { agencyName, splitAgencyPath } from "./agency-name.ts";

/**
 * Reads a path of organizations in the place of a funder, as SAM.gov's API writes it ("DEPT OF DEFENSE.DEPT OF THE NAVY.NAVSUP.NAVSUP FLC
 * YOKOSUKA"): the funder is the agency, as for the source `sam-gov`, and not each of its offices. The same holds for a path of their codes.
 *
 * @param columns of the fields, by which a path is known. Otherwise only one that begins with a department is.
 */
export function readAgencyPath(values: FieldValues, columns: ReadonlyMap<string, readonly string[]>): FieldValues {
  const [funder] = values.get("funder_name") ?? [];
  const parts = pathIn(funder, columns.get("funder_name") ?? []);
  if (parts === undefined) return values;
  const [department, agency = department, ...offices] = parts;
  const names = [...new Set([agencyName(department), agencyName(agency, department), ...offices])];
  const [code] = values.get("funder_source_id") ?? [];
  const read = new Map(values).set("funder_name", [agencyName(agency, department)]);
  if ((values.get("agency") ?? []).length === 0) read.set("agency", [names]);
  if (isCodePath(code, columns.get("funder_source_id") ?? [])) read.set("funder_source_id", [codeIn(String(code))]);
  return read;
}

function pathIn(value: unknown, columns: readonly string[]): string[] | undefined {
  if (typeof value !== "string") return undefined;
  const parts = splitAgencyPath(toLine(value)).map((part) => part.trim());
  if (parts.some((part) => part === "")) return undefined;
  return columns.some((column) => /path/i.test(column)) || beginsWithDepartment(parts) ? parts : undefined;
}

/** Whether there are several parts, of which the first is a department in capitals: "DEPT OF DEFENSE", "LABOR, DEPARTMENT OF". */
function beginsWithDepartment(parts: readonly string[]): boolean {
  const [first = ""] = parts;
  return parts.length > 1 && /^(DEPT\.?|DEPARTMENT) OF |, DEPARTMENT OF( THE)?$/.test(first) && !/[a-z]/.test(first);
}

function isCodePath(value: unknown, columns: readonly string[]): boolean {
  return typeof value === "string" && value.includes(".") && columns.some((column) => /path/i.test(column));
}

/** Code of the agency in a path of codes: "017.1700.NAVSUP" is 1700. */
function codeIn(path: string): string {
  const [department = path, agency] = path.split(".");
  return agency ?? department;
}
