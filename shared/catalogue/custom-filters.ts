import * as z from "zod";
import { filters } from "./filters.ts";
import { filterParameters } from "./parameters.ts";
import type { Filter } from "./rules.ts";
import { twinOf } from "./twins.ts";

/** Operators of CommonGrants by which filters of ours are asked for. */
export type CustomOperator = "eq" | "neq" | "in" | "notIn" | "gt" | "gte" | "lt" | "lte";

/** The parameter of a list that an operator is, by operator. */
export type CustomFilter = Partial<Record<CustomOperator, string>>;

const sizes = { above: "gt", from: "gte", below: "lt", upto: "lte" } as const;

/** Filters of ours in the CommonGrants search, by name. Their operators follow from how the parameters compare. */
export const customFilters: Readonly<Record<string, CustomFilter>> = Object.fromEntries(
  [...namedFilters()].sort(([one], [other]) => (one < other ? -1 : 1)),
);

function namedFilters(): Map<string, CustomFilter> {
  const named = new Map<string, CustomFilter>();
  const parameters: Record<string, z.ZodType> = filterParameters("grants");
  for (const [parameter, filter] of Object.entries<Filter>(filters)) {
    const { commonGrants } = filter;
    if (commonGrants === undefined || commonGrants === null || !("name" in commonGrants)) continue;
    const operators = operatorsOf(parameter, filter, isList(parameters[parameter]));
    named.set(commonGrants.name, { ...named.get(commonGrants.name), ...operators });
  }
  return named;
}

function operatorsOf(parameter: string, { compare, several }: Filter, isList: boolean): CustomFilter {
  const size = compare.kind === "condition" ? compare.as : compare.kind;
  if (size in sizes) return { [sizes[size as keyof typeof sizes]]: parameter };
  const wanted = { eq: parameter, ...(isList ? { in: parameter } : {}) };
  return several === true ? { ...wanted, neq: twinOf(parameter), notIn: twinOf(parameter) } : wanted;
}

function isList(schema: z.ZodType | undefined): boolean {
  return schema !== undefined && z.toJSONSchema(schema, { io: "input" }).type === "array";
}
