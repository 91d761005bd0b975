import * as z from "zod";
import { directions, explain, moment, oneOf, paging, searchModes, searchText, similarTo } from "./fields.ts";
import { applyCursorOrder, checkListParameters } from "./list.ts";

const orders = ["name", "created_at", "updated_at", "relevance"] as const;

const funderFields = {
  search: searchText()
    .optional()
    .meta({
      description:
        'Words to look for in name and summary. `"two words"` is a phrase, `-word` excludes. An EIN finds the funder that has it.',
      examples: ["rural health"],
    }),
  search_mode: oneOf(searchModes).default("keyword").meta({
    description:
      "`keyword` filters by the words, `semantic` ranks by meaning, `hybrid` fuses both rankings. The last two need `search`.",
  }),
  similar_to: similarTo(),
  explain: explain(),
  updated_after: moment()
    .optional()
    .meta({
      description: "The funder changed in this catalogue later than this; a day means its first moment in UTC.",
      examples: ["2026-11-20", "2026-11-20T14:00:00Z"],
    }),
  sort_by: oneOf(orders).optional().meta({
    description:
      "Ties are ordered by id. `updated_at` with `order=asc` is a feed that passes over no change. By default, a semantic or hybrid search is sorted by `relevance`, and so is a list with `similar_to`. `relevance` needs one of them or `search`.",
    default: "name",
  }),
  order: oneOf(directions).optional().meta({
    description: "Direction of `sort_by`. By default, `relevance` lists the best first.",
    default: "asc",
  }),
  ...paging(orders),
};

/** Query parameters of `GET /funders-api`. */
export const funderList = {
  names: Object.keys(funderFields),
  schema: z.strictObject(funderFields).superRefine(checkListParameters).transform(applyCursorOrder),
};
