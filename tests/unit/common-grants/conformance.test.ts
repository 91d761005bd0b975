import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../contract/openapi-document.ts";
import { differences } from "../../support/common-grants/compare.ts";
import { expectToMatchProtocol, published } from "../../support/common-grants/published.ts";
import type { OpenApi, Schema } from "../../support/common-grants/schema.ts";

const ours = openApiDocument as unknown as OpenApi;

test("our routes are those of the protocol, with its parameters, bodies and types", () => {
  expect(differences(published, ours)).toEqual([]);
});

test("our document is compared as a whole: it has the optional search, and the prefix is in the server", () => {
  expect(Object.keys(ours.paths).filter((path) => path.startsWith("/common-grants"))).toEqual([
    "/common-grants/opportunities",
    "/common-grants/opportunities/search",
    "/common-grants/opportunities/{oppId}",
    "/common-grants/awards",
    "/common-grants/awards/search",
    "/common-grants/awards/{awdId}",
    "/common-grants/orgs",
    "/common-grants/orgs/{orgId}",
  ]);
  expect(openApiDocument.servers.map(({ url }) => url)).toEqual(["/functions/v1"]);
});

describe("a document that differs is found out", () => {
  const changes: { difference: string; change(document: OpenApi): void; found: RegExp }[] = [
    {
      difference: "a type that may be null",
      change: ({ components }) =>
        Object.assign(schemaOf(components, "Opportunity").title ?? {}, { type: ["string", "null"] }),
      found: /items\[\]\.title: type/,
    },
    {
      difference: "another format",
      change: ({ components }) => Object.assign(schemaOf(components, "Opportunity").id ?? {}, { format: "uri" }),
      found: /items\[\]\.id: format/,
    },
    {
      difference: "a member that is not declared",
      change: ({ components }) => Object.assign(schemaOf(components, "Opportunity"), { more: { type: "string" } }),
      found: /items\[\]\.more: not declared/,
    },
    {
      difference: "a missing member that is required",
      change: ({ components }) => delete schemaOf(components, "Opportunity").lastModifiedAt,
      found: /items\[\]\.lastModifiedAt: missing/,
    },
    {
      difference: "a required member that is optional",
      change: ({ components }) => components.schemas.CommonGrantsOpportunity?.required?.pop(),
      found: /whether lastModifiedAt is required/,
    },
    {
      difference: "a further value",
      change: ({ components }) => schemaOf(components, "Opportunity").status?.properties?.value?.enum?.push("awarded"),
      found: /status\.value: enum/,
    },
    {
      difference: "an alternative that is missing",
      change: ({ components }) => components.schemas.CommonGrantsEvent?.anyOf?.pop(),
      found: /closeDate: 2 alternatives in place of 3/,
    },
    {
      difference: "alternatives in another order",
      change: ({ components }) => components.schemas.CommonGrantsEvent?.anyOf?.reverse(),
      found: /closeDate\|1/,
    },
    {
      difference: "one enum in place of alternatives, which says the same of each value",
      change: ({ paths }) => {
        const body = paths["/common-grants/opportunities/search"]?.post?.requestBody?.content?.["application/json"];
        const filter = body?.schema.properties?.filters?.properties?.customFilters?.additionalProperties;
        const { operator = {} } = (filter as Schema).properties ?? {};
        Object.assign(operator, operator.anyOf?.at(-1), { anyOf: undefined });
      },
      found: /customFilters\.\*\.operator: /,
    },
    {
      difference: "values of a map with another type",
      change: ({ components }) => Object.assign(schemaOf(components, "CustomField").name ?? {}, { type: "integer" }),
      found: /customFields\.\*\.name: type/,
    },
    {
      difference: "a failure in another format",
      change: ({ paths }) => {
        const responses = paths["/common-grants/opportunities"]?.get?.responses ?? {};
        responses["401"] = { content: { "application/problem+json": { schema: {} } } };
      },
      found: /401: application\/problem\+json/,
    },
    {
      difference: "a missing 404",
      change: ({ paths }) => delete paths["/common-grants/opportunities/{oppId}"]?.get?.responses["404"],
      found: /404: missing/,
    },
    {
      difference: "a parameter with a limit",
      change: ({ paths }) => {
        for (const one of paths["/common-grants/opportunities"]?.get?.parameters ?? []) {
          if ("schema" in one) Object.assign(one.schema, { maximum: 100 });
        }
      },
      found: /query parameter pageSize: maximum/,
    },
    {
      difference: "a parameter without its default",
      change: ({ paths }) => {
        for (const one of paths["/common-grants/opportunities"]?.get?.parameters ?? []) {
          if ("schema" in one) delete one.schema.default;
        }
      },
      found: /query parameter page: default/,
    },
    {
      difference: "a further parameter",
      change: ({ paths }) =>
        paths["/common-grants/opportunities"]?.get?.parameters?.push({ name: "sort", in: "query", schema: {} }),
      found: /query parameter sort: not declared/,
    },
    {
      difference: "a field of the body that is not taken",
      change: ({ paths }) => {
        const body = paths["/common-grants/opportunities/search"]?.post?.requestBody;
        delete body?.content?.["application/json"]?.schema?.properties?.search;
      },
      found: /body\.search: missing/,
    },
    {
      difference: "a path with the prefix in it",
      change: ({ paths }) =>
        Object.assign(paths, { "/common-grants/v1/opportunities": paths["/common-grants/opportunities"] }),
      found: /GET \/common-grants\/v1\/opportunities: not declared/,
    },
    {
      difference: "a missing route of organizations",
      change: ({ paths }) => delete paths["/common-grants/orgs"],
      found: /GET \/common-grants\/orgs: missing/,
    },
    {
      difference: "a missing search",
      change: ({ paths }) => delete paths["/common-grants/opportunities/search"],
      found: /POST \/common-grants\/opportunities\/search: missing/,
    },
  ];
  test.each(changes)("$difference", ({ change, found }) => {
    const changed = structuredClone(ours);
    change(changed);
    expect(differences(published, changed).join("\n")).toMatch(found);
  });
});

