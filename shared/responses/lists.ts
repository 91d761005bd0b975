import * as z from "zod";
import { understood } from "./explanation.ts";
import { count, dataAsOf, id, moment, responseTime, searchModeUsed } from "./fields.ts";

export const pagination = z
  .object({
    total: count("All records that match, exactly. In a ranked search, all records that it ranks."),
    limit: count("Limit that was applied."),
    offset: count("Offset that was applied."),
    returned: count("Records in this answer."),
    next: z
      .string()
      .nullable()
      .meta({
        description: "`cursor` of the next page; null on the last page.",
        examples: ["WyJjcmVhdGVkX2F0IiwiZGVzYyIsIjIwMjYtMDYtMTBUMTQ6MDA6MDAuMDAwWiIsImNiNzVjNTU1Il0"],
      }),
  })
  .meta({ description: "Position of this page in the list." });

export const listMeta = z
  .object({
    response_time_ms: responseTime,
    sort_by: z
      .string()
      .meta({ description: "Sort field that was applied; `ids` for the order of the ids.", examples: ["created_at"] }),
    order: z.enum(["asc", "desc"]).meta({ description: "Sort direction that was applied." }),
    search_mode: searchModeUsed,
    data_as_of: dataAsOf,
    last_updated_at: moment(
      "Latest `updated_at` of this answer's records: `updated_after` of the next request, when `pagination.next` is null. Only with `sort_by=updated_at&order=asc`.",
    )
      .nullable()
      .optional(),
    understood: understood.optional(),
  })
  .meta({ description: "How the list was searched and sorted." });

export const facets = z
  .record(
    z.string(),
    z.array(
      z.object({
        value: z.string(),
        count: count("Records of the list that have this value."),
        amount: z.number().nullable().optional().meta({
          description:
            "US dollars of the awards among these records. Null where none of them is an award with an amount. Only with `facets_sort_by=amount`.",
        }),
      }),
    ),
  )
  .meta({
    description:
      "The most frequent values of each requested field, or those of the most dollars, up to a hundred. Only if `facets` was requested.",
    examples: [{ status: [{ value: "open", count: 120 }] }],
  });

/** A record that has left the current catalogue, by its id. */
export const archivedRecord = z.object({
  id: id("The record's id."),
  archived_at: moment("When it left the current catalogue."),
});

/** Envelope of a list of records. */
export function listOf<Item extends z.ZodType>(record: Item) {
  return z.object({
    results: z.array(record),
    missing: z
      .array(id("An id."))
      .optional()
      .meta({ description: "Ids of the request that no record has. Only if `ids` was requested." }),
    archived: z
      .array(archivedRecord)
      .optional()
      .meta({ description: "Records that have left the current catalogue. Only if `archived_as_ids` was requested." }),
    pagination,
    meta: listMeta,
    facets: facets.optional(),
  });
}

/** Answer to `count_only=true`. */
export const total = z
  .object({ total: pagination.shape.total, facets: facets.optional() })
  .meta({ description: "A total without records." });

export type ArchivedRecord = z.infer<typeof archivedRecord>;
export type ListMeta = z.infer<typeof listMeta>;
export type Total = Pick<z.infer<typeof total>, "total">;
export type Facets = z.infer<typeof facets>;
