import { amountOf } from "../fields/amount.ts";
import { isBlank } from "../fields/value.ts";

/**
 * What an award came to: from the least to the greatest of the amounts that a source gives, such as what is
 * obligated so far and what it may come to with all options. Amounts that are not above 0 correct the books.
 */
export function awardAmounts(...amounts: unknown[]): { amount_min?: number; amount_max?: number } {
  const known = amounts.map(knownAmount).filter((amount) => amount !== undefined);
  return known.length === 0 ? {} : { amount_min: Math.min(...known), amount_max: Math.max(...known) };
}

function knownAmount(value: unknown): number | undefined {
  if (isBlank(value)) return undefined;
  try {
    const amount = amountOf(value);
    return amount !== null && amount > 0 ? amount : undefined;
  } catch {
    return undefined;
  }
}