function schemaOf({ schemas }: OpenApi["components"], name: string) {
  return schemas[`CommonGrants${name}`]?.properties ?? {};
}

describe("an answer that differs is found out", () => {
  const opportunity = {
    id: "cb75c555-bd5f-891d-a251-07bba87727b9",
    title: "Lunch",
    status: { value: "open" },
    description: "",
    createdAt: "2026-06-11T08:00:00.000Z",
    lastModifiedAt: "2026-06-11T08:00:00.000Z",
  };
  const close = { name: "Close date", eventType: "singleDate", date: "2026-06-11" };
  const answer = (data: object, headers: Record<string, string> = { "content-type": "application/json" }) =>
    expectToMatchProtocol(
      "GET",
      `/common-grants/opportunities/${opportunity.id}`,
      new Response(JSON.stringify({ status: 200, message: "Success", data }), { headers }),
    );

  test("one that is as it should be is not", async () => {
    await answer({ ...opportunity, keyDates: { closeDate: { ...close, time: "17:00:00" } } });
  });

  test.each<{ difference: string; data: object }>([
    { difference: "null", data: { ...opportunity, source: null } },
    { difference: "a further member", data: { ...opportunity, more: 1 } },
    {
      difference: "a further member of an event",
      data: { ...opportunity, keyDates: { closeDate: { ...close, zone: "Z" } } },
    },
    { difference: "a missing member", data: { ...opportunity, title: undefined } },
    { difference: "an unknown status", data: { ...opportunity, status: { value: "posted" } } },
    {
      difference: "an amount that is a number",
      data: { ...opportunity, funding: { maxAwardAmount: { amount: 1, currency: "USD" } } },
    },
    { difference: "an address that is none", data: { ...opportunity, source: "www.grants.gov" } },
    {
      difference: "a time with a zone",
      data: { ...opportunity, keyDates: { closeDate: { ...close, time: "17:00:00Z" } } },
    },
    { difference: "a moment without a zone", data: { ...opportunity, createdAt: "2026-06-11T08:00:00" } },
  ])("$difference", async ({ data }) => {
    await expect(answer(data)).rejects.toThrow(/protocol|null/);
  });

  test("another content type", async () => {
    await expect(answer(opportunity, { "content-type": "application/problem+json" })).rejects.toThrow(
      /application\/json/,
    );
  });
});
