import { quoteValue, ValueError } from "../errors.ts";
import { toLine } from "./value.ts";

/** The least and the greatest amount that a value names, in US dollars. Null where it names none, or 0. */
export interface AmountRange {
  min: number | null;
  max: number | null;
  /** Whether the value is one amount: it is then both. */
  isOne: boolean;
}

const multiples: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mm: 1e6,
  mil: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
};

const dollars = String.raw`(?:us\s?\$|u\.s\.\s?\$|usd?\b|u\.s\. dollars|us dollars|dollars?\b|\$)`;
/** Digits, optionally with thousands commas or spaces, or an exponent. "100 200" may be two numbers. */
const digits = String.raw`(?:\d{1,3}(?:,\d{3})+(?:\.\d*)?(?![,.]?\d)|\d{1,3}(?: \d{3})*(?: 000| \d{3} \d{3})(?:\.\d+)?(?![,.]?\d)|\d+(?:\.\d*)?(?:e\+?\d+)?(?![,.]?\d)|\.\d+)`;
const multiple = String.raw`(?:thousand|million|billion|mil|mm|bn|[kmb])\b\.?`;
const amount = (name: string) =>
  String.raw`(?<${name}Sign>-\s?)?(?<${name}Dollars>${dollars}\s*){0,2}(?<${name}Minus>-)?(?<${name}>${digits})\s?(?<${name}Multiple>${multiple})?(?:\s*(?:usd|us dollars|dollars?)\b)?`;

const about = String.raw`(?:(?:about|around|approx(?:imately)?\b\.?|circa|ca\.|est(?:imated)?\b\.?|roughly|~|\u2248)\s*)?`;
const least = String.raw`(?:at least|no less than|not less than|minimum(?: of)?|min\b\.?|from|starting at|more than|over|>=?|\u2265)[:\s]*`;
const most = String.raw`(?:up to|at most|no more than|not more than|not to exceed|not exceeding|less than|under|maximum(?: of)?|max\b\.?|capped at|cap of|ceiling of|<=?|\u2264)[:\s]*`;
const leastBehind = String.raw`\s*(?:\+|\(?(?:minimum|min\b\.?)\)?|(?:and|or) (?:more|up|above|over|greater))`;
const mostBehind = String.raw`\s*(?:\(?(?:maximum|max\b\.?)\)?|or less|(?:and|or) (?:below|under))`;
/** Words behind an amount that leave it the amount of one award. */
const explained = String.raw`\s*(?:\((?:est(?:imated|\.)?|approx(?:imate|imately|\.)?)\)|estimated|each|(?:per|\/|an?)\s?(?:award|grant|project|applicant|recipient|grantee|organization|application)|max(?:imum)? award)?\.?`;
const to = String.raw`\s*(?:-|\u2013|\u2014|to|through|up to|and|,)\s*`;

const whole = (pattern: string) => new RegExp(`^${pattern}$`);
const one = whole(`${about}${amount("only")}${explained}`);
const inBrackets = whole(String.raw`\(\s*${amount("only")}\s*\)`);
const floor = [
  whole(`${least}${amount("min")}${explained}`),
  whole(`${about}${amount("min")}${leastBehind}${explained}`),
];
const ceiling = [
  whole(`${most}${amount("max")}${explained}`),
  whole(`${about}${amount("max")}${mostBehind}${explained}`),
];
const range = [
  whole(
    String.raw`(?:between\s+|from\s+|range(?: of)?[:\s]+)?${about}${amount("min")}(?<to>${to})${about}${amount("max")}${explained}`,
  ),
  whole(`${least}${amount("min")}${to}(?:a )?${most}${amount("max")}${explained}`),
  whole(`${amount("min")}${leastBehind}${to}${amount("max")}${mostBehind}${explained}`),
];

/** "250.000" is 250 or, as much of Europe writes it, 250,000. */
const ambiguousPattern = /^[1-9]\d{0,2}\.\d{3}$/;

/** Other currencies, by their signs and codes. A letter before `$` names another dollar than the American. */
const otherCurrency =
  /[\u00a2-\u00a5\u20a0-\u20cf]|(?<!\bus|\bu\.s\.)(?<=[a-z])\$|\b(?:cad|aud|nzd|gbp|eur|euros?|pounds?|sterling|yen|jpy|cny|rmb|inr|rs|rupees?|chf|sek|nok|dkk|mxn|pesos?|brl|zar|sgd|hkd|ils|krw|pln)\b/;

/** Longest text that is read as an amount, in characters. */
const longestText = 200;

/**
 * Reads US dollars from a number or text: "$1,234.50", "1234", "$1.5 million", "1.0E7", rounded to cents. Zero becomes
 * null, because sources write it for unknown amounts. Negative amounts stay negative.
 *
 * @throws {ValueError} when the value is no amount, could be two ("250.000"), or has another currency.
 */
export function parseAmount(value: unknown): number | null {
  const found = typeof value === "number" ? value : oneAmount(amountText(value));
  if (found === undefined || !Number.isFinite(found)) throw notAnAmount(value);
  return knownAmount(found);
}

