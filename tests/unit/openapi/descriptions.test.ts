import { expect, test } from "vitest";
import * as z from "zod";
import openapi from "../../../functions/openapi/openapi.json" with { type: "json" };
import { type Detail, details } from "../../../shared/catalogue/details.ts";

interface Described {
  name?: string;
  description?: string;
  anyOf?: Described[];
}

const isDescribed = ({ description, anyOf = [] }: Described) =>
  [description, ...anyOf.map((one) => one.description)].some((text) => text !== undefined && text !== "");

test.each(["/grants-api", "/contracts-api", "/funders-api"] as const)(
  "each parameter of GET %s is described",
  (path) => {
    const parameters = openapi.paths[path].get.parameters as Described[];
    expect(parameters.filter((one) => one.name !== undefined && !isDescribed(one)).map(({ name }) => name)).toEqual([]);
  },
);

test("each detail is described", () => {
  const properties = Object.entries(
    openapi.components.schemas.OpportunityDetails.properties as Record<string, Described>,
  );
  expect(properties.length).toBeGreaterThan(10);
  expect(properties.filter(([, property]) => !isDescribed(property)).map(([name]) => name)).toEqual([]);
});

test("a detail that is an object has the members that imports read, and no others", () => {
  for (const [name, { schema, reads }] of Object.entries<Detail>(details)) {
    if (typeof reads === "string") continue;
    const { shape } = (schema instanceof z.ZodNullable ? schema.unwrap() : schema) as z.ZodObject;
    expect(Object.keys(reads), name).toEqual(Object.keys(shape));
  }
});
