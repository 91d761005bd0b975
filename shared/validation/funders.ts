import * as z from "zod";
import { inCursorOrder } from "./cursor.ts";
import { directions, oneOf, paging, searchModes, searchText } from "./fields.ts";
import { parametersFit } from "./list.ts";

const orders = ["name", "created_at", "relevance"] as const;

const funderFields = {
  search: searchText()
    .optional()
    .meta({
      description:
        'Words to look for in name and summary. `"two words"` is a phrase, `-word` excludes. A search that is an EIN finds the funder that has it.',
      examples: ["rural health"],
    }),
  search_mode: oneOf(searchModes).default("keyword").meta({
    description:
      "`keyword` filters by the words, `semantic` ranks by meaning, `hybrid` fuses both rankings. The last two need `search`.",
  }),
  sort_by: oneOf(orders).optional().meta({
    description:
      "Ties are ordered by id. A semantic or hybrid search is by `relevance` when this is absent. `relevance` needs `search`.",
    default: "name",
  }),
  order: oneOf(directions).optional().meta({
    description: "By `relevance`, the best come first when this is absent.",
    default: "asc",
  }),
  ...paging(orders),
};

/** The query parameters of `GET /funders-api`. */
export const funderList = {
  names: Object.keys(funderFields),
  schema: z.strictObject(funderFields).superRefine(parametersFit).transform(inCursorOrder),
};
