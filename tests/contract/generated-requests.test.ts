import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { writeCursor } from "../../shared/validation/list.ts";
import type { Person } from "../support/people.ts";
import { runs } from "../support/properties.ts";
import { allowedBy, hostile, type RequestSchema, written } from "./arbitrary.ts";
import { needs } from "./needs.ts";
import { at, type Operation, openApiDocument } from "./openapi-document.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  /** Of a list: whether each value is a parameter of its own. Else commas separate them. */
  explode?: boolean;
  schema: RequestSchema;
}

const operations = Object.entries(openApiDocument.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
    what: `${method.toUpperCase()} ${path}`,
    path,
    method: method.toUpperCase(),
    isAccount: path.startsWith("/account-api"),
    parameters: (operation.parameters ?? []).map((one) =>
      one.$ref === undefined ? one : at(one.$ref.slice(1)),
    ) as Parameter[],
    body: bodyOf(operation),
  })),
);

function bodyOf({ requestBody }: Operation): RequestSchema | undefined {
  const content = requestBody as { content: Record<string, { schema: RequestSchema & { $ref?: string } }> } | undefined;
  const schema = content?.content["application/json"]?.schema;
  const body = schema?.$ref === undefined ? schema : (at(schema.$ref.slice(1)) as RequestSchema);
  if (body?.properties === undefined || !("count_only" in body.properties)) return body;
  // Of a list: ids go with few other parameters, and a cursor is an answer's.
  const { ids: _, cursor: __, ...properties } = body.properties;
  return { ...body, properties };
}

/** A cursor as an answer might have it: a document cannot tell it from other text. */
const aCursor = fc
  .record({
    order: fc.constantFrom("asc", "desc"),
    at: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2999-01-01") }),
    id: fc.uuid(),
  })
  .map(({ order, at, id }) =>
    writeCursor({ sort_by: "created_at", order: order as "asc" | "desc", key: at.toISOString(), id }),
  );

/** Requests that the document allows, or similar ones with values that it may not allow. */
function requestOf(operation: (typeof operations)[number], value: (schema: RequestSchema) => fc.Arbitrary<unknown>) {
  const valuesIn = (place: string, arbitrary = value) => {
    // Ids go with few others: they are asked for by tests of their own.
    const of = operation.parameters.filter((one) => one.in === place && one.name !== "ids");
    const known = (name: string, { pattern }: RequestSchema) =>
      name === "cursor" && pattern === undefined && arbitrary === allowedBy ? aCursor : undefined;
    return fc.record(
      Object.fromEntries(of.map(({ name, schema }) => [name, known(name, schema) ?? arbitrary(schema)])),
      {
        requiredKeys: of.filter(({ required }) => required).map(({ name }) => name),
      },
    );
  };
  return fc
    .record({
      path: valuesIn("path"),
      query: valuesIn("query"),
      header: valuesIn("header", headerValue),
      body: operation.body === undefined ? fc.constant(undefined) : value(operation.body),
    })
    .map(({ path, query, header, body }) => ({
      path:
        operation.path.replace(/\{(\w+)\}/g, (_, name) => encoded(path[name])) + queryText(operation.parameters, query),
      init: {
        method: operation.method,
        headers: {
          ...Object.fromEntries(Object.entries(header as Record<string, string>).filter(([, value]) => value !== "")),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      } satisfies RequestInit,
    }));
}

/** Value of a header, without those that HTTP itself cannot carry. Empty, for none, mostly where it names an account: nobody is in one by chance. */
function headerValue(schema: RequestSchema): fc.Arbitrary<unknown> {
  if (schema.format === "uuid") {
    return fc.oneof({ weight: 9, arbitrary: fc.constant("") }, { weight: 1, arbitrary: allowedBy(schema) });
  }
  return schema.pattern === undefined ? fc.constant('"tag"') : allowedBy(schema);
}

function encoded(value: unknown): string {
  const segment = encodeURIComponent(written(value).toWellFormed());
  // One or two dots, also as %2E, would be taken out of the path, and an empty segment would be the list.
  return /^\.{0,2}$/.test(segment) ? "-" : segment;
}

function queryText(parameters: readonly Parameter[], query: Record<string, unknown>): string {
  const repeated = new Set(parameters.filter(({ explode }) => explode).map(({ name }) => name));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) && repeated.has(name) ? value : [value]).map(
      (one) => `${name}=${encodeURIComponent(written(one).toWellFormed())}`,
    ),
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** Sends it as whoever may: the holder of a key, or for the account API somebody who signed in. */
async function send(path: string, init: RequestInit & { headers: Record<string, string> }, person: Person | undefined) {
  if (person === undefined) return target.send(path, init);
  const headers = { ...init.headers, authorization: `Bearer ${await person.token()}` };
  return target.send(path, { ...init, headers }, "nobody");
}

/**
 * Conflicts between parameters that are each valid alone, the size of CommonGrants' pages, for which its document has no limit, and query strings,
 * names of time zones and of tiers, and e-mail addresses, which are text to the document.
 */
const together =
  /must be an integer from 1 to 100$|is required when|must not be after to|at most \d+ days|must be in the future|must be a URL|must be an e-mail address|last 14 days|an answer had in next|belongs to a list with|of the previous page, unchanged$|cannot be combined with (?:format=csv|query$|ids|a sort_by of several)|has \w+ twice|must be the id of a grant|needs a ranked list|needs registry: |needs (?:search|query), (?:whose words it shows|whose words they have|which it says where)|must be records with|must be a page of the document|is required, unless|must be keyword with similar_to|is not a parameter of this endpoint|must be percent-encoded|must not be empty; leave|must be given once|a search is its dataset and query|(?:is required|must be null) for a (?:weekly|daily) digest|time zone|address range|the range that|must be a tier that is for sale/;

describe.each(operations)("$what, asked as the OpenAPI document allows", (operation) => {
  const canRun = !operation.isAccount || needs("signIn");
  let person: Person | undefined;
  beforeAll(async () => {
    if (!operation.isAccount || !canRun) return;
    person = await target.people()?.newPerson();
    if (person === undefined) throw new Error("nobody can be signed in");
  });

  test("answers, unless parameters do not go together", async () => {
    await fc.assert(
      fc.asyncProperty(requestOf(operation, allowedBy), async ({ path, init }) => {
        const response = await send(path, init, person);
        expect([200, 201, 304, 400, 404, 409]).toContain(response.status);
        if (response.status !== 400) return;
        const { errors } = (await response.json()) as { errors: { message: string }[] };
        for (const { message } of errors) expect(message).toMatch(together);
      }),
      { numRuns: runs(100) },
    );
  });

  test("never fails on our side, whatever the values are", async () => {
    // Few of the values, since the first wrong one may be all that is looked at.
    const value = (schema: RequestSchema) =>
      fc.oneof({ weight: 9, arbitrary: allowedBy(schema) }, { weight: 1, arbitrary: hostile });
    await fc.assert(
      fc.asyncProperty(requestOf(operation, value), async ({ path, init }) => {
        expect((await send(path, init, person)).status).toBeLessThan(500);
      }),
      { numRuns: runs(150) },
    );
  });
});
