import type { FunderKind } from "../funders/profile.ts";
import type { Random } from "../random.ts";
import type { Scale } from "./topics.ts";

/** The smallest and largest grant, in US dollars; null where the notice does not say. */
export interface Amounts {
  min: number | null;
  max: number | null;
}

/** Usual largest grants, by kind of funder and scale of project. */
const ceilings: Readonly<Record<FunderKind, Readonly<Record<Scale, readonly number[]>>>> = {
  federal: {
    small: [50_000, 75_000, 100_000, 150_000, 200_000, 250_000, 350_000],
    medium: [250_000, 300_000, 400_000, 500_000, 600_000, 750_000, 1_000_000],
    large: [750_000, 1_000_000, 1_500_000, 2_000_000, 3_000_000, 4_000_000, 5_000_000],
    capital: [2_000_000, 3_000_000, 5_000_000, 7_500_000, 10_000_000, 15_000_000, 25_000_000],
  },
  state: {
    small: [10_000, 15_000, 25_000, 40_000, 50_000, 75_000],
    medium: [50_000, 75_000, 100_000, 150_000, 200_000, 250_000],
    large: [150_000, 200_000, 300_000, 500_000, 750_000, 1_000_000],
    capital: [500_000, 750_000, 1_000_000, 2_000_000, 3_000_000, 5_000_000],
  },
  community: {
    small: [2_500, 5_000, 7_500, 10_000, 15_000],
    medium: [5_000, 10_000, 15_000, 20_000, 25_000],
    large: [10_000, 20_000, 25_000, 40_000, 50_000],
    capital: [25_000, 40_000, 50_000, 75_000],
  },
  family: {
    small: [10_000, 15_000, 20_000, 25_000, 30_000],
    medium: [20_000, 25_000, 40_000, 50_000, 75_000],
    large: [50_000, 75_000, 100_000, 150_000],
    capital: [100_000, 150_000, 200_000, 250_000],
  },
  corporate: {
    small: [5_000, 10_000, 15_000, 20_000],
    medium: [10_000, 20_000, 25_000, 35_000],
    large: [25_000, 40_000, 50_000, 75_000],
    capital: [50_000, 75_000, 100_000, 150_000],
  },
};

/** The range of an opportunity. One notice in five gives no ceiling, two in five no floor. */
export function offeredAmounts(funder: FunderKind, scale: Scale, random: Random): Amounts {
  const ceiling = random.pick(ceilings[funder][scale]);
  const floor = round(ceiling * random.pick([0.05, 0.1, 0.1, 0.2, 0.25, 0.5]));
  return {
    min: random.chance(0.4) ? null : floor,
    max: random.chance(0.2) ? null : ceiling,
  };
}

/** Sum that a funded project got. Most records give it as both ends of the range. */
export function awardedAmounts(funder: FunderKind, scale: Scale, random: Random): Amounts {
  const ceiling = random.pick(ceilings[funder][scale]);
  const sum = round(ceiling * (0.35 + 0.65 * random.next()));
  if (random.chance(0.2)) return { min: null, max: null };
  return { min: random.chance(0.25) ? null : sum, max: sum };
}

/** Rounds to two digits and to whole hundreds: 1,337,512 becomes 1,300,000, and 137.5 becomes 100. */
function round(amount: number): number {
  const step = 10 ** Math.max(2, Math.floor(Math.log10(amount)) - 1);
  return Math.max(step, Math.round(amount / step) * step);
}
