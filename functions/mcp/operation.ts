import description from "../openapi/openapi.json" with { type: "json" };

/** A JSON Schema, with the keywords that are read here. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly string[];
}

/** A parameter of an operation's path or query, or a member of its body. */
export interface Argument {
  name: string;
  isRequired: boolean;
  isDeprecated: boolean;
  schema: JsonSchema;
}

/** An operation of the API, as its OpenAPI document declares it. */
export interface Operation {
  arguments: readonly Argument[];
  /** Schemas of the JSON that it answers: one of them. Those that another one covers are left out, which halves the size. */
  answers: readonly JsonSchema[];
}

interface Parameter {
  in: string;
  name: string;
  description?: string;
  required?: boolean;
  deprecated?: boolean;
  schema: JsonSchema;
}

interface Content {
  content: { "application/json": { schema: JsonSchema } };
}

interface Declared {
  parameters: readonly (Parameter | { $ref: string })[];
  requestBody?: Content;
  responses: { 200: Content };
}

const paths = description.paths as unknown as Record<string, Record<string, Declared | undefined> | undefined>;

/** Follows a reference within the document. */
function resolve(pointer: string): unknown {
  return pointer
    .slice("#/".length)
    .split("/")
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], description);
}

/** The schema itself where one is a reference. */
export function followed(schema: JsonSchema): JsonSchema {
  return schema.$ref === undefined ? schema : (resolve(schema.$ref) as JsonSchema);
}

const known = new Map<string, Operation>();

/** The operation of a method and path. @throws {Error} where the document has none. */
export function operationOf(method: string, path: string): Operation {
  const name = `${method} ${path}`;
  const operation = known.get(name) ?? readOperation(method, path);
  known.set(name, operation);
  return operation;
}

function readOperation(method: string, path: string): Operation {
  const declared = paths[path]?.[method];
  if (declared === undefined) throw new Error(`the OpenAPI document has no ${method} ${path}`);
  const { parameters, requestBody, responses } = declared;
  const answer = responses[200].content["application/json"].schema;
  return {
    arguments: [...parameters.flatMap(argumentOf), ...(requestBody === undefined ? [] : membersOf(requestBody))],
    answers: widest(answer.anyOf ?? [answer]),
  };
}

/** The argument that a parameter is; none of a header. */
function argumentOf(given: Parameter | { $ref: string }): Argument[] {
  const parameter = "$ref" in given ? (resolve(given.$ref) as Parameter) : given;
  const { name, required = false, deprecated = false, description: text = "", schema } = parameter;
  if (parameter.in === "header") return [];
  return [{ name, isRequired: required, isDeprecated: deprecated, schema: { ...schema, description: text } }];
}

function membersOf({ content }: Content): Argument[] {
  const { schema } = content["application/json"];
  const { properties = {}, required = [] } = followed(schema);
  return Object.entries(properties).map(([name, member]) => ({
    name,
    isRequired: required.includes(name),
    isDeprecated: false,
    schema: member,
  }));
}

function widest(answers: readonly JsonSchema[]): readonly JsonSchema[] {
  return answers.filter((one) => !answers.some((other) => other !== one && isWithin(one, other)));
}

/** Whether a schema is another one with more members required: the records of a list, and the same with the fields that were asked for. */
function isWithin(one: JsonSchema, other: JsonSchema): boolean {
  const { properties, items, required = [] } = followed(one);
  const wider = followed(other);
  if (items !== undefined && wider.items !== undefined) return isWithin(items, wider.items);
  if (properties === undefined || wider.properties === undefined) return isSame(followed(one), wider);
  return (
    (wider.required ?? []).every((name) => required.includes(name)) &&
    Object.entries(properties).every(([name, member]) => {
      const same = wider.properties?.[name];
      return same !== undefined && isWithin(member, same);
    })
  );
}

function isSame({ description: _, ...one }: JsonSchema, { description: __, ...other }: JsonSchema): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
