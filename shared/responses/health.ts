import * as z from "zod";

export const health = z
  .object({
    status: z.enum(["live", "ready"]).meta({
      description: "`live`: the process answers. `ready`: it reaches a database that it can serve from.",
    }),
    warnings: z
      .array(z.string())
      .optional()
      .meta({ description: "Of `ready`: faults of the database that requests survive, for the operator." }),
  })
  .meta({ description: "State of the service." });

export type Health = z.infer<typeof health>;
