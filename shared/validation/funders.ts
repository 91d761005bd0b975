import * as z from "zod";
import { orderNames } from "../catalogue/orders.ts";
import { filterParameters } from "../catalogue/parameters.ts";
import { directions, explain, highlight, oneOf, paging } from "./fields.ts";
import { applyCursorOrder, checkListParameters } from "./list.ts";

const orders = orderNames("funders");

const funderFields = {
  ...filterParameters("funders"),
  explain: explain(),
  highlight: highlight(),
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
