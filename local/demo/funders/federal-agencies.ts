import * as z from "zod";
import { phrases, readData } from "../data.ts";

/** A federal agency that gives grants, buys goods and services, or both. */
const federalAgency = z.strictObject({
  name: z.string().min(1),
  abbreviation: z.string().min(1),
  /** Assistance listing by grant topic key. The numbers are the real ones for such programs. */
  listings: z.record(z.string(), z.string().regex(/^\d\d\.\d{3}$/)),
  /** Start of its solicitation numbers. */
  officeCode: z.string().min(1),
  /** Kinds of its own sites, besides offices. `{town}` and `{water}` allowed. */
  sites: phrases.optional(),
  /** States in which a regional body works; every state when absent. */
  states: z.array(z.string()).optional(),
});
export type FederalAgency = z.infer<typeof federalAgency>;

const groups = ["land", "people", "economy"].map((group) =>
  readData(`funders/federal-${group}.json`, z.array(federalAgency)),
);

/**
 * Real agencies; their announcements here are invented. The groups take turns, so that a run with few
 * funders still has agencies of every sort.
 */
export const federalAgencies: readonly FederalAgency[] = Array.from(
  { length: Math.max(...groups.map((group) => group.length)) },
  (_, round) => groups.flatMap((group) => group.slice(round, round + 1)),
).flat();
