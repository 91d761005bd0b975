import type { OpportunityDetails } from "../../shared/responses/details.ts";
import type { Contract, Funder, Grant } from "../../shared/responses/records.ts";
import type { Opportunities } from "./listing.ts";
import { bodyOf, type Visit } from "./visit.ts";

/** A grant or contract with its details, and when it left the catalogue. */
export type Opportunity = (Grant | Contract) & { details: OpportunityDetails; archived_at: string | null };

const single = { grants: "get_grant", contracts: "get_contract" } as const;

export async function readOpportunity(
  { query }: Visit,
  dataset: Opportunities,
  id: string,
): Promise<Opportunity | undefined> {
  const expand = ["details", "archived_at"];
  const record = await bodyOf(query.database.call(single[dataset], { key_hash: query.keyHash, id, expand }));
  return (record as Opportunity | null) ?? undefined;
}

export async function readFunder({ query }: Visit, id: string): Promise<Funder | undefined> {
  const record = await bodyOf(query.database.call("get_funder", { key_hash: query.keyHash, id, expand: ["details"] }));
  return (record as Funder | null) ?? undefined;
}
