import * as z from "zod";
import { moment } from "./fields.ts";

const freshness = "When the newest of the publishers' files was written whose records are all in.";

export const health = z
  .object({
    status: z.enum(["live", "ready"]).meta({
      description: "`live`: the process answers. `ready`: it reaches a database that it can serve from.",
    }),
    release: z.string().meta({ description: "Version of the software that answers, such as `1.2.0`." }),
    warnings: z
      .array(z.string())
      .optional()
      .meta({ description: "Of `ready`: faults of the database that requests survive, for the operator." }),
    data_as_of: z
      .object({ grants: moment(freshness), contracts: moment(freshness), funders: moment(freshness) })
      .optional()
      .meta({ description: "Of `ready`: how fresh each dataset is, as `meta.data_as_of` of its answers." }),
  })
  .meta({ description: "State of the service." });

export type Health = z.infer<typeof health>;
