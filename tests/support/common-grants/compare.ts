import { flat, type OpenApi, type Operation, type Parameter, resolve, type Schema } from "./schema.ts";

/** The documents that are compared: the protocol's and ours. */
interface Documents {
  published: OpenApi;
  ours: OpenApi;
}

const prefix = "/common-grants/";
const errorSchema = { $ref: "#/components/schemas/CommonGrants.Responses.Error" };

/**
 * Compares our document with the protocol's, stricter than its makers' `cg check spec`: every route about opportunities and awards, and those that read organizations, the
 * optional ones included, with its parameters, bodies and statuses. In both, a schema has the same structure: the same keywords, and the same
 * alternatives in the same order.
 *
 * We may leave out what the protocol does not require of an answer, add failures in its own format, and 304. Members that a schema does not list are
 * open in the protocol, and refused in our requests.
 *
 * @returns the differences; empty where there are none.
 */
export function differences(published: OpenApi, ours: OpenApi): string[] {
  const documents = { published, ours };
  const found: string[] = [];
  for (const [path, item] of Object.entries(published.paths)) {
    if (!/^\/common-grants\/(?:opportunities|awards|orgs)/.test(path)) continue;
    for (const [method, operation] of Object.entries(item)) {
      if (isChangeOfOrganizations(method, path)) continue;
      const own = ours.paths[path]?.[method];
      const route = `${method.toUpperCase()} ${path}`;
      if (own === undefined) found.push(`${route}: missing`);
      else found.push(...ofOperation(documents, operation, own).map((difference) => `${route}: ${difference}`));
    }
  }
  for (const [path, item] of Object.entries(ours.paths)) {
    if (!path.startsWith(prefix)) continue;
    for (const method of Object.keys(item)) {
      if (published.paths[path]?.[method] === undefined) found.push(`${method.toUpperCase()} ${path}: not declared`);
    }
  }
  return found;
}

/** Whether a route changes organizations, or lists proposals of changes: nobody changes ours through the protocol. */
function isChangeOfOrganizations(method: string, path: string): boolean {
  return path.startsWith(`${prefix}orgs`) && (method !== "get" || path.includes("/changes"));
}

function ofOperation(documents: Documents, published: Operation, ours: Operation): string[] {
  return [
    ...ofParameters(documents, published, ours),
    ...ofRequest(documents, published, ours),
    ...ofResponses(documents, published, ours),
  ];
}

function ofParameters(documents: Documents, published: Operation, ours: Operation): string[] {
  const byName = (document: OpenApi, { parameters = [] }: Operation) =>
    new Map(
      parameters.map((given) => {
        const parameter = given.$ref === undefined ? (given as Parameter) : resolve<Parameter>(document, given.$ref);
        return [`${parameter.in} parameter ${parameter.name}`, parameter];
      }),
    );
  const [base, own] = [byName(documents.published, published), byName(documents.ours, ours)];
  return [
    ...[...own.keys()].filter((name) => !base.has(name)).map((name) => `${name}: not declared`),
    ...[...base].flatMap(([name, parameter]) => {
      const ownParameter = own.get(name);
      if (ownParameter === undefined) return [`${name}: missing`];
      const { required = false } = parameter;
      return [
        ...(required === (ownParameter.required ?? false) ? [] : [`${name}: required is not ${required}`]),
        ...ofSchemas(documents, parameter.schema, ownParameter.schema, name, "request"),
      ];
    }),
  ];
}

function ofRequest(documents: Documents, published: Operation, ours: Operation): string[] {
  const { requestBody: base } = published;
  const { requestBody: own } = ours;
  if (base === undefined || own === undefined) return base === own ? [] : ["body: only one of the two has one"];
  if (base.required !== own.required) return [`body: required is not ${base.required}`];
  return ofContents(documents, base.content, own.content, "body", "request");
}

