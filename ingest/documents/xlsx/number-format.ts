/** Writes a number as a format shows it. */
export type NumberFormat = (value: number) => string;

/** Longest code that Excel writes. */
const maxCodeLength = 255;
/** Excel keeps so many digits of a number. */
const maxDigits = 15;

/** Text in quotes or behind a backslash, room for a character, characters that fill the cell, a bracket, digits, any other character. */
const parts =
  /"(?<quoted>[^"]*)"|\\(?<escaped>.)|_.|\*.|\[\$(?<currency>[^\]-]*)[^\]]*\]|\[[^\]]*\]|(?<digits>\.?[#0?][#0?.,]*)|(?<other>.)/gsu;

/**
 * Returns how a format shows numbers (ECMA-376, part 1, 18.8.31): days as `2026-05-08`, moments as `2026-05-08 17:00`, times as `17:00`, and others
 * with their digits, thousands, percent and currency. Formats beyond that (fractions, exponents, conditions, phone numbers) show the number as it is.
 *
 * @param code of the format, with its sections for positive, negative and other numbers: `$#,##0;($#,##0)`.
 * @param isFrom1904 whether the workbook counts days from 1904-01-01, not from 1900.
 */
export function numberFormat(code: string, isFrom1904 = false): NumberFormat {
  if (code.length > maxCodeLength || /^general$/i.test(code) || /\[[<>=]/.test(code)) return plainNumber;
  const bare = code.replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]|am\/pm|a\/p/gisu, "").toLowerCase();
  if (/[ymdhs]/.test(bare)) return dateFormat(bare, isFrom1904);
  // Semicolons in quotes are text. A section that is empty shows nothing.
  const sections = code
    .split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .slice(0, 3)
    .map(sectionFormat);
  if (sections.includes(undefined)) return plainNumber;
  const [positive = plainNumber, negative, zero] = sections;
  return (value) => {
    if (value < 0) return negative?.(-value) ?? `-${positive(-value)}`;
    return value === 0 ? (zero ?? positive)(0) : positive(value);
  };
}

/** A number without a format. */
function plainNumber(value: number): string {
  return String(Number(value.toPrecision(maxDigits)));
}

/** Format of numbers that are not negative; undefined where it is beyond what is read. */
function sectionFormat(section: string): NumberFormat | undefined {
  const found = [...section.matchAll(parts)].map(({ groups = {} }) => groups);
  const digits = found.flatMap(({ digits }) => (digits === undefined ? [] : [digits]));
  const others = found.map(({ other = "" }) => other).join("");
  const [only] = digits;
  if (digits.length > 1 || /[e/@]/i.test(others)) return undefined;
  const percent = others.includes("%") ? 100 : 1;
  return (value) =>
    found
      .map(({ quoted, escaped, currency, digits, other }) =>
        digits !== undefined ? withDigits(value * percent, only ?? "") : (quoted ?? escaped ?? currency ?? other ?? ""),
      )
      .join("")
      .trim();
}

/** @param pattern such as `#,##0.00`: a zero is a digit that is always shown, a comma at the end divides by a thousand. */
function withDigits(value: number, pattern: string): string {
  const [whole = "", decimals = ""] = pattern.replace(/,+$/, "").split(".");
  const scaled = value / 1_000 ** (/,*$/.exec(pattern)?.[0].length ?? 0);
  if (scaled >= 1e21) return plainNumber(scaled);
  const places = Math.min(decimals.length, maxDigits);
  const [units = "", rest = ""] = Number(scaled.toPrecision(maxDigits)).toFixed(places).split(".");
  const leastUnits = whole.replaceAll(/[^0]/g, "").length;
  const shownUnits = units === "0" ? "".padStart(leastUnits, "0") : units.padStart(leastUnits, "0");
  const leastPlaces = decimals.replaceAll(/[^0]/g, "").length;
  let end = rest.length;
  while (end > leastPlaces && rest[end - 1] === "0") end--;
  return (
    (whole.includes(",") ? shownUnits.replaceAll(/\B(?=(?:\d{3})+$)/g, ",") : shownUnits) +
    (end > 0 ? `.${rest.slice(0, end)}` : "")
  );
}

/** The last day that Excel knows, 9999-12-31. */
const lastDay = 2_958_465;
/** Days from 1900's to 1904's first. */
const daysTo1904 = 1_462;

function dateFormat(bare: string, isFrom1904: boolean): NumberFormat {
  const isDuration = bare.includes("[");
  const hasTime = /[hs]/.test(bare);
  const hasDay = !isDuration && (/[yd]/.test(bare) || !hasTime);
  return (value) => {
    const serial = value + (isFrom1904 && hasDay ? daysTo1904 : 0);
    if (serial < 0 || serial >= lastDay + 1) return plainNumber(value);
    // Whole minutes, but for the error of binary fractions: the last second of a day is of that day.
    const minutes = Math.floor(serial * 1_440 + 0.001);
    const hours = Math.floor(minutes / 60);
    const time = `${twoDigits(isDuration ? hours : hours % 24)}:${twoDigits(minutes % 60)}`;
    const days = Math.floor(hours / 24);
    if (!hasDay) return time;
    if (days === 0) return hasTime && minutes > 0 ? time : "";
    // The first day is number 1, and Excel's 1900 has a 29th of February, number 60.
    const day = new Date(Date.UTC(1899, 11, days < 60 ? 31 + days : 30 + days)).toISOString().slice(0, 10);
    return hasTime && minutes % 1_440 > 0 ? `${day} ${time}` : day;
  };
}

function twoDigits(count: number): string {
  return String(count).padStart(2, "0");
}
