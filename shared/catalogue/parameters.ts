import * as z from "zod";
import type { Dataset } from "../datasets.ts";
import { atCommas, expansion, textsOf } from "../validation/fields.ts";
import { nearest } from "../validation/suggest.ts";
import { checkFields, detailFields, recordFields } from "./fields.generated.ts";
import { filters } from "./filters.ts";
import type { Filter } from "./rules.ts";

type Filters = typeof filters;

/** Filters that the lists of a dataset have as parameters, with their schemas. */
export type FilterParameters<Of extends Dataset> = {
  [Name in keyof Filters as Of extends Filters[Name]["datasets"][number]
    ? Filters[Name] extends { parameter: unknown }
      ? Name
      : never
    : never]: Filters[Name] extends { parameter: infer Parameter }
    ? Parameter extends z.ZodType
      ? Parameter
      : Of extends keyof Parameter
        ? Parameter[Of]
        : never
    : never;
};

const entries = Object.entries<Filter>(filters);

/** Schemas of the filters of a dataset's lists, by parameter, in their order. */
export function filterParameters<Of extends Dataset>(dataset: Of): FilterParameters<Of> {
  const parameters = entries.flatMap(([name, { datasets, parameter }]) => {
    const schema = parameter !== undefined && "parse" in parameter ? parameter : parameter?.[dataset];
    return datasets.includes(dataset) && schema !== undefined ? [[name, schema]] : [];
  });
  return Object.fromEntries(parameters) as FilterParameters<Of>;
}

/** Fields by which the records of a dataset's lists are counted. */
export function facetNames(dataset: Dataset): [string, ...string[]] {
  const names = entries.flatMap(([name, { datasets, facet }]) =>
    facet !== undefined && datasets.includes(dataset) ? [name] : [],
  );
  return names as [string, ...string[]];
}

/** Fields to leave in the records of an answer: names of a dataset's columns in CSV. Parsed without repetitions, in the columns' order. */
export function fieldsParameter(dataset: Dataset) {
  const names: readonly string[] = [...recordFields[dataset], ...detailFields[dataset], ...checkFields[dataset]];
  return z
    .preprocess(
      (value, context) => {
        const given = textsOf(value)?.flatMap(atCommas);
        if (given === undefined) return value;
        const unknown = given.find((name) => !names.includes(name));
        if (unknown !== undefined) context.addIssue({ code: "custom", message: describeUnknownField(unknown, names) });
        return names.filter((name) => given.includes(name));
      },
      z.array(z.enum(names)).min(1),
    )
    .optional()
    .meta({
      description:
        "Fields to answer with; `id` always comes, and so do scores, explanations and highlights. Those of details are in `details`, without `expand`. In CSV, the columns.",
      examples: [names.slice(1, 3)],
    });
}

function describeUnknownField(unknown: string, names: readonly string[]): string {
  const meant = nearest(unknown, names);
  const hint = meant === undefined ? `the fields are ${names.join(", ")}` : `did you mean ${meant}?`;
  return `must be names of fields, separated by commas; ${JSON.stringify(unknown.slice(0, 40))} is not one; ${hint}`;
}

/** Query parameters of a single record. */
export function recordParameters(dataset: Dataset) {
  const shape = { expand: expansion(), fields: fieldsParameter(dataset) };
  return { names: Object.keys(shape), schema: z.strictObject(shape) };
}