function ofResponses(documents: Documents, published: Operation, ours: Operation): string[] {
  const missing = Object.keys(published.responses).filter((status) => ours.responses[status] === undefined);
  return [
    ...missing.map((status) => `${status}: missing`),
    ...Object.entries(ours.responses).flatMap(([status, given]) => {
      const own = given.$ref === undefined ? given : resolve<typeof given>(documents.ours, given.$ref);
      const base = published.responses[status];
      if (base !== undefined) return ofContents(documents, base.content, own.content, status, "answer");
      if (status === "304") return own.content === undefined ? [] : ["304: has a body"];
      if (!/^[45]/.test(status)) return [`${status}: not declared`];
      return ofContents(documents, { "application/json": { schema: errorSchema } }, own.content, status, "answer");
    }),
  ];
}

type Contents = Record<string, { schema: Schema }>;

function ofContents(
  documents: Documents,
  base: Contents = {},
  own: Contents = {},
  place: string,
  side: "request" | "answer",
): string[] {
  const [types, ownTypes] = [Object.keys(base), Object.keys(own)].map((names) => names.sort().join(", "));
  if (types !== ownTypes) return [`${place}: ${ownTypes} in place of ${types}`];
  return Object.entries(base).flatMap(([type, { schema }]) =>
    ofSchemas(documents, schema, own[type]?.schema ?? {}, place, side),
  );
}

/** Keywords that are compared by themselves below, or stand for what is. */
const structural = new Set(["properties", "required", "items", "additionalProperties", "anyOf", "enum", "type"]);

function ofSchemas(
  documents: Documents,
  published: Schema,
  ours: Schema,
  place: string,
  side: "request" | "answer",
): string[] {
  const base = flat(documents.published, published);
  const own = flat(documents.ours, ours);
  const found: string[] = [];
  const expectSame = (what: string, expected: unknown, given: unknown) => {
    if (JSON.stringify(expected) !== JSON.stringify(given)) {
      found.push(`${place}: ${what} is ${JSON.stringify(given)} in place of ${JSON.stringify(expected)}`);
    }
  };
  expectSame("type", base.type, own.type);
  expectSame("enum", base.enum?.toSorted(), own.enum?.toSorted());
  for (const keyword of new Set([...Object.keys(base), ...Object.keys(own)])) {
    if (!structural.has(keyword)) expectSame(keyword, base[keyword], own[keyword]);
  }
  if (base.anyOf !== undefined || own.anyOf !== undefined) {
    found.push(...ofAlternatives(documents, base.anyOf ?? [base], own.anyOf ?? [own], place, side));
    return found;
  }

  const { properties = {}, required = [] } = base;
  const { properties: ownProperties = {}, required: ownRequired = [] } = own;
  for (const [name, schema] of Object.entries(ownProperties)) {
    const baseSchema = properties[name];
    const member = `${place}.${name}`;
    if (baseSchema === undefined) found.push(`${member}: not declared`);
    else {
      expectSame(`whether ${name} is required`, required.includes(name), ownRequired.includes(name));
      found.push(...ofSchemas(documents, baseSchema, schema, member, side));
    }
  }
  for (const name of Object.keys(properties)) {
    const mayLack = side === "answer" && !required.includes(name);
    if (ownProperties[name] === undefined && !mayLack) found.push(`${place}.${name}: missing`);
  }
  if (base.items !== undefined || own.items !== undefined) {
    found.push(...ofSchemas(documents, base.items ?? {}, own.items ?? {}, `${place}[]`, side));
  }
  found.push(...ofOtherMembers(documents, base.additionalProperties, own.additionalProperties, place, side));
  return found;
}

function ofOtherMembers(
  documents: Documents,
  base: Schema | boolean | undefined,
  own: Schema | boolean | undefined,
  place: string,
  side: "request" | "answer",
): string[] {
  if (typeof base === "object" && typeof own === "object") {
    return ofSchemas(documents, base, own, `${place}.*`, side);
  }
  const isClosedRequest = base === undefined && own === false && side === "request";
  return base === own || isClosedRequest ? [] : [`${place}: other members differ`];
}

/** The alternatives of one are those of the other, in the same order: some readers look at the first alone. */
function ofAlternatives(
  documents: Documents,
  base: readonly Schema[],
  own: readonly Schema[],
  place: string,
  side: "request" | "answer",
): string[] {
  if (base.length !== own.length) return [`${place}: ${own.length} alternatives in place of ${base.length}`];
  return base.flatMap((one, index) => ofSchemas(documents, one, own[index] ?? {}, `${place}|${index + 1}`, side));
}
