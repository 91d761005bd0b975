import * as z from "zod";
import { suggestionKinds } from "../responses/suggestions.ts";
import { integer, someOf, text } from "./fields.ts";

const fields = {
  q: text(100).meta({
    description:
      "What was typed so far. Each of its words is the beginning of a word of the suggestion, in any order; from four letters on, one typo is forgiven where few have it as typed.",
    examples: ["usda rur"],
  }),
  kinds: someOf(suggestionKinds)
    .default([...suggestionKinds])
    .meta({ description: "Kinds of suggestions. By default, all.", examples: [["agency", "category"]] }),
  limit: integer(1, 20).default(10).meta({ description: "Maximum number of suggestions in the answer." }),
};

/** Query parameters of `GET /suggest`. */
export const suggestions = { names: Object.keys(fields), schema: z.strictObject(fields) };
