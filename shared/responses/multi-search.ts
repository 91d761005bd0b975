import * as z from "zod";

/** Answer of `POST /multi-search`. The bodies are those of the endpoints. */
export const multiSearchAnswer = z
  .object({
    results: z
      .array(
        z.object({
          status: z.int().meta({ description: "HTTP status that the search alone would have.", examples: [200] }),
          retry_after: z
            .int()
            .optional()
            .meta({ description: "Seconds after which to try it again, where it was refused for now." }),
          body: z.record(z.string(), z.unknown()).meta({
            description: "What the endpoint answers: its page, or the problem document of a search that failed.",
          }),
        }),
      )
      .meta({ description: "Answers, in the order of the searches." }),
    meta: z.object({
      response_time_ms: z
        .number()
        .meta({ description: "Milliseconds from the request's arrival to its answer.", examples: [12.4] }),
      returned: z.int().meta({ description: "Number of answers." }),
    }),
  })
  .meta({ description: "Answers of several searches." });
