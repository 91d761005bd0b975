import * as z from "zod";
import { statesNamedIn } from "../geography/states.ts";
import {
  amount,
  boolean,
  date,
  directions,
  maximumSearchLength,
  moment,
  oneOf,
  paging,
  searchModes,
  states,
  text,
} from "./fields.ts";
import { searchNeedsTerm } from "./search.ts";
import { setAsideCode } from "./set-aside.ts";

/** The filters that grants and contracts share, in the order of the published contract. */
const opportunityFields = {
  search: text(maximumSearchLength).optional(),
  search_mode: oneOf(searchModes).default("keyword"),
  opportunity_type: oneOf(["open", "awarded", "all"]).default("open"),
  category: text().optional(),
  states: states().optional(),
  include_national: boolean().default(false),
  geography: text().optional(),
  min_amount: amount().optional(),
  max_amount: amount().optional(),
  deadline_after: date().optional(),
  deadline_before: date().optional(),
  posted_after: moment().optional(),
  sort_by: oneOf(["created_at", "deadline_date", "amount_min", "amount_max", "title", "relevance"]).optional(),
  order: oneOf(directions).optional(),
  include_archived: boolean().default(false),
  ...paging,
};

const grantFields = {
  ...opportunityFields,
  status: oneOf(["open", "posted", "closed", "forecasted", "upcoming"]).optional(),
};

const contractFields = {
  ...opportunityFields,
  status: text().optional(),
  naics: z
    .string()
    .regex(/^\d{6}$/, { error: "must be a six-digit NAICS code, for example 541511" })
    .optional(),
  set_aside: text().transform(setAsideCode).optional(),
};

/** The query parameters of `GET /grants-api`. */
export const grantList = {
  names: Object.keys(grantFields),
  schema: z.strictObject(grantFields).superRefine(searchNeedsTerm).transform(withGeographyStates),
};

/** The query parameters of `GET /contracts-api`. */
export const contractList = {
  names: Object.keys(contractFields),
  schema: z.strictObject(contractFields).superRefine(searchNeedsTerm).transform(withGeographyStates),
};

/**
 * The deprecated `geography` is free text; where it names states, hybrid search filters by those
 * states rather than by the text.
 */
function withGeographyStates<Parameters extends { geography?: string | undefined }>(parameters: Parameters) {
  const named = parameters.geography === undefined ? [] : statesNamedIn(parameters.geography);
  return named.length === 0 ? parameters : { ...parameters, geography_states: named };
}
