import { parseAmount } from "../fields/amount.ts";
import { isBlank } from "../fields/value.ts";

/**
 * Amounts of an award: the least and the greatest of the amounts that a source gives, such as the amount obligated so far
 * and the potential amount with all options. Amounts of 0 and below are bookkeeping corrections, and left out.
 */
export function awardAmounts(...amounts: unknown[]): { amount_min?: number; amount_max?: number } {
  const known = amounts.map(knownAmount).filter((amount) => amount !== undefined);
  return known.length === 0 ? {} : { amount_min: Math.min(...known), amount_max: Math.max(...known) };
}

function knownAmount(value: unknown): number | undefined {
  if (isBlank(value)) return undefined;
  try {
    const amount = parseAmount(value);
    return amount !== null && amount > 0 ? amount : undefined;
  } catch {
    return undefined;
  }
}
