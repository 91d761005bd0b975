import { expect, test } from "vitest";
import {
  type DetailedFunder,
  organizationParameters,
  toOrganization,
} from "../../../functions/common-grants/organization.ts";
import { funderDetailsExample, funderExample } from "../../../openapi/examples.ts";
import { expectOrganization } from "../../support/common-grants/published.ts";

function organizationOf(funder: Partial<DetailedFunder>, details: Partial<DetailedFunder["details"]> = {}) {
  const organization = toOrganization({
    ...funderExample,
    ...funder,
    details: { ...funderDetailsExample, ...details },
  });
  expectOrganization(organization);
  return organization;
}

test("an organization has no field without a value", () => {
  expect(Object.keys(organizationOf({ website: null, summary: null }))).toEqual(["id", "name", "customFields"]);
  expect(Object.keys(organizationOf({ website: null, summary: null }).customFields ?? {})).toEqual([
    "dataSource",
    "lastModifiedAt",
  ]);
  expect(organizationOf({ website: "ask the office" })).not.toHaveProperty("socials");
});

test("an organization has its website as a URI, and its EIN", () => {
  expect(organizationOf({ website: "https://a.example/two words|x" }).socials).toEqual({
    website: "https://a.example/two%20words%7Cx",
  });
  expect(organizationOf({}, { ein: "012345678" }).identifiers).toEqual({
    "org:us:ein": { registry: { code: "org:us:ein" }, id: "012345678" },
  });
});

test("a page far behind the last is asked for as one that the database takes", () => {
  expect(organizationParameters({ page: 2 ** 31 - 1, pageSize: 100 }).offset).toBe(1_000_000);
});
