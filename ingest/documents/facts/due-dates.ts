import { parseDayOrNull } from "../../fields/date.ts";
import { findDates } from "../../fields/date-spellings.ts";

const letter = String.raw`(?:letters?|notices?) of intent(?: to apply)?(?: \(LOIs?\))?|LOIs?`;
const due = String.raw`\b(?:due|deadline|no later than|not later than|by|before|on or before)\b`;
/** Words between the subject and its date that may make it another's. */
const otherSubject =
  /\b(?:applications?|proposals?|full|concept|pre-?applications?|webinar|post(?:ed)?|respon[ds]\w*|answers?|until|award(?:ed|s)?|extended|changed)\b/i;

/** What the funder does by a day, or what was due before. */
const notApplicants = /\b(?:(?:was|were) due|respond|reply|review|acknowledge|notify|confirm|invite)/i;

/** Day on which letters of intent are due. Undefined where a statement has none, or more than one date. */
export function letterOfIntentDue(statement: string): string | undefined {
  return dueDay(statement, [
    new RegExp(
      String.raw`^(?:[•☐-] )?(?:optional |required )?(?:${letter})(?: submission)?(?<between>\s?[:|]\s?(?:\w+day, )?)$`,
      "i",
    ),
    new RegExp(
      `^(?:[•☐-] )?(?:deadline|due date|date)s? for (?:an? |the )?(?:optional |required )?(?:${letter})(?<between>[^.;]{0,30})$`,
      "i",
    ),
    new RegExp(String.raw`\b(?:${letter})(?<between>[^;]{0,90}?${due}[^;]{0,60}?)$`, "i"),
  ]);
}

const send = `(?:submit|send|e-?mail|direct|ask)`;

/** Last day for questions. Undefined where a statement has none, or more than one date. */
export function questionsDue(statement: string): string | undefined {
  return dueDay(statement, [
    /^(?:[•☐-] )?(?:deadline|due date|last day) (?:for|to submit|for submitting|to ask)(?: written| any)? questions(?<between>[^.;]{0,30})$/i,
    /^(?:[•☐-] )?(?:written )?questions?(?: submission)? (?:are )?(?:due|deadline)(?: date)?(?<between>[^.;]{0,40})$/i,
    new RegExp(
      String.raw`\b${send}\b[^.;]{0,40}\bquestions\b(?<between>[^;]{0,90}?\b(?:by|no later than|not later than|on or before)\b[^;]{0,40}?)$`,
      "i",
    ),
    /\bquestions\b[^.;]{0,40}\b(?:must|should) be (?:submitted|received|sent|e-?mailed)(?<between>[^;]{0,90}?\b(?:by|no later than|not later than|on or before)\b[^;]{0,40}?)$/i,
  ]);
}

/** The only date of a statement, if the words before it match one of the patterns. */
function dueDay(statement: string, patterns: readonly RegExp[]): string | undefined {
  const dates = findDates(statement);
  const [date] = dates;
  if (date === undefined || dates.length > 1 || date.kind === "month") return undefined;
  const before = statement.slice(0, date.start);
  const isDue = patterns.some((pattern) => {
    const between = pattern.exec(before)?.groups?.between;
    return between !== undefined && !otherSubject.test(between);
  });
  if (!isDue || /^\W*(?:if|unless)\b/i.test(statement) || notApplicants.test(before)) return undefined;
  return parseDayOrNull(statement.slice(date.start, date.end), "mdy") ?? undefined;
}
