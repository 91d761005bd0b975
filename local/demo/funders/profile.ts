import type { ContractTopic } from "../contracts/topics.ts";
import type { GrantTopic } from "../grants/topics.ts";

export type FunderKind = "federal" | "state" | "community" | "family" | "corporate";

/** Funder as the grant and contract generators see it. */
export interface FunderProfile {
  kind: FunderKind;
  sourceId: string;
  name: string;
  /** Short form for opportunity numbers, for example `USDA-RUS` or `OH-DNR`. */
  abbreviation: string;
  /** The host of its website, under `example.gov` or `example.org`. */
  host: string;
  /** USPS codes of the states in which it gives; empty when it gives anywhere. */
  states: readonly string[];
  /** Topics of its grants. Empty for a body that only buys. */
  grantTopics: readonly GrantTopic[];
  /** Assistance listing by topic key; only federal agencies have these. */
  listings: Readonly<Record<string, string>>;
  /** Topics of its contracts. Empty for foundations. */
  contractTopics: readonly ContractTopic[];
  /** Kinds of its own sites, where building work is done. `{town}`, `{water}` allowed. */
  ownSites: readonly string[];
  /** Its offices; `{town}` allowed. */
  offices: readonly string[];
  /** First part of its solicitation numbers, for example `W912EE`; null outside federal agencies. */
  officeCode: string | null;
}
