import * as z from "zod";

/** A search as it was understood. */
export const understood = z
  .object({
    words: z
      .array(
        z.object({
          word: z.string().meta({
            description: "A word of the search; of `similar_to`, a stem of the record's.",
            examples: ["kids"],
          }),
          matches: z.array(z.string()).meta({
            description:
              "Stems of the words that count as this one: its own, those of synonyms, and that of a corrected spelling.",
            examples: [["kid", "child"]],
          }),
          weight: z.number().meta({
            description: "Inverse document frequency: the rarer the word, the higher.",
            examples: [3.412],
          }),
          is_known: z.boolean().meta({
            description:
              "Whether any record had one of these words when the lexicon was last fitted. Words that came since are found, too.",
          }),
        }),
      )
      .meta({ description: "Words that the search is ranked by. The most frequent of more than 200 are left out." }),
    known_share: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({
        description: "How much of the search has a meaning in this catalogue; null where none of it has.",
        examples: [0.93],
      }),
    excluded: z
      .array(z.string())
      .meta({ description: "Words and phrases that no result may have.", examples: [["loans"]] }),
    phrases: z.array(z.string()).meta({
      description: "Phrases that each result has. Only in a keyword search that is sorted by `relevance`.",
      examples: [["clean water"]],
    }),
    places: z.array(z.string()).meta({ description: "Always empty: places are words as others.", deprecated: true }),
    agencies: z
      .array(z.string())
      .meta({ description: "Always empty: agencies are words as others.", deprecated: true }),
  })
  .meta({ description: "What was understood of the search. Only with `explain=true`." });

const rank = z.int().min(1).meta({ description: "Position in this ranking, from 1." });

/** Parts of a result's score. */
export const explanation = z
  .object({
    identifier: z
      .boolean()
      .meta({ description: "Whether the search is a number of this record, which puts it first." }),
    keyword: z
      .object({ rank, score: z.number().meta({ description: "BM25 score.", examples: [12.81] }) })
      .nullable()
      .meta({ description: "Ranking by keywords; null where it has not found the record." }),
    semantic: z
      .object({
        rank,
        similarity: z.number().min(0).max(1).meta({ description: "Cosine similarity, times `known_share`." }),
      })
      .nullable()
      .meta({ description: "Ranking by meaning; null where it has not found the record." }),
    sum: z
      .object({
        rank,
        score: z.number().meta({
          description: "Share of the best keyword score, plus the weighted similarity.",
        }),
      })
      .nullable()
      .meta({ description: "Third ranking of a hybrid search, by the sum of both scores; null in other modes." }),
    mentions: z
      .int()
      .min(0)
      .meta({ description: "Always 0: places and agencies are words as others.", deprecated: true }),
    passage: z
      .object({
        score: z.number().meta({ description: "BM25 score of the passage." }),
        document_id: z.uuid(),
        page: z.int().min(1).nullable(),
        url: z.string().nullable(),
      })
      .nullable()
      .optional()
      .meta({
        description:
          "The best passage of the record's documents, which counts in `keyword`; null where they have none. Only with `search_in=documents` or `all`.",
      }),
  })
  .meta({ description: "Parts of the result's score. Only with `explain=true`." });

export type Understood = z.infer<typeof understood>;
