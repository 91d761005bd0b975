import { readFileSync } from "node:fs";
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { parse } from "yaml";
import { flat, type OpenApi, type Schema, timeOfDay } from "./schema.ts";

/** The protocol's OpenAPI document, version 0.4.0, as its makers publish it. */
export const published = parse(
  readFileSync(new URL("../../fixtures/common-grants/openapi-0.4.0.yaml", import.meta.url), "utf8"),
) as OpenApi;

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addFormat("time", timeOfDay);
ajv.addSchema({
  $id: "https://common-grants.invalid/",
  $defs: Object.fromEntries(
    Object.entries(published.components.schemas).map(([name, schema]) => [name, closed(schema)]),
  ),
});

/** The schema for the values themselves: an object has no members but those that it lists, also where `allOf` lists them. */
function closed(schema: Schema): Schema {
  if (schema.$ref !== undefined && Object.keys(schema).length === 1) {
    return { $ref: schema.$ref.replace("#/components/schemas/", "https://common-grants.invalid/#/$defs/") };
  }
  const { properties, items, additionalProperties, anyOf, ...rest } = flat(published, schema);
  const isAny = rest.type === undefined;
  return {
    ...rest,
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(closed) }),
    ...(items === undefined ? {} : { items: closed(items) }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, closed(one)])) }),
    ...(isAny || properties === undefined ? {} : { additionalProperties: false }),
    ...(typeof additionalProperties === "object" ? { additionalProperties: closed(additionalProperties) } : {}),
  };
}

/** Path to the first null in a value, if there is one. */
export function pathOfNull(value: unknown): string | undefined {
  if (value === null) return "";
  if (typeof value !== "object") return undefined;
  for (const [name, member] of Object.entries(value)) {
    const path = pathOfNull(member);
    if (path !== undefined) return `${name}.${path}`;
  }
  return undefined;
}

const validators = new Map<string, ValidateFunction>();

function expectValid(name: string, schema: Schema, value: unknown, what: string): void {
  const validate = validators.get(name) ?? ajv.compile(closed(schema));
  validators.set(name, validate);
  if (!validate(value)) {
    const found = ajv.errorsText(validate.errors, { separator: "; " }).slice(0, 2_000);
    throw new Error(`${what} differs from the protocol: ${found}`);
  }
}

/** @throws {Error} unless the value is an opportunity of the protocol, without further members. */
export function expectOpportunity(value: unknown): void {
  expectValid("opportunity", { $ref: "#/components/schemas/CommonGrants.Models.OpportunityBase" }, value, "it");
}

/** @throws {Error} unless the value is an award of the protocol, without further members. */
export function expectAward(value: unknown): void {
  expectValid("award", { $ref: "#/components/schemas/CommonGrants.Models.AwardBase" }, value, "it");
}

/** @throws {Error} unless the value is an organization of the protocol, without further members. */
export function expectOrganization(value: unknown): void {
  expectValid("organization", { $ref: "#/components/schemas/CommonGrants.Models.OrganizationBase" }, value, "it");
}

/**
 * Holds an answer to the protocol's document: its content type, and its body without further members. A failure that the document does not
 * list is the protocol's error.
 *
 * @param path after `/functions/v1`.
 * @throws {Error} naming the differences.
 */
export async function expectToMatchProtocol(method: string, path: string, response: Response): Promise<void> {
  const { status } = response;
  if (method === "HEAD" || status === 204 || status === 304) return;
  const what = `${method} ${path.slice(0, 100)} -> ${status}`;
  const type = response.headers.get("content-type")?.split(";")[0];
  if (type !== "application/json") throw new Error(`${what}: ${type} is not application/json`);
  const [pathname = ""] = path.split("?");
  const route = Object.keys(published.paths).find((candidate) =>
    new RegExp(`^${candidate.replace(/\{\w+\}/g, "[^/]+")}$`).test(pathname),
  );
  const answer = published.paths[route ?? ""]?.[method.toLowerCase()]?.responses[status];
  const listed = answer?.content?.["application/json"]?.schema;
  if (listed === undefined && status < 400) throw new Error(`${what}: the protocol has no such answer`);
  const schema = listed ?? { $ref: "#/components/schemas/CommonGrants.Responses.Error" };
  const body: unknown = await response.clone().json();
  expectValid(listed === undefined ? "error" : `${method} ${route} ${status}`, schema, body, what);
  const nullAt = pathOfNull(body);
  if (nullAt !== undefined) throw new Error(`${what}: ${nullAt} is null`);
  if ((body as { status: number }).status !== status) throw new Error(`${what}: the body has another status`);
}
