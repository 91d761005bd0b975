import * as z from "zod";
import { detailSchemas } from "../catalogue/details.ts";
import { moment } from "./fields.ts";

const ofEveryRecord = {
  source: z
    .string()
    .meta({ description: "Publisher of the file that the record is from.", examples: ["grants-gov", "sam-gov"] }),
  updated_at: moment("When the record last changed in this catalogue."),
};

/** Details that `expand=details` adds to a grant or contract. A field that a source does not give is null, or an empty list. */
export const opportunityDetails = z
  .object({ ...detailSchemas, ...ofEveryRecord })
  .meta({ description: "Details of a grant or contract. Only if `expand=details` was asked for." });

/** Details that `expand=details` adds to a funder. */
export const funderDetails = z
  .object(ofEveryRecord)
  .meta({ description: "Details of a funder. Only if `expand=details` was asked for." });

export type OpportunityDetails = z.infer<typeof opportunityDetails>;
