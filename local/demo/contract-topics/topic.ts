import type { Terrain } from "../places/terrain.ts";

/** The plain names under which contracts are filed. */
export type ContractCategory =
  | "Administrative Services"
  | "Communications"
  | "Construction"
  | "Education and Training"
  | "Environmental Services"
  | "Equipment and Supplies"
  | "Facilities Maintenance"
  | "Food Services"
  | "Information Technology"
  | "Medical"
  | "Professional Services"
  | "Research and Testing"
  | "Security"
  | "Transportation";

/** The vocabulary of one kind of purchase; see `GrantTopic` for how such lists are used. */
export interface ContractTopic {
  key: string;
  /** Six digits; valid in the 2012 and the 2022 editions of NAICS. */
  naics: string;
  categories: readonly [ContractCategory, ...ContractCategory[]];
  /** Usual range of a contract's value, US dollars. */
  value: readonly [low: number, high: number];
  /** Who buys it: federal abbreviations, or "state " and a state body's. Everyone when absent. */
  buyers?: readonly string[];
  terrain?: Terrain;
  /** True for upkeep that a body with nothing but rented offices does not need. */
  ownSitesOnly?: true;
  /** Where it is done. `{town}`, `{water}` allowed; the buyer's own sites when absent. */
  sites?: readonly string[];
  /** The preposition before a site. @default "at" */
  siteWord?: "in" | "on";
  /** `supplies` are delivered once; `remote` services have no place of work. */
  delivery: "service" | "works" | "supplies" | "remote";
  /** Noun phrases in lower case, with "a" where they need one: "a requirement for {work}". */
  works: readonly string[];
  /** Full sentences that describe the need. */
  needs: readonly string[];
  /** Bare infinitives: "The contractor shall {task}". No commas, since they are listed. */
  tasks: readonly string[];
  /** Full sentences that a bidder must meet. */
  requirements: readonly string[];
}