/**
 * Reads the least and the greatest amount of a value: "Up to $50,000", "$5,000+", "$5,000 - $25,000", "Between $250K and $1M",
 * "$1-5 million", or one amount, as {@link parseAmount} does.
 *
 * @throws {ValueError} when the value is no amount, could be several, or has another currency; for an amount per year, since it does not tell for how many.
 */
export function parseAmountRange(value: unknown): AmountRange {
  const text = typeof value === "number" ? "" : amountText(value);
  const single = typeof value === "number" ? value : oneAmount(text);
  if (single !== undefined) {
    const known = parseAmount(single);
    return { min: known, max: known, isOne: true };
  }
  const limits = rangeOf(text) ?? limitOf(text);
  if (limits === undefined) throw notAnAmount(value);
  const [min, max] = [limits.min, limits.max].map((limit) => (limit === undefined ? null : knownAmount(limit)));
  if (typeof min === "number" && typeof max === "number" && min > max) throw notAnAmount(value);
  return { min: min ?? null, max: max ?? null, isOne: false };
}

/** An amount with the time that it is for, which does not tell what an award is in all. */
const forATime = new RegExp(
  String.raw`^(?:${most}|${least}|${about})${amount("only")}.{0,40}?(?:(?:\bper|\ban?|\beach|/)\s?(?:year|annum|yr|month|mo|week|hour|hr|day)|(?:annual|year|month|week|hour|dai)ly)\b`,
);

function notAnAmount(value: unknown): ValueError {
  const isForATime =
    typeof value === "string" && value.length <= longestText && forATime.test(toLine(value).toLowerCase());
  return new ValueError(
    `${quoteValue(value)} ${isForATime ? "is an amount for a time, and not for an award" : "is not an amount"}`,
  );
}

/** @throws {ValueError} for a text without a digit, and for another currency. */
function amountText(value: unknown): string {
  const text = toLine(value).toLowerCase();
  if (text.length > longestText || !/\d/.test(text)) throw notAnAmount(value);
  if (otherCurrency.test(text)) throw new ValueError(`${quoteValue(value)} is not in US dollars`);
  return text;
}

function knownAmount(number: number): number | null {
  const rounded = roundToCents(number);
  return rounded === 0 ? null : rounded;
}

/** Rounds to cents: 2.01 times a million is 2009999.9999999998. Larger numbers have no such fractions, and could overflow. */
function roundToCents(number: number): number {
  return Math.abs(number) < 1e13 ? Math.round(number * 100) / 100 : number;
}

function oneAmount(text: string): number | undefined {
  const bracketed = inBrackets.exec(text)?.groups;
  const groups = bracketed ?? one.exec(text)?.groups;
  const found = groups === undefined ? undefined : numberOf(groups, "only");
  // Accountants write a negative amount in brackets.
  return bracketed !== undefined && found !== undefined && found > 0 ? -found : found;
}

interface Limits {
  min?: number | undefined;
  max?: number | undefined;
}

function limitOf(text: string): Limits | undefined {
  const [min, max] = [firstMatch(floor, text), firstMatch(ceiling, text)];
  const limits = { min: min && numberOf(min, "min"), max: max && numberOf(max, "max") };
  const given = [limits.min, limits.max].filter((limit) => limit !== undefined);
  return given.length === 1 && given.every((limit) => limit >= 0) ? limits : undefined;
}

function rangeOf(text: string): Limits | undefined {
  const groups = firstMatch(range, text);
  if (groups === undefined) return undefined;
  // "$10,000, $25,000" are two amounts; "10,000 and 25,000" without "between" are, too.
  const isList = /^\s*(?:,|and)/.test(groups.to ?? "") && !/^(?:between|from)\b/.test(text);
  const min = minimumOf(groups);
  const max = numberOf(groups, "max");
  return isList || min === undefined || max === undefined || min < 0 || max < 0 ? undefined : { min, max };
}

/** The least amount: "1" of "$1-5 million" are millions. Whether it is so in "$1 - $5 million", nobody knows. */
function minimumOf(groups: Groups): number | undefined {
  const min = numberOf(groups, "min");
  const { minMultiple, maxMultiple, maxDollars, min: written = "" } = groups;
  if (min === undefined || minMultiple !== undefined || maxMultiple === undefined || min === 0) return min;
  const shared = numberOf({ ...groups, minMultiple: maxMultiple }, "min") ?? 0;
  if (shared > (numberOf(groups, "max") ?? 0) || written.includes(",")) return min;
  return maxDollars === undefined ? shared : undefined;
}

type Groups = Record<string, string | undefined>;

function firstMatch(patterns: readonly RegExp[], text: string): Groups | undefined {
  for (const pattern of patterns) {
    const groups = pattern.exec(text)?.groups;
    if (groups !== undefined) return groups;
  }
  return undefined;
}

function numberOf(groups: Groups, name: string): number | undefined {
  const written = groups[name] ?? "";
  const unit = groups[`${name}Multiple`]?.replace(".", "");
  if (unit === undefined && ambiguousPattern.test(written)) return undefined;
  const number = Number(written.replaceAll(/[,\s]/g, "")) * (unit === undefined ? 1 : (multiples[unit] ?? 1));
  return groups[`${name}Sign`] === undefined && groups[`${name}Minus`] === undefined ? number : -number;
}
