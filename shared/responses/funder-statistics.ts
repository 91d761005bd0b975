import * as z from "zod";
import { count, id, moment } from "./fields.ts";

const dollars = z
  .number()
  .meta({ description: "US dollars: the sum of the awards' `obligated_amount`, else `amount_max`." });
const sums = { awards: count("Number of awards."), amount: dollars };

/** Answer of `GET /funders-api/{id}/statistics`. */
export const funderStatistics = z
  .object({
    funder_id: id("The funder's id."),
    open_opportunities: z
      .object({ grants: count("Posted grants."), contracts: count("Posted contracts.") })
      .meta({ description: "Opportunities that are posted now." }),
    awards: z.object({
      total: count("Number of awards."),
      amount: dollars,
      median_amount: z.number().nullable().meta({ description: "Median award in US dollars. Null without amounts." }),
    }),
    awards_by_fiscal_year: z
      .array(z.object({ fiscal_year: z.int(), ...sums }))
      .meta({ description: "By the day of the award, newest first. The fiscal year 2027 begins on 1 October 2026." }),
    top_programmes: z
      .array(z.object({ number: z.string(), title: z.string().nullable(), ...sums }))
      .meta({ description: "The ten assistance listings of the greatest amounts." }),
    top_recipients: z
      .array(z.object({ name: z.string(), uei: z.string().nullable(), ...sums }))
      .meta({ description: "The ten recipients of the greatest amounts, by UEI, else by name." }),
    as_of: moment("When they were made. Null where nothing was counted yet: then all are 0.").nullable(),
  })
  .meta({ description: "What a funder has open, and what it awarded. Archived records do not count." });

export type FunderStatistics = z.infer<typeof funderStatistics>;
