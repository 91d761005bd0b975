import { beforeAll, describe, expect, test } from "vitest";
import type { Person } from "../support/people.ts";
import { readJson } from "./client.ts";
import { needs } from "./needs.ts";
import { at, type Operation, openApiDocument } from "./openapi-document.ts";
import { contractTarget } from "./target.ts";

/** Requests without each parameter and member that the OpenAPI document requires. */
const target = contractTarget();

interface Described {
  required?: string[];
  $ref?: string;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  $ref?: string;
}

function bodyOf({ requestBody }: Operation): Described {
  const content = requestBody as { content: Record<string, { schema: Described }> } | undefined;
  const schema = content?.content["application/json"]?.schema ?? {};
  return schema.$ref === undefined ? schema : (at(schema.$ref.slice(1)) as Described);
}

const cases = Object.entries(openApiDocument.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).flatMap(([method, operation]) => {
    const parameters = ((operation.parameters ?? []) as unknown as Parameter[]).map((one) =>
      one.$ref === undefined ? one : (at(one.$ref.slice(1)) as Parameter),
    );
    const inQuery = parameters.filter((one) => one.in === "query" && one.required === true).map(({ name }) => name);
    return [...inQuery, ...(bodyOf(operation).required ?? [])].map((name) => ({
      name,
      path,
      method: method.toUpperCase(),
    }));
  }),
);

test("there are requests with something that is required", () => {
  expect(cases.map(({ path, name }) => `${path} ${name}`)).toEqual(
    expect.arrayContaining([
      "/account-api/keys name",
      "/account-api/webhooks url",
      "/account-api/saved-searches query",
    ]),
  );
});

function missing({ path, method, name }: (typeof cases)[number], person?: () => Person | undefined) {
  return async () => {
    const authorization = person === undefined ? {} : { authorization: `Bearer ${await person()?.token()}` };
    const body = method === "GET" ? {} : { body: "{}" };
    const init = { method, ...body, headers: { "content-type": "application/json", ...authorization } };
    const asked = path.replace(/\{\w+\}/g, crypto.randomUUID());
    const response = await target.send(asked, init, person === undefined ? "developer" : "nobody");
    const { errors } = (await readJson(response, 400, path)) as { errors: { parameter: string; message: string }[] };
    const error = errors.find(({ parameter }) => parameter === name);
    expect(error?.message).toMatch(/^is required and must be \w+/);
  };
}

const ofAccounts = cases.filter(({ path }) => path.startsWith("/account-api"));

describe("a request without what it needs is told that it is required, and what it must be", () => {
  for (const one of cases.filter((each) => !ofAccounts.includes(each))) {
    test(`${one.method} ${one.path} without ${one.name}`, missing(one));
  }

  describe("of the account API", () => {
    const canRun = needs("signIn");
    let person: Person | undefined;
    beforeAll(async () => {
      if (canRun) person = await target.people()?.newPerson();
    });
    for (const one of ofAccounts) {
      test(
        `${one.method} ${one.path} without ${one.name}`,
        missing(one, () => person),
      );
    }
  });
});
