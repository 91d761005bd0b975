import { quoteValue, ValueError } from "../errors.ts";
import { toLine } from "./value.ts";

const multiples: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  b: 1e9,
  billion: 1e9,
};

/** An amount in digits, optionally with thousands commas, a dollar sign, "million" or an exponent. */
const pattern =
  /^(-|\()?\s*(?:usd?|us\$)?\s*\$?\s*(-)?(\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+(?:\.\d*)?(?:e\+?\d+)?|\.\d+)\s*(k|m|b|thousand|million|billion)?\s*(?:usd|dollars)?\)?$/;

/** "250.000" is 250 or, as much of Europe writes it, 250,000. */
const ambiguousPattern = /^[1-9]\d{0,2}\.\d{3}$/;

/**
 * Reads US dollars from a number or text: "$1,234.50", "1234", "$1.5 million", "1.0E7", rounded to cents. Zero becomes
 * null, because sources write it for unknown amounts. Negative amounts stay negative.
 *
 * @throws {ValueError} when the value is no amount, or could be two: "250.000".
 */
export function parseAmount(value: unknown): number | null {
  const amount = typeof value === "number" ? value : parseText(toLine(value).toLowerCase());
  if (amount === undefined || !Number.isFinite(amount)) throw new ValueError(`${quoteValue(value)} is not an amount`);
  const rounded = roundToCents(amount);
  return rounded === 0 ? null : rounded;
}

/** Rounds to cents: 2.01 times a million is 2009999.9999999998. Larger numbers have no such fractions, and could overflow. */
function roundToCents(amount: number): number {
  return Math.abs(amount) < 1e13 ? Math.round(amount * 100) / 100 : amount;
}

function parseText(text: string): number | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, before, after, digits = "", multiple] = match;
  if (multiple === undefined && ambiguousPattern.test(digits)) return undefined;
  const amount = Number(digits.replaceAll(",", "")) * (multiple === undefined ? 1 : (multiples[multiple] ?? 1));
  return before === undefined && after === undefined ? amount : -amount;
}
