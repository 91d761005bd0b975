import * as z from "zod";
import type { Dataset } from "../datasets.ts";
import type { Filter } from "./rules.ts";

/** A filter that takes several values. */
type Several = Extract<Filter, { parameter: unknown }> & { several: true };

/** Twins of those filters that take several values. */
type Twins<Filters> = {
  [Name in keyof Filters as Filters[Name] extends { several: true }
    ? `exclude_${Name & string}`
    : never]: Filters[Name];
};

/** Adds to each filter that takes several values the one that excludes them, after it. */
export function withTwins<const Filters extends Record<string, Filter>>(filters: Filters): Filters & Twins<Filters> {
  const entries = Object.entries<Filter>(filters).flatMap(([name, filter]): [string, Filter][] =>
    isSeveral(filter)
      ? [
          [name, filter],
          [twinOf(name), twin(name, filter)],
        ]
      : [[name, filter]],
  );
  return Object.fromEntries(entries) as Filters & Twins<Filters>;
}

/** Name of the filter that excludes what a filter finds. */
export function twinOf(name: string): string {
  return `exclude_${name}`;
}

function isSeveral(filter: Filter): filter is Several {
  return filter.several === true;
}

function twin(name: string, { datasets, label, parameter, compare }: Several): Filter {
  if (compare.kind !== "value") throw new Error(`${name} takes several values, so it has to compare values`);
  return {
    datasets,
    ...(label === undefined ? {} : { label: `Not: ${label.charAt(0).toLowerCase()}${label.slice(1)}` }),
    commonGrants: null,
    parameter: "parse" in parameter ? excluded(name, parameter) : excludedOf(name, parameter),
    compare: { ...compare, isExcluding: true },
  };
}

function excludedOf(name: string, parameters: Partial<Record<Dataset, z.ZodType>>) {
  return Object.fromEntries(Object.entries(parameters).map(([dataset, schema]) => [dataset, excluded(name, schema)]));
}

function excluded(name: string, schema: z.ZodType): z.ZodType {
  const { examples } = z.globalRegistry.get(schema) ?? {};
  return schema.meta({
    description: `Leaves out records that have any of these values, which are those of \`${name}\`. Records without one stay.`,
    ...(examples === undefined ? {} : { examples }),
  });
}
