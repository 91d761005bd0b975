/** The explorer's fields of filters, from their declarations: dashboard/src/explorer/filters.generated.ts, so that the page loads no schemas. */
import type * as z from "zod";
import type { Parameter } from "../../dashboard/src/explorer/parameters.ts";
import { requestSchema } from "../../openapi/json-schema.ts";
import { filters } from "../../shared/catalogue/filters.ts";
import { orderNames } from "../../shared/catalogue/orders.ts";
import { facetNames, filterParameters } from "../../shared/catalogue/parameters.ts";
import type { Filter } from "../../shared/catalogue/rules.ts";
import { type Dataset, datasets } from "../../shared/datasets.ts";
import { isRepeated } from "../../shared/validation/fields.ts";

export const formPath = "dashboard/src/explorer/filters.generated.ts";

interface JsonSchema {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: string[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  default?: unknown;
  examples?: unknown[];
}

const isUuid = ({ format }: JsonSchema) => format === "uuid" || format === "guid";

/** The field of a parameter. What is chosen from values is a select; a list's example stands in the field. */
function fieldOf(name: string, label: string, schema: JsonSchema, isOfNames: boolean): Parameter {
  const { type, format, enum: values, anyOf, items, default: byDefault, examples = [] } = schema;
  const absent = byDefault === undefined ? "any" : `${byDefault} (default)`;
  const choice = (from: readonly string[]) => ({
    kind: "select" as const,
    options: [["", absent], ...from.filter((one) => one !== byDefault).map((one) => [one, one] as const)] as const,
  });
  if (type === "boolean" && byDefault === false) return { name, label, kind: "check" };
  if (type === "boolean") return { name, label, ...choice(["true", "false"]), type: "boolean" };
  if (values !== undefined) return { name, label, ...choice(values) };
  const isRelative = anyOf?.some(({ pattern = "" }) => pattern.includes("today")) === true;
  if (isRelative) return { name, label, kind: "text", placeholder: String(examples.at(-1)) };
  if (format === "date" || anyOf?.some((one) => one.format === "date") === true) return { name, label, kind: "date" };
  const example = type === "array" ? examples.flat().join(isOfNames ? " | " : ",") : String(examples[0] ?? "");
  const placeholder = isUuid(schema) || (items !== undefined && isUuid(items)) ? "a record’s UUID" : example;
  if (type === "integer") return { name, label, kind: "number", placeholder };
  const list = type === "array" ? { type: isOfNames ? ("names" as const) : ("list" as const) } : {};
  return { name, label, kind: "text", ...list, placeholder };
}

function formOf(dataset: Dataset): Parameter[] {
  return Object.entries<z.ZodType>(filterParameters(dataset)).flatMap(([name, schema]) => {
    const { label } = (filters as Record<string, Filter>)[name] ?? {};
    return label === undefined ? [] : [fieldOf(name, label, requestSchema(schema) as JsonSchema, isRepeated(schema))];
  });
}

/** Text of the file. */
export function renderForm(): string {
  const forms = Object.fromEntries(datasets.map((dataset) => [dataset, formOf(dataset)]));
  const facets = Object.fromEntries(datasets.map((dataset) => [dataset, facetNames(dataset)]));
  const orders = Object.fromEntries(datasets.map((dataset) => [dataset, orderNames(dataset)]));
  return `// Written by npm run schema from shared/catalogue/filters.ts.
import type { Dataset } from "../../../shared/datasets.ts";
import type { Parameter } from "./parameters.ts";

/** Fields of the filters of a dataset's list. */
export const filterFields: Record<Dataset, readonly Parameter[]> = ${JSON.stringify(forms, null, 2)};

/** Fields by which the records of a list are counted. */
export const facetNames: Record<Dataset, readonly string[]> = ${JSON.stringify(facets, null, 2)};

/** Values of \`sort_by\`. */
export const orderNames: Record<Dataset, readonly string[]> = ${JSON.stringify(orders, null, 2)};
`;
}
