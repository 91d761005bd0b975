import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allowedBy, hostile, type RequestSchema, written } from "./arbitrary.ts";
import { at, description, type Operation } from "./description.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();

interface Parameter {
  name: string;
  in: string;
  schema: RequestSchema;
}

const operations = Object.entries(description.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
    what: `${method.toUpperCase()} ${path}`,
    path,
    method: method.toUpperCase(),
    parameters: (operation.parameters ?? []).map((one) =>
      one.$ref === undefined ? one : at(one.$ref.slice(1)),
    ) as Parameter[],
    body: bodyOf(operation),
  })),
);

function bodyOf({ requestBody }: Operation): RequestSchema | undefined {
  const content = requestBody as { content: Record<string, { schema: { $ref: string } }> } | undefined;
  const schema = content?.content["application/json"]?.schema;
  return schema === undefined ? undefined : (at(schema.$ref.slice(1)) as RequestSchema);
}

/** The requests that a description allows, or requests like them with values that it may not allow. */
function requestOf(operation: (typeof operations)[number], value: (schema: RequestSchema) => fc.Arbitrary<unknown>) {
  const valuesIn = (place: string, arbitrary = value) => {
    const of = operation.parameters.filter((one) => one.in === place);
    return fc.record(Object.fromEntries(of.map(({ name, schema }) => [name, arbitrary(schema)])), {
      requiredKeys: place === "path" ? of.map(({ name }) => name) : [],
    });
  };
  return fc
    .record({
      path: valuesIn("path"),
      query: valuesIn("query"),
      // What HTTP itself cannot carry is no matter of ours.
      header: valuesIn("header", (schema) => (schema.pattern === undefined ? fc.constant('"tag"') : allowedBy(schema))),
      body: operation.body === undefined ? fc.constant(undefined) : value(operation.body),
    })
    .map(({ path, query, header, body }) => ({
      path: operation.path.replace(/\{(\w+)\}/g, (_, name) => encoded(path[name])) + queryText(query),
      init: {
        method: operation.method,
        headers: {
          ...(header as Record<string, string>),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      } satisfies RequestInit,
    }));
}

function encoded(value: unknown): string {
  // A segment of dots would be taken out of the path, and an empty one would be the list.
  return encodeURIComponent(written(value).toWellFormed()).replaceAll(".", "%2E") || "-";
}

function queryText(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(written(value).toWellFormed())}`,
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

describe.each(operations)("$what, asked as the OpenAPI document allows", (operation) => {
  test("answers, unless one parameter needs another", async () => {
    await fc.assert(
      fc.asyncProperty(requestOf(operation, allowedBy), async ({ path, init }) => {
        const response = await target.send(path, init);
        expect([200, 304, 400, 404]).toContain(response.status);
        if (response.status !== 400) return;
        const { errors } = (await response.json()) as { errors: { message: string }[] };
        for (const { message } of errors) expect(message).toMatch(/^is required when/);
      }),
      { numRuns: 100 },
    );
  });

  test("never fails on our side, whatever the values are", async () => {
    // Few of the values, since the first wrong one may be all that is looked at.
    const value = (schema: RequestSchema) =>
      fc.oneof({ weight: 9, arbitrary: allowedBy(schema) }, { weight: 1, arbitrary: hostile });
    await fc.assert(
      fc.asyncProperty(requestOf(operation, value), async ({ path, init }) => {
        expect((await target.send(path, init)).status).toBeLessThan(500);
      }),
      { numRuns: 150 },
    );
  });
});
