import type { Random } from "../random.ts";
import { dollars, fill } from "../text.ts";
import type { GrantFacts } from "./facts.ts";

const ranged = [
  "Awards will range from {min} to {max}.",
  "Applicants may request between {min} and {max}.",
  "The smallest award is {min} and the largest is {max}.",
];
const capped = [
  "Awards may not exceed {max}.",
  "Applicants may request up to {max}.",
  "No single award will exceed {max}.",
];
const floored = ["Requests must be for at least {min}.", "The minimum award is {min}."];
const unstated = [
  "The size of each award depends on the scope of the project and the funds available.",
  "There is no set award size.",
  "Budgets should fit the work that is proposed.",
];
const totals = [
  "About {total} is available for an estimated {count} awards.",
  "{The} expects to make about {count} awards.",
  "Total funding of {total} is expected.",
];
const terms = [
  "Projects may last up to {months} months.",
  "The period of performance is {months} months.",
  "Funds must be spent within {months} months of the award.",
];

/** Sentences on how much money, how many awards, and for how long. */
export function awardTerms({ amounts, funder }: GrantFacts, random: Random): string {
  const { min, max } = amounts;
  const count = random.integer(3, 40);
  const isPublic = funder.kind === "federal" || funder.kind === "state";
  const slots = {
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
  return sentences.map((sentence) => fill(sentence, slots)).join(" ");
}

function roundTotal(amount: number): number {
  const step = amount >= 1_000_000 ? 100_000 : 5_000;
  return Math.max(step, Math.round(amount / step) * step);
}
