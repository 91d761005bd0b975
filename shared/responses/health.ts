import * as z from "zod";

export const health = z
  .object({
    status: z.enum(["live", "ready"]).meta({
      description: "`live`: the process that was asked answers. `ready`: it reaches a database that it can serve from.",
    }),
  })
  .meta({ description: "How the service is." });

export type Health = z.infer<typeof health>;
