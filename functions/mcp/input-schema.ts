import { listInQuery } from "../../shared/validation/query.ts";
import type { Argument, JsonSchema, Operation } from "./operation.ts";

/** JSON Schema of a tool's arguments, with keywords alone that the providers of models take: tests/unit/mcp/models.test.ts has their rules. */
export interface InputSchema {
  type: "object";
  properties: Record<string, ArgumentSchema>;
  required: string[];
}

export interface ArgumentSchema {
  type: string;
  description: string;
  enum?: readonly string[];
  items?: Omit<ArgumentSchema, "description">;
}

/** Keywords that are kept; the rest of a schema is said in the description, or by the API's errors. */
const kept = ["type", "enum", "pattern", "minimum", "maximum", "minItems", "maxItems"];

/**
 * Makes one object schema of the arguments that all of some operations have.
 *
 * @param isOffered whether the tool has an argument of that name.
 */
export function inputSchemaOf(operations: readonly Operation[], isOffered: (name: string) => boolean): InputSchema {
  const [first, ...others] = operations.map(({ arguments: all }) => all.filter(({ isDeprecated }) => !isDeprecated));
  const shared = (first ?? []).flatMap((argument) => {
    const same = others.map((all) => all.find(({ name }) => name === argument.name));
    return isOffered(argument.name) && same.every((one) => one !== undefined) ? [merge([argument, ...same])] : [];
  });
  return {
    type: "object",
    properties: Object.fromEntries(shared.map(({ name, schema }) => [name, forModels(schema)])),
    required: shared.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

/** One argument of those that operations have by one name: it takes what any of them takes. */
function merge([first, ...others]: [Argument, ...Argument[]]): Argument {
  const { schema } = first;
  const all = [first, ...others].flatMap((one) => one.schema.items?.enum ?? []);
  return all.length === 0
    ? first
    : { ...first, schema: { ...schema, items: { ...schema.items, enum: distinct(all) } } };
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

function forModels(schema: JsonSchema): ArgumentSchema {
  const { items, ...plain } = asOneType(schema);
  return {
    ...pick(plain),
    type: plain.type ?? "string",
    ...(items === undefined ? {} : { items: { type: "string", ...pick(items) } }),
    description: describe(schema),
  };
}

function pick(schema: JsonSchema): object {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => kept.includes(keyword)));
}

/** A schema without alternatives: of one value or several, a list; of several forms of a text, a text. */
function asOneType({ anyOf, ...schema }: JsonSchema): JsonSchema {
  if (anyOf === undefined) return schema;
  const list = anyOf.find(({ type }) => type === "array");
  if (list === undefined) return { ...schema, type: "string" };
  const values = anyOf.flatMap((one) => one.enum ?? one.items?.enum ?? []);
  return { ...schema, ...list, items: { ...list.items, enum: distinct(values) } };
}

/** What an argument means, its default and its examples: without what is said of query strings and of CSV, as a tool takes lists and answers JSON alone. */
function describe({ description = "", default: byDefault, examples }: JsonSchema): string {
  const withoutQuery = Object.values(listInQuery).reduce((text, said) => text.replace(said, "").trim(), description);
  const sentences = withoutQuery.split(/(?<=\.) /).filter((sentence) => !sentence.includes("CSV"));
  if (byDefault !== undefined) sentences.push(`Default: ${JSON.stringify(byDefault)}.`);
  if (Array.isArray(examples)) {
    sentences.push(`For example: ${examples.map((value) => JSON.stringify(value)).join(" or ")}.`);
  }
  return sentences.join(" ");
}
