import * as z from "zod";
import { directions, maximumSearchLength, oneOf, paging, searchModes, text } from "./fields.ts";
import { searchNeedsTerm } from "./search.ts";

const funderFields = {
  search: text(maximumSearchLength).optional(),
  search_mode: oneOf(searchModes).default("keyword"),
  sort_by: oneOf(["name", "created_at", "relevance"]).optional(),
  order: oneOf(directions).optional(),
  ...paging,
};

/** The query parameters of `GET /funders-api`. */
export const funderList = {
  names: Object.keys(funderFields),
  schema: z.strictObject(funderFields).superRefine(searchNeedsTerm),
};
