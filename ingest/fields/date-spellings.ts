/** Spellings of dates and times in a text, each with its place in it. */

/** A date in a text. Its numbers are as written; whether it exists is not checked. */
export type DateInText = { start: number; end: number } & (
  | { kind: "day"; year: number; month: number; day: number }
  /** A day in numbers with the day or the month first. */
  | { kind: "numeric"; year: number; first: string; second: string }
  | { kind: "month"; year: number; month: number }
);

const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Names of months, short, whole and slightly misspelt. */
export const monthName =
  "(?:jan(?:[a-z]{0,4}ry)?|feb(?:[a-z]{0,4}ry)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:[a-z]{0,4}ber)?|oct(?:[a-z]{0,3}ber)?|nov(?:[a-z]{0,3}ber)?|dec(?:[a-z]{0,3}ber)?)";

const month = `(?<month>${monthName})\\.?`;
const nth = "(?:st|nd|rd|th)?";
const day = String.raw`(?<day>\d{1,2})${nth}`;
/** Divider between the parts of a date with a month's name; also none, between a letter and a digit. */
const mark = String.raw`(?:\s*[-/.,]\s*|\s+)`;
const year = String.raw`(?<year>\d{4})(?!\d)`;
/** A year of two digits, and not an hour, a day or the beginning of a number. */
const shortYear = String.raw`(?<year>\d{2})(?![\d:/]|-\d|\s*[ap]\.?\s?m\b|,?\s*\d{4}(?!\d))`;
/** End of a date in numbers: no further digit, nor a letter but the T before a time. */
const end = String.raw`(?=$|\W|T\d)(?![-/.]\d)`;

const daySpellings = [
  // 2026-05-28, also with a zone of its own, and before a time.
  String.raw`(?<!\w)(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?=$|\W|T\d|Z\b)(?:Z\b|[+-]\d{2}:\d{2}(?!\d))?`,
  // 20260528. Read as MMDDYYYY or DDMMYYYY, its year would be before 1232.
  String.raw`(?<![\w.:])(?<year>(?:19|20)\d{2})(?<month>0[1-9]|1[0-2])(?<day>\d{2})(?=$|\W|T\d{4})`,
  // May 28th, 2026; May-28-2026; May 28 2026.
  String.raw`(?<!\w)${month}${mark}?${day}${mark}${year}`,
  // May-28-26; May 28, '26; May 28, 26; May 28 26. In "May 28-30", 30 is a day.
  String.raw`(?<!\w)${month}-${day}-${shortYear}`,
  String.raw`(?<!\w)${month}${mark}?${day}(?:,?\s*['\u2018\u2019]|,\s*|\s+)${shortYear}`,
  // 28 May 2026; 28th of May, 2026; 28-MAY-2026; 28MAY2026.
  String.raw`(?<!\w)(?<!\d[-/.])${day}(?:\s+(?:day )?of)?${mark}?${month}${mark}?${year}`,
  // 28-MAY-26, as Oracle writes; 28 May '26; 28MAY26.
  String.raw`(?<!\w)(?<!\d[-/.])${day}(?:\s+(?:day )?of)?${mark}?${month}${mark}?['\u2018\u2019]?${shortYear}`,
  // 2026 May 28; 2026-MAY-28.
  String.raw`(?<!\w)${year}${mark}${month}${mark}${day}(?![\d:]|\s*[ap]\.?\s?m\b)`,
];

const numericSpellings = [
  // 05/28/2026; 28.5.2026; 5/28/26.
  String.raw`(?<!\w)(?<!\d[-/.])(?<first>\d{1,2})\s?(?<mark>[-/.])\s?(?<second>\d{1,2})\s?\k<mark>\s?(?<year>\d{4}|\d{2})${end}`,
  // 05/28/'26.
  String.raw`(?<!\w)(?<!\d[-/.])(?<first>\d{1,2})/(?<second>\d{1,2})/['\u2018\u2019](?<year>\d{2})${end}`,
  // 05282026, as in Grants.gov's extract.
  String.raw`(?<![\w.:])(?<first>\d{2})(?<second>\d{2})(?<year>\d{4})(?!\w)`,
];

