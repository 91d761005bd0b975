import { isBlank, keyOf, lineOf } from "../fields/value.ts";

/**
 * The name of a federal agency as people write it, so that publishers who write it otherwise mean the same
 * funder: "LABOR, DEPARTMENT OF" is "Department of Labor", "DEFENSE HEALTH AGENCY (DHA)" is "Defense Health Agency".
 *
 * @param department the department that it is part of; it is added to names that several have, such as "Office of
 * the Secretary".
 */
export function agencyName(name: unknown, department?: unknown): string {
  const written = lineOf(name)
    .replace(/\s*\([A-Z0-9-]+\)$/, "")
    .replace(/^(.+), (department of(?: the)?|the)$/i, "$2 $1")
    .replace(/\bDEPT\.? OF\b/i, (text) => (text.startsWith("DEPT") ? "DEPARTMENT OF" : "Department of"));
  const readable = inTitleCase(written);
  if (isBlank(department) || !isSharedName.test(readable)) return readable;
  return `${readable}, ${agencyName(department)}`;
}

/** Whether two names are one agency's. */
export function isSameAgency(one: unknown, other: unknown): boolean {
  return keyOf(agencyName(one)) === keyOf(agencyName(other));
}

/** What an office is called within its department, where other departments have one that is called the same. */
const isSharedName =
  /^(immed\w* )?(offices?( of (the )?(\w+ )?secretary\b| of procurement|,)|departmental|ass(istan)?t secretary|under secretary)/i;

const smallWords = new Set(["a", "and", "at", "by", "except", "for", "in", "of", "on", "the", "to", "with"]);
const abbreviations = new Set(["ASPR", "BBG", "GAO", "MIA", "NASA", "OASH", "OJP", "POW", "USDA"]);

/** A name in capitals with capitals at the beginnings of its words. A name of one word may be an abbreviation. */
function inTitleCase(name: string): string {
  if (/[a-z]/.test(name) || !name.includes(" ")) return name;
  return name.replaceAll(/[A-Z][A-Z']*/g, (word, offset: number) => {
    if (word === "US") return "U.S.";
    if (abbreviations.has(word)) return word;
    const lower = word.toLowerCase();
    return offset > 0 && smallWords.has(lower) ? lower : word.charAt(0) + lower.slice(1);
  });
}
