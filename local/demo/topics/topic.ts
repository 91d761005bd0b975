import type { Terrain } from "../places/terrain.ts";

/** The category names that Grants.gov uses. */
export type GrantCategory =
  | "Agriculture"
  | "Arts"
  | "Business and Commerce"
  | "Community Development"
  | "Disaster Prevention and Relief"
  | "Education"
  | "Employment Labor and Training"
  | "Energy"
  | "Environment"
  | "Food and Nutrition"
  | "Health"
  | "Housing"
  | "Humanities"
  | "Income Security and Social Services"
  | "Information and Statistics"
  | "Law Justice and Legal Services"
  | "Natural Resources"
  | "Regional Development"
  | "Science and Technology"
  | "Transportation";

/** How much money the topic's projects take. */
export type Scale = "small" | "medium" | "large" | "capital";

/**
 * The vocabulary of one subject. Each list names the grammatical form of its entries; the sentence
 * banks rely on it. Entries may use `{town}`, `{county}` and `{water}` only where that is said.
 */
export interface GrantTopic {
  key: string;
  /** A noun phrase: "we give to {theme}". */
  theme: string;
  categories: readonly [GrantCategory, ...GrantCategory[]];
  scale: Scale;
  terrain?: Terrain;
  /** True for works too large, or too official, for a foundation. */
  publicOnly?: true;
  /** Title Case names that take "Program", "Fund" or "Grants" after them. */
  programs: readonly string[];
  /** Title Case titles of funded projects; `{town}`, `{county}`, `{water}` allowed. */
  projects: readonly string[];
  /** Recipients, with their article; `{town}` allowed. */
  grantees: readonly string[];
  /** Full sentences that say why the money is needed. */
  needs: readonly string[];
  /**
   * Bare infinitives: "to {purpose}", "will {purpose}". The first ones say what the projects of the
   * same place in `projects` do.
   */
  purposes: readonly string[];
  /** Gerund phrases: "Funds may pay for {activity}". No commas, since they are listed. */
  activities: readonly string[];
  /** Plural noun phrases: the people or places served. */
  people: readonly string[];
  /** Plural noun phrases: who may apply. */
  applicants: readonly string[];
  /** Noun phrases: "report on {measure}". */
  measures: readonly string[];
}
