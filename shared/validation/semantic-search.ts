import * as z from "zod";
import { oneOf, searchText } from "./fields.ts";

const limitError = "must be an integer from 1 to 100";

const fields = {
  query: searchText().meta({
    description: "What to look for, in words of your own.",
    examples: ["cleaning up polluted lakes"],
  }),
  type: oneOf(["grants", "contracts"]).optional().meta({ description: "Both are searched when this is absent." }),
  limit: z
    .int({ error: limitError })
    .min(1, { error: limitError })
    .max(100, { error: limitError })
    .default(10)
    .meta({ description: "Most results in the answer." }),
};

/** The body of `POST /semantic-search`. Both types are searched when `type` is absent. */
export const semanticSearch = { names: Object.keys(fields), schema: z.strictObject(fields) };
