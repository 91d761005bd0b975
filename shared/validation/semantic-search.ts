import * as z from "zod";
import { maximumSearchLength, oneOf, text } from "./fields.ts";

const limitError = "must be an integer from 1 to 100";

const fields = {
  query: text(maximumSearchLength),
  type: oneOf(["grants", "contracts"]).optional(),
  limit: z
    .number({ error: limitError })
    .refine((value) => Number.isInteger(value) && value >= 1 && value <= 100, { error: limitError })
    .default(10),
};

/** The body of `POST /semantic-search`. Both types are searched when `type` is absent. */
export const semanticSearch = { names: Object.keys(fields), schema: z.strictObject(fields) };