const monthSpellings = [
  // October 2026; Oct-2026; Oct '26. Behind a number, it has a day: "15-20 October 2026".
  String.raw`(?<!\w)(?<!\d(?:st|nd|rd|th)?(?:\s|[-.,]){0,3})${month}(?:\s*[-/.,]\s*|\s+(?:of\s+)?)?${year}`,
  String.raw`(?<!\w)${month}\s*['\u2018\u2019](?<year>\d{2})(?!\d)`,
  // 2026 October.
  String.raw`(?<!\w)${year}${mark}${month}(?!\w)`,
  // 2026-10; 10/2026. The months of a later date and a span of years are none.
  String.raw`(?<!\w)(?<year>\d{4})[-/](?<month>0[1-9]|1[0-2])(?![\w/-])`,
  String.raw`(?<!\w)(?<!\d[-/.])(?<month>0?[1-9]|1[0-2])[-/](?<year>\d{4})(?![\w/-])`,
];

const toPatterns = (spellings: readonly string[]) => spellings.map((spelling) => new RegExp(spelling, "gi"));
const patterns = [
  ...toPatterns(daySpellings).map((pattern) => ({ kind: "day" as const, pattern })),
  ...toPatterns(numericSpellings).map((pattern) => ({ kind: "numeric" as const, pattern })),
  ...toPatterns(monthSpellings).map((pattern) => ({ kind: "month" as const, pattern })),
];

/**
 * Year of two digits: 69 to 99 are 1969 to 1999, 00 to 68 are 2000 to 2068, as in POSIX. A year of four digits is itself.
 */
export function fullYear(digits: string): number {
  const number = Number(digits);
  return digits.length > 2 ? number : number + (number >= 69 ? 1_900 : 2_000);
}

/** Finds the dates of a text, in its order. Of spellings that overlap, the first counts; of those that begin at one place, the longest. */
export function findDates(text: string): DateInText[] {
  const found = patterns.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)].map((match) => toDate(kind, match)),
  );
  const dates: DateInText[] = [];
  for (const date of found.sort((one, other) => one.start - other.start || other.end - one.end)) {
    if (date.start >= (dates.at(-1)?.end ?? 0)) dates.push(date);
  }
  return dates.filter((date) => date.kind !== "month" || !isSpanOfYears(text, date));
}

function toDate(kind: DateInText["kind"], match: RegExpMatchArray): DateInText {
  const { year = "", month = "", day = "", first = "", second = "" } = match.groups ?? {};
  const place = { start: match.index ?? 0, end: (match.index ?? 0) + match[0].length, year: fullYear(year) };
  if (kind === "numeric") return { ...place, kind, first, second };
  return kind === "day"
    ? { ...place, kind, month: monthNumber(month), day: Number(day) }
    : { ...place, kind, month: monthNumber(month) };
}

function monthNumber(name: string): number {
  return /\d/.test(name) ? Number(name) : monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

/** Whether a month in numbers may be a span of years: "2010-11" is November 2010, or the school year from 2010 to 2011. */
function isSpanOfYears(text: string, { start, end, year, month }: DateInText & { kind: "month" }): boolean {
  return /^\d{4}[-/]\d\d$/.test(text.slice(start, end)) && (year + 1) % 100 === month;
}

/** Part of a date, which with its rest would be one: "6/30", "June 30", "30 June", "20260630". */
const partOfDate = new RegExp(
  [
    String.raw`(?<!\w)\d{1,4}(?<divider>[-/.])\d{1,2}\k<divider>\d{1,4}(?!\d)`,
    String.raw`(?<![\d.])\d{8}(?!\d)`,
    String.raw`\b${monthName}\b\.? ?\d`,
    String.raw`\d${nth}[ -]?${monthName}\b`,
    String.raw`(?<![\d/])(?!24/7\b)\d{1,2}/\d{1,2}(?!\d)`,
  ].join("|"),
  "i",
);

/** Whether a text has a part of a date, or a whole one. */
export function hasPartOfDate(text: string): boolean {
  return partOfDate.test(text);
}
