import * as z from "zod";
import { oneOf } from "./fields.ts";

/** Endpoints whose searches a multi-search makes. */
export const searchEndpoints = ["grants-api", "contracts-api", "funders-api", "semantic-search"] as const;

/** Search limit of one request. */
export const maximumSearches = 10;

const countError = `must be a list of 1 to ${maximumSearches} searches`;
const parametersError = "must be an object of parameters";

const isCsv = (parameters: Record<string, unknown>) => [parameters.format].flat().includes("csv");

const search = z.strictObject(
  {
    endpoint: oneOf(searchEndpoints).meta({
      description: "The endpoint that answers: a list, or the search by meaning.",
      examples: ["grants-api"],
    }),
    parameters: z
      .record(z.string(), z.unknown(), { error: parametersError })
      .refine((parameters) => !isCsv(parameters), {
        path: ["format"],
        error: "must be json: the answers of a multi-search are parts of one JSON text",
      })
      .optional()
      .meta({
        description:
          "What the endpoint takes: the body of `POST /{endpoint}/search`, or of `POST /semantic-search`. By default, none.",
        examples: [{ search: "school meals", states: ["VT"], limit: 5 }],
      }),
  },
  { error: "must be an object with endpoint and parameters" },
);

const fields = {
  searches: z
    .array(search, { error: countError })
    .min(1, { error: countError })
    .max(maximumSearches, { error: countError })
    .meta({ description: "The searches, in the order in which they are answered." }),
};

/** Body of `POST /multi-search`. */
export const multiSearch = { names: Object.keys(fields), schema: z.strictObject(fields) };
