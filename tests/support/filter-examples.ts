import * as z from "zod";
import { requestSchema } from "../../openapi/json-schema.ts";
import { filterParameters } from "../../shared/catalogue/parameters.ts";
import type { Dataset } from "../../shared/datasets.ts";

interface JsonSchema {
  type?: string;
  enum?: string[];
  items?: { enum?: string[] };
  examples?: unknown[];
}

/** Values of each filter of a dataset's list, as its query has them: every value where there are few, else the examples of its declaration. */
export function filterExamples(dataset: Dataset): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries<z.ZodType>(filterParameters(dataset)).map(([name, schema]) => {
      const { type, enum: values, items, examples = [] } = requestSchema(schema) as JsonSchema;
      const all =
        type === "boolean" ? ["true", "false"] : (values ?? (examples.length > 0 ? examples : items?.enum) ?? []);
      if (all.length === 0) throw new Error(`the filter ${name} has no example`);
      return [name, all.map(String)];
    }),
  );
}

/** A filter of a dataset with every parameter, as the database gets it. */
export function wholeFilter(dataset: Dataset): Record<string, unknown> {
  const first = Object.entries(filterExamples(dataset)).map(([name, [example]]) => [name, example]);
  return z.object(filterParameters(dataset)).parse(Object.fromEntries(first)) as Record<string, unknown>;
}
