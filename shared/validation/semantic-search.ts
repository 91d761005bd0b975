import * as z from "zod";
import { oneOf, searchText } from "./fields.ts";

const limitError = "must be an integer from 1 to 100";

const fields = {
  query: searchText().meta({
    description: "Text to search for, in your own words.",
    examples: ["cleaning up polluted lakes"],
  }),
  type: oneOf(["grants", "contracts"])
    .optional()
    .meta({ description: "Dataset to search. By default, both are searched." }),
  limit: z
    .int({ error: limitError })
    .min(1, { error: limitError })
    .max(100, { error: limitError })
    .default(10)
    .meta({ description: "Most results in the answer." }),
};

/** Body of `POST /semantic-search`. */
export const semanticSearch = { names: Object.keys(fields), schema: z.strictObject(fields) };
