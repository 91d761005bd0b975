import { resolve, type Schema } from "./openapi.ts";

/** A schema without references, alternatives of `null` and `allOf`. */
export interface PlainSchema extends Omit<Schema, "$ref" | "allOf" | "anyOf" | "oneOf"> {
  /** Name of the component. */
  name?: string;
  isNullable: boolean;
  /** Alternatives; empty where there is one shape. */
  choices: readonly PlainSchema[];
}

const known = new WeakMap<Schema, PlainSchema>();

/** Resolves a schema's references and puts the parts of `allOf` together. Its properties are left as they are: they may recur. */
export function plain(schema: Schema): PlainSchema {
  const earlier = known.get(schema);
  if (earlier !== undefined) return earlier;
  const made = makePlain(schema);
  known.set(schema, made);
  return made;
}

function makePlain(schema: Schema): PlainSchema {
  const name = schema.$ref?.split("/").at(-1);
  const { $ref: _, allOf = [], anyOf, oneOf, ...own } = { ...resolve<Schema>(schema), ...withoutReference(schema) };
  const merged = merge([...allOf.map(plain), own]);
  const types = typesOf(merged);
  const alternatives = (anyOf ?? oneOf ?? []).filter(isShape).map(plain);
  const choices = alternatives.filter(({ type }) => type !== "null");
  const outer: PlainSchema = {
    ...merged,
    ...(name === undefined ? {} : { name }),
    isNullable: types.includes("null") || choices.length < alternatives.length,
    choices,
  };
  const [only, ...others] = choices;
  if (only === undefined || others.length > 0) return outer;
  // `anyOf: [X, null]` is X that may be null.
  const { description, examples } = merged;
  return { ...only, ...(description && { description }), ...(examples && { examples }), isNullable: outer.isNullable };
}

/** Whether an alternative says more than which members it requires: those are of the one shape around it. */
function isShape(schema: Schema): boolean {
  return Object.keys(schema).some((keyword) => keyword !== "required");
}

/** Types of a schema, without `null`. */
export function kindsOf(schema: Pick<Schema, "type">): string[] {
  return typesOf(schema).filter((each) => each !== "null");
}

/** The type in words: `array of string`, `date or null`, `Grant`. */
export function typeLabel(schema: PlainSchema): string {
  const label = labelOf(schema);
  return schema.isNullable ? `${label} or null` : label;
}

function labelOf(schema: PlainSchema): string {
  if (schema.choices.length > 0) return [...new Set(schema.choices.map(typeLabel))].join(" or ");
  const [kind = schema.properties === undefined ? "any" : "object"] = kindsOf(schema);
  if (kind === "array") return `array of ${schema.items === undefined ? "any" : labelOf(plain(schema.items))}`;
  if (kind !== "object") return formats[schema.format ?? ""] ?? schema.format ?? kind;
  if (schema.name !== undefined) return schema.name;
  const { additionalProperties: values } = schema;
  return schema.properties === undefined && typeof values === "object" ? `map of ${labelOf(plain(values))}` : "object";
}

/** Formats whose names say less than ours. */
const formats: Record<string, string> = { "date-time": "date and time", binary: "file", uri: "URL", uuid: "UUID" };

/** The values that a schema allows, where it lists them. */
export function valuesOf(schema: PlainSchema): readonly unknown[] {
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum !== undefined) return schema.enum;
  return schema.items === undefined ? [] : valuesOf(plain(schema.items));
}

/** Bounds in words: `0 to 100`, `at most 4,000 characters`. */
export function boundsOf(schema: PlainSchema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  // JavaScript's largest whole numbers bound nothing that anybody would send.
  const bound = (value: number | undefined) => (Math.abs(value ?? 0) >= Number.MAX_SAFE_INTEGER ? undefined : value);
  return [
    range(bound(minimum), bound(maximum), ""),
    range(minLength === 0 ? undefined : minLength, maxLength, "characters"),
    range(minItems === 0 ? undefined : minItems, maxItems, "items"),
    ...schema.choices.flatMap(boundsOf),
  ].filter((text) => text !== undefined);
}

function range(from: number | undefined, to: number | undefined, unit: string): string | undefined {
  const written = (value: number) => value.toLocaleString("en-US");
  const named = (text: string, last: number) =>
    unit === "" ? text : `${text} ${last === 1 ? unit.replace(/s$/, "") : unit}`;
  if (from !== undefined && to !== undefined) {
    return from === to ? named(`exactly ${written(to)}`, to) : named(`${written(from)} to ${written(to)}`, to);
  }
  if (to !== undefined) return named(`at most ${written(to)}`, to);
  return from === undefined ? undefined : named(`at least ${written(from)}`, from);
}

/** Schema whose fields are shown below a value: an object's own, or those of an array's items or a map's values. */
export function fieldsOf(schema: PlainSchema): PlainSchema | undefined {
  if (schema.properties !== undefined || schema.choices.some((choice) => fieldsOf(choice) !== undefined)) return schema;
  const inner =
    schema.items ?? (typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined);
  return inner === undefined ? undefined : fieldsOf(plain(inner));
}

function typesOf({ type }: Pick<Schema, "type">): readonly string[] {
  return type === undefined ? [] : typeof type === "string" ? [type] : type;
}

function withoutReference({ $ref: _, ...rest }: Schema): Schema {
  return rest;
}

/** One schema for all parts of `allOf`. A part may say more of a property that another has. */
function merge(parts: readonly Schema[]): Schema {
  const properties: Record<string, Schema> = {};
  for (const [name, schema] of parts.flatMap((part) => Object.entries(part.properties ?? {}))) {
    properties[name] = { ...properties[name], ...schema };
  }
  const required = parts.flatMap((part) => part.required ?? []);
  return {
    ...Object.assign({}, ...parts),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}
