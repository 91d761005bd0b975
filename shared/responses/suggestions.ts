import * as z from "zod";
import { count, responseTime } from "./fields.ts";

/** Kinds of suggestions, in the order in which they take turns. */
export const suggestionKinds = [
  "agency",
  "funder",
  "category",
  "assistance_listing",
  "naics",
  "psc",
  "set_aside",
  "word",
  "title",
] as const;

export const suggestion = z
  .object({
    kind: z.enum(suggestionKinds).meta({
      description:
        "What it is: a value of the filter `agency`, `category`, `assistance_listing`, `naics`, `psc` or `set_aside`; `funder`, of `funder_id`; `word`, of `search`; `title`, a record.",
    }),
    value: z.string().meta({
      description: "Value of that filter as it is. Of a title, the record's id.",
      examples: ["Department of Agriculture"],
    }),
    label: z.string().meta({ description: "The text to show.", examples: ["10.557 WIC"] }),
    records: count("Current records that it finds: those of the lists without other filters."),
    datasets: z
      .object({
        grants: count("Total of the grants.").optional(),
        contracts: count("Total of the contracts.").optional(),
        funders: count("Total of the funders.").optional(),
      })
      .meta({ description: "The same by dataset, for those that have the value, in archived records at least." }),
  })
  .meta({ description: "A suggestion." });

/** Answer of `GET /suggest`. */
export const suggestionsAnswer = z
  .object({
    results: z.array(suggestion),
    meta: z.object({
      response_time_ms: responseTime,
      limit: count("Limit that was applied."),
      returned: count("Suggestions in this answer."),
    }),
  })
  .meta({ description: "Suggestions, the best first." });

export type Suggestion = z.infer<typeof suggestion>;
