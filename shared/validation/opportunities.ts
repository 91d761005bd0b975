import * as z from "zod";
import { orderNames } from "../catalogue/orders.ts";
import { facetNames, fieldsParameter, filterParameters } from "../catalogue/parameters.ts";
import type { Dataset } from "../datasets.ts";
import {
  boolean,
  directions,
  expansion,
  explain,
  highlight,
  integer,
  maximumPageSize,
  oneOf,
  paging,
  passages,
  someOf,
  sorting,
} from "./fields.ts";
import { applyOrder, checkListParameters, cursor, cursorError } from "./list.ts";

const orders = orderNames("grants");

/** Parameters of order, pages and format that lists of grants and contracts have. */
const presentation = (dataset: "grants" | "contracts") => ({
  explain: explain(),
  highlight: highlight(),
  passages: passages(),
  sort_by: sorting(orders)
    .optional()
    .meta({
      description:
        "Of several (`deadline_date,-amount_max`; up to three), those with `-` descend, and the others ascend. Nulls come last in both directions, and ties are ordered by id. `updated_at` with `order=asc` is a feed that passes over no change. By default, a semantic or hybrid search is sorted by `relevance`, and so is a list with `similar_to`. `relevance` needs one of them or `search`.",
      default: "created_at",
      examples: [["deadline_date", "-amount_max"]],
    }),
  order: oneOf(directions)
    .optional()
    .meta({ description: "Direction of a `sort_by` of one, without `-`.", default: "desc" }),
  archived_as_ids: boolean().optional().meta({
    description: "Include records that have left the current catalogue, in `archived`, by their ids alone. Not in CSV.",
    default: false,
  }),
  ...paging(orders),
  fields: fieldsParameter(dataset),
});

function facets(dataset: Dataset) {
  const names = facetNames(dataset);
  return someOf(names)
    .optional()
    .meta({
      description:
        "Fields by which to count the list's records. `facets` of the answer has the hundred most frequent values of each field. A value's count is the total of the list with the field's parameter set to it.",
      examples: [names.slice(0, 2)],
    });
}

const facetModes = ["conjunctive", "disjunctive"] as const;

function facetsMode() {
  return oneOf(facetModes).optional().meta({
    description:
      "`disjunctive` counts each facet without the filter by its own parameter: what could be chosen in its place or beside it.",
    default: "conjunctive",
  });
}

function facetsSortBy() {
  return oneOf(["count", "amount"]).optional().meta({
    description:
      "`amount` adds to each value of the facets the US dollars of its awards, and puts the values of the most dollars first: of `facets=recipient`, the top recipients. An award's dollars are its `obligated_amount`, else its `amount_max`.",
    default: "count",
  });
}

const grantFields = {
  ...filterParameters("grants"),
  ...presentation("grants"),
  facets: facets("grants"),
  facets_mode: facetsMode(),
  facets_sort_by: facetsSortBy(),
};
const contractFields = {
  ...filterParameters("contracts"),
  ...presentation("contracts"),
  facets: facets("contracts"),
  facets_mode: facetsMode(),
  facets_sort_by: facetsSortBy(),
};

/** Query parameters of `GET /grants-api`. */
export const grantList = {
  names: Object.keys(grantFields),
  schema: z.strictObject(grantFields).superRefine(checkListParameters).transform(applyOrder),
};

/** Query parameters of `GET /contracts-api`. */
export const contractList = {
  names: Object.keys(contractFields),
  schema: z.strictObject(contractFields).superRefine(checkListParameters).transform(applyOrder),
};

const awardsFields = {
  limit: integer(1, maximumPageSize).default(20).meta({ description: "Maximum number of awards in the answer." }),
  cursor: cursor(["created_at"])
    .refine(({ order }) => order === "desc", { error: cursorError })
    .optional()
    .meta({ description: "`pagination.next` of the previous page." }),
  expand: expansion(),
};

/** Query parameters of an opportunity's awards. */
export const awardsParameters = { names: Object.keys(awardsFields), schema: z.strictObject(awardsFields) };
