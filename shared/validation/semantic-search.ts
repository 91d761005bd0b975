import * as z from "zod";
import { oneOf, searchText, similarTo } from "./fields.ts";

const limitError = "must be an integer from 1 to 100";

const fields = {
  query: searchText()
    .optional()
    .meta({
      description: "Text to search for, in your own words. Required without `similar_to`.",
      examples: ["cleaning up polluted lakes"],
    }),
  similar_to: similarTo().meta({
    description:
      "In place of `query`, the id of a grant, contract or funder: finds what means the same as this record, without itself.",
  }),
  type: oneOf(["grants", "contracts"])
    .optional()
    .meta({ description: "Dataset to search. By default, both are searched." }),
  explain: z.boolean({ error: "must be true or false" }).optional().meta({
    description:
      "Say what was understood of the query, in `meta.understood`, and the parts of each result's score, in `explanation`. It takes about twice as long.",
    default: false,
  }),
  highlight: z.boolean({ error: "must be true or false" }).optional().meta({
    description: "Add `highlights` to each result: by field, the best passage and what to mark in it. Needs `query`.",
    default: false,
  }),
  limit: z
    .int({ error: limitError })
    .min(1, { error: limitError })
    .max(100, { error: limitError })
    .default(10)
    .meta({ description: "Maximum number of results in the answer." }),
};

/** Whether a body has a query, wherever its other fields are wrong. */
const hasQuery = (body: object) => "query" in body || "similar_to" in body;

/** Body of `POST /semantic-search`. */
export const semanticSearch = {
  names: Object.keys(fields),
  schema: z
    .strictObject(fields)
    .refine(hasQuery, {
      path: ["query"],
      error: "is required, unless similar_to names a record",
      // Beside the errors of other fields.
      when: () => true,
    })
    .refine((body) => body.query === undefined || body.similar_to === undefined, {
      path: ["similar_to"],
      error: "cannot be combined with query",
    })
    .refine((body) => body.highlight !== true || body.similar_to === undefined, {
      path: ["highlight"],
      error: "needs query, whose words it shows",
    }),
};
