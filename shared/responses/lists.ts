import * as z from "zod";
import { count, dataAsOf, responseTime, searchModeUsed } from "./fields.ts";

export const pagination = z
  .object({
    total: count("Every record that matches, exactly; of a ranked search, all that it ranks."),
    limit: count("The limit applied."),
    offset: count("The offset applied."),
    returned: count("Records in this answer."),
    next: z
      .string()
      .nullable()
      .meta({
        description: "The `cursor` of the next page; null on the last.",
        examples: ["WyJjcmVhdGVkX2F0IiwiZGVzYyIsIjIwMjYtMDYtMTBUMTQ6MDA6MDAuMDAwWiIsImNiNzVjNTU1Il0"],
      }),
  })
  .meta({ description: "Which part of the list this is." });

export const listMeta = z
  .object({
    response_time_ms: responseTime,
    sort_by: z.string().meta({ description: "The sort field applied.", examples: ["created_at"] }),
    order: z.enum(["asc", "desc"]).meta({ description: "The direction applied." }),
    search_mode: searchModeUsed,
    data_as_of: dataAsOf,
  })
  .meta({ description: "How the list was made." });

export const facets = z
  .record(z.string(), z.array(z.object({ value: z.string(), count: count("Records of the list that have it.") })))
  .meta({
    description: "Where `facets` was asked: each field's most frequent values, a hundred at most.",
    examples: [{ status: [{ value: "open", count: 120 }] }],
  });

/** The envelope of a list of records. */
export function listOf<Item extends z.ZodType>(record: Item) {
  return z.object({ results: z.array(record), pagination, meta: listMeta, facets: facets.optional() });
}

/** What `count_only=true` answers. */
export const total = z
  .object({ total: pagination.shape.total, facets: facets.optional() })
  .meta({ description: "Only a total." });

export type ListMeta = z.infer<typeof listMeta>;
export type Total = Pick<z.infer<typeof total>, "total">;
export type Facets = z.infer<typeof facets>;
