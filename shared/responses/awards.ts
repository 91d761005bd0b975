import * as z from "zod";
import { dataAsOf, responseTime } from "./fields.ts";
import { pagination } from "./lists.ts";
import { grant } from "./records.ts";

/** An award of an opportunity. */
export const award = z
  .object({
    ...grant.shape,
    link: z.enum(["number", "programme"]).meta({
      description:
        "How it was found: `number`, it names the opportunity's number; `programme`, an earlier award of the same assistance listing and agency.",
    }),
    certainty: z.enum(["certain", "likely", "possible"]).meta({
      description:
        "How sure it is that it was given under the opportunity. `certain`: it has the number of this opportunity alone. `likely`: it has the number in another spelling or version, which can mean no other opportunity here, or others have the same number. `possible`: of the programme.",
    }),
  })
  .meta({ description: "An award, and how it belongs to the opportunity." });

/** Answer of `GET /grants-api/{id}/awards`. */
export const awardsAnswer = z
  .object({
    results: z.array(award),
    pagination: pagination.omit({ offset: true }),
    meta: z.object({ response_time_ms: responseTime, data_as_of: dataAsOf }),
  })
  .meta({ description: "Awards of an opportunity, newest first. All have the same `link`." });

export type Award = z.infer<typeof award>;
