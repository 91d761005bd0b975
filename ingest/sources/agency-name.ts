import { isBlank, toKey, toLine } from "../fields/value.ts";

/**
 * Normalizes the name of a federal agency, so that different publishers' records have the same funder: "LABOR, DEPARTMENT
 * OF" is "Department of Labor", "DEFENSE HEALTH AGENCY (DHA)" is "Defense Health Agency".
 *
 * @param department the agency's department. It is added to names that several departments use, such as "Office of the
 *   Secretary".
 */
export function agencyName(name: unknown, department?: unknown): string {
  const written = toLine(name)
    .replace(/\s*\([A-Z0-9-]+\)$/, "")
    .replace(/^(.+), (department of(?: the)?|the)$/i, "$2 $1")
    .replace(/\bDEPT\.? OF\b/i, (text) => (text.startsWith("DEPT") ? "DEPARTMENT OF" : "Department of"));
  const readable = toTitleCase(written);
  if (isBlank(department) || !sharedName.test(readable)) return readable;
  return `${readable}, ${agencyName(department)}`;
}

/** Whether two names are of the same agency. */
export function isSameAgency(one: unknown, other: unknown): boolean {
  return toKey(agencyName(one)) === toKey(agencyName(other));
}

/** Splits the path "DEPT OF DEFENSE.DEPT OF THE NAVY.ONR". The points of "U.S. AIR FORCES IN EUROPE" are within a part. */
export function splitAgencyPath(path: string): string[] {
  return path.split(/(?<!\b[A-Z])\.(?!\s)/);
}

/** Names of offices that several departments have. */
const sharedName =
  /^(immed\w* )?(offices?( of (the )?(\w+ )?secretary\b| of procurement|,)|departmental|ass(istan)?t secretary|under secretary)/i;

const smallWords = new Set(["a", "and", "at", "by", "except", "for", "in", "of", "on", "the", "to", "with"]);
const abbreviations = new Set(["ASPR", "BBG", "GAO", "MIA", "NASA", "OASH", "OJP", "POW", "USDA"]);

/** Converts a name in capitals to title case, unless it has one word, which may be an abbreviation. */
function toTitleCase(name: string): string {
  if (/[a-z]/.test(name) || !name.includes(" ")) return name;
  return name.replaceAll(/[A-Z][A-Z']*/g, (word, offset: number) => {
    if (word === "US") return "U.S.";
    if (abbreviations.has(word)) return word;
    const lower = word.toLowerCase();
    return offset > 0 && smallWords.has(lower) ? lower : word.charAt(0) + lower.slice(1);
  });
}
