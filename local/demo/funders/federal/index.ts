import type { FederalAgency } from "./agency.ts";
import { economyAgencies } from "./economy.ts";
import { landAgencies } from "./land.ts";
import { peopleAgencies } from "./people.ts";

const groups = [landAgencies, peopleAgencies, economyAgencies];

/**
 * Real agencies; what they announce here is invented. The groups take turns, so that a run with few
 * funders still has agencies of every sort.
 */
export const federalAgencies: readonly FederalAgency[] = Array.from(
  { length: Math.max(...groups.map((group) => group.length)) },
  (_, round) => groups.flatMap((group) => group.slice(round, round + 1)),
).flat();
