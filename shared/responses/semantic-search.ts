import * as z from "zod";
import { understood } from "./explanation.ts";
import { count, dataAsOf, relevanceScore, responseTime, searchModeUsed } from "./fields.ts";
import { contract, grant } from "./records.ts";

const score = { relevance_score: relevanceScore.unwrap() };

export const foundGrant = grant
  .omit({ details: true })
  .extend({ type: z.literal("grants"), ...score })
  .meta({ description: "A grant that a semantic search found." });
export const foundContract = contract
  .omit({ details: true })
  .extend({ type: z.literal("contracts"), ...score })
  .meta({ description: "A contract that a semantic search found." });

export const semanticSearchMeta = z.object({
  response_time_ms: responseTime,
  search_mode: searchModeUsed,
  limit: count("Limit that was applied."),
  returned: count("Records in this answer."),
  data_as_of: dataAsOf,
  understood: understood.optional(),
});

/** Answer of `POST /semantic-search`: opportunities of the default scope, the most relevant first. */
export const semanticSearchAnswer = z
  .object({
    results: z.array(z.discriminatedUnion("type", [foundGrant, foundContract])),
    meta: semanticSearchMeta,
  })
  .meta({ description: "Grants and contracts, the most relevant first." });

export type FoundOpportunity = z.infer<typeof foundGrant> | z.infer<typeof foundContract>;
export type SemanticSearchMeta = z.infer<typeof semanticSearchMeta>;
