import * as z from "zod";
import { orderNames } from "../catalogue/orders.ts";
import { fieldsParameter, filterParameters } from "../catalogue/parameters.ts";
import { directions, explain, highlight, oneOf, paging, sorting } from "./fields.ts";
import { applyOrder, checkListParameters } from "./list.ts";

const orders = orderNames("funders");

const funderFields = {
  ...filterParameters("funders"),
  explain: explain(),
  highlight: highlight(),
  sort_by: sorting(orders)
    .optional()
    .meta({
      description:
        "Of several (`name,-created_at`), those with `-` descend, and the others ascend. Ties are ordered by id. `updated_at` with `order=asc` is a feed that passes over no change. By default, a semantic or hybrid search is sorted by `relevance`, and so is a list with `similar_to`. `relevance` needs one of them or `search`.",
      default: "name",
      examples: [["name", "-created_at"]],
    }),
  order: oneOf(directions).optional().meta({
    description: "Direction of a `sort_by` of one, without `-`. By default, `relevance` lists the best first.",
    default: "asc",
  }),
  ...paging(orders),
  fields: fieldsParameter("funders"),
};

/** Query parameters of `GET /funders-api`. */
export const funderList = {
  names: Object.keys(funderFields),
  schema: z.strictObject(funderFields).superRefine(checkListParameters).transform(applyOrder),
};
