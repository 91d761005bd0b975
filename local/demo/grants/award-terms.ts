import * as z from "zod";
import { phrases, readData } from "../data.ts";
import type { Random } from "../random.ts";
import { dollars, fill } from "../text.ts";
import type { GrantFacts } from "./facts.ts";

const { ranged, capped, floored, unstated, totals, terms } = readData(
  "grants/award-terms.json",
  z.strictObject({
    ranged: phrases,
    capped: phrases,
    floored: phrases,
    unstated: phrases,
    totals: phrases,
    terms: phrases,
  }),
);

/** Sentences on how much money, how many awards, and for how long. */
export function awardTerms({ amounts, funder }: GrantFacts, random: Random): string {
  const { min, max } = amounts;
  const count = random.integer(3, 40);
  const isPublic = funder.kind === "federal" || funder.kind === "state";
  const blanks = {
    the: `the ${funder.name}`,
    min: min === null ? "" : dollars(min),
    max: max === null ? "" : dollars(max),
    count: String(count),
    total: max === null ? "" : dollars(roundTotal(max * count * 0.7)),
    months: random.pick(isPublic ? ["12", "18", "24", "24", "36", "36", "60"] : ["12", "12", "18", "24"]),
  };
  const equal = min !== null && min === max;
  const size = max === null ? (min === null ? unstated : floored) : min === null || equal ? capped : ranged;
  const sentences = [random.pick(size)];
  if (max !== null && random.chance(0.45)) sentences.push(random.pick(totals));
  if (random.chance(0.55)) sentences.push(random.pick(terms));
  return sentences.map((sentence) => fill(sentence, blanks)).join(" ");
}

function roundTotal(amount: number): number {
  const step = amount >= 1_000_000 ? 100_000 : 5_000;
  return Math.max(step, Math.round(amount / step) * step);
}
