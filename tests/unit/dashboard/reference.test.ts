import { spawnSync } from "node:child_process";
import { walkTokens } from "marked";
import { transformWithOxc } from "vite";
import { describe, expect, test } from "vitest";
import { guideTokens } from "../../../dashboard/build/guides.ts";
import { exampleOf, examplesOf, requestExampleOf } from "../../../dashboard/src/reference/example.ts";
import { resolveLink, slugOf } from "../../../dashboard/src/reference/guide-links.ts";
import { guides } from "../../../dashboard/src/reference/guides.generated.ts";
import { openApiDocument, type Schema } from "../../../dashboard/src/reference/openapi.ts";
import { findOperation, groups, type Operation } from "../../../dashboard/src/reference/operations.ts";
import { problems } from "../../../dashboard/src/reference/problems.ts";
import { isChange, requestOf, sampleForm } from "../../../dashboard/src/reference/request-form.ts";
import { samplesOf } from "../../../dashboard/src/reference/samples.ts";
import {
  boundsOf,
  fieldsOf,
  type PlainSchema,
  plain,
  typeLabel,
  valuesOf,
} from "../../../dashboard/src/reference/schema.ts";
import { searchReference } from "../../../dashboard/src/reference/search.ts";
import { topics } from "../../../dashboard/src/reference/topics.ts";
import { pages } from "../../../functions/openapi/pages.generated.ts";
import { problemNames, problemStatus, problemTitle, problemType } from "../../../shared/http/problems.ts";

const baseUrl = "https://api.example.org/functions/v1";
const operations = groups.flatMap((group) => group.operations);
const requests = operations
  .filter(({ method }) => method !== "EVENT")
  .map((operation) => [operation.id, operation] as const);
const named = (id: string) => findOperation(id) as Operation;

test("each operation and event of the document is there once", () => {
  const described = [...Object.values(openApiDocument.paths), ...Object.values(openApiDocument.webhooks)];
  expect(operations).toHaveLength(described.flatMap((item) => Object.values(item)).length);
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  for (const { id } of operations) expect(named(id).id).toBe(id);
});

describe("a schema in words", () => {
  test.each<[Schema, string]>([
    [{ type: "string" }, "string"],
    [{ type: ["number", "null"] }, "number or null"],
    [{ anyOf: [{ type: "string", format: "date" }, { type: "null" }] }, "date or null"],
    [
      {
        anyOf: [
          { type: "string", format: "date" },
          { type: "string", format: "date-time" },
        ],
      },
      "date or date and time",
    ],
    [{ type: "array", items: { type: "string" } }, "array of string"],
    [{ $ref: "#/components/schemas/Grant" }, "Grant"],
    [{ type: "array", items: { $ref: "#/components/schemas/Grant" } }, "array of Grant"],
    [{ type: "object", additionalProperties: { type: "string" } }, "map of string"],
    [
      { oneOf: [{ $ref: "#/components/schemas/FoundGrant" }, { $ref: "#/components/schemas/FoundContract" }] },
      "FoundGrant or FoundContract",
    ],
    // Its alternatives only require other members.
    [{ $ref: "#/components/schemas/SemanticSearchRequest" }, "SemanticSearchRequest"],
  ])("%j is %s", (schema, expected) => expect(typeLabel(plain(schema))).toBe(expected));

  test.each<[Schema, string[]]>([
    [{ type: "integer", minimum: 0, maximum: 9_007_199_254_740_991 }, ["at least 0"]],
    [{ type: "number", minimum: 0, maximum: 1 }, ["0 to 1"]],
    [{ type: "string", minLength: 1, maxLength: 4000 }, ["1 to 4,000 characters"]],
    [{ type: "array", maxItems: 1 }, ["at most 1 item"]],
    [{ type: "string" }, []],
  ])("the bounds of %j are %j", (schema, expected) => expect(boundsOf(plain(schema))).toEqual(expected));

  test("the parts of allOf are one object, and a later part says more of a property", () => {
    const schema = plain({
      allOf: [
        { properties: { a: { type: "string" }, b: { type: "string", description: "B." } }, required: ["a"] },
        { properties: { b: { enum: ["x"] } }, required: ["b"] },
      ],
    });
    expect(schema.properties).toEqual({ a: { type: "string" }, b: { type: "string", description: "B.", enum: ["x"] } });
    expect(schema.required).toEqual(["a", "b"]);
  });

  test("the description beside a reference is the one that is shown", () => {
    const schema = plain({ $ref: "#/components/schemas/Grant", description: "The first one." });
    expect([schema.name, schema.description]).toEqual(["Grant", "The first one."]);
  });

  test("no schema of the document is without a type, bounds or values that can be shown", () => {
    const seen = new Set<Schema>();
    const visit = (schema: Schema) => {
      if (seen.has(schema)) return;
      seen.add(schema);
      const one = plain(schema);
      expect(typeLabel(one)).not.toMatch(/undefined|\[object/);
      boundsOf(one);
      valuesOf(one);
      visitFields(fieldsOf(one));
    };
    const visitFields = (schema: PlainSchema | undefined) => {
      for (const each of Object.values(schema?.properties ?? {})) visit(each);
      for (const choice of schema?.choices ?? []) visitFields(fieldsOf(choice));
    };
    for (const { parameters, body, answers } of operations) {
      for (const { schema } of parameters) visit(schema);
      if (body !== undefined) visit(body.media.schema);
      for (const { content = {} } of answers) for (const { schema } of Object.values(content)) visit(schema);
    }
    expect(seen.size).toBeGreaterThan(200);
  });
});

describe("examples", () => {
  test("are the document's where it has some", () => {
    const media = named("semanticSearch").body?.media;
    expect(media && examplesOf(media).map(({ name }) => name)).toEqual(["grants", "both"]);
  });

  test.each(operations.flatMap(({ id, body }) => (body === undefined ? [] : [[id, body.media] as const])))(
    "of the body of %s have all that is required",
    (_, media) => {
      expect(Object.keys(requestExampleOf(media) as object)).toEqual(
        expect.arrayContaining([...(plain(media.schema).required ?? [])]),
      );
    },
  );

  test("end, also where a schema contains itself", () => {
    const schema: Schema = { type: "object", properties: {} };
    Object.assign(schema.properties as object, { child: schema, label: { type: "string" } });
    expect(exampleOf(schema)).toMatchObject({ label: "text", child: { label: "text" } });
  });
});

describe("samples", () => {
  test.each(requests)("in curl is a command that bash can read: %s", (_, operation) => {
    const { curl } = samplesOf(operation, baseUrl);
    const address = /'(https:[^']+)'/.exec(curl)?.[1] ?? "";
    expect(new URL(address).pathname).not.toMatch(/[{}]|undefined/);
    expect(spawnSync("bash", ["-n"], { input: curl }).status).toBe(0);
  });

  test.each(requests)("in TypeScript can be read: %s", async (_, operation) => {
    const { typescript } = samplesOf(operation, baseUrl);
    expect(typescript).not.toContain("undefined");
    await transformWithOxc(typescript, "sample.ts");
  });

  test("in Python can be compiled", () => {
    const samples = requests.map(([, operation]) => samplesOf(operation, baseUrl).python);
    const program = "import json, sys\nfor sample in json.load(sys.stdin): compile(sample, 'sample', 'exec')";
    const { status, stderr } = spawnSync("python3", ["-c", program], {
      input: JSON.stringify(samples),
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  test("the clients' calls are the clients', and all else goes without them", () => {
    const { typescript: list, python } = samplesOf(named("listGrants"), baseUrl);
    expect(list).toContain('client.grants.list({ search: "summer meals", limit: 5 })');
    expect(python).toContain('client.grants.list(search="summer meals", limit=5).page()');
    expect(samplesOf(named("getLiveness"), baseUrl).typescript).toContain(`fetch("${baseUrl}/health")`);
  });

  test("name the token that the operation needs, and no more", () => {
    for (const [, operation] of requests) {
      const { curl } = samplesOf(operation, baseUrl);
      const variables = { apiKey: ["$FUNDING_API_KEY"], signIn: ["$ACCESS_TOKEN"] };
      expect(curl.match(/\$[A-Z_]+/g) ?? []).toEqual(operation.security ? variables[operation.security] : []);
    }
  });
});

describe("the search", () => {
  const found = (text: string) => searchReference(text).map(({ name, kind, href }) => [name, kind, href]);

  test("finds nothing for no words, and nothing that lacks one", () => {
    expect(found("  ")).toEqual([]);
    expect(found("rotate zeppelin")).toEqual([]);
  });

  test.each([
    ["Retry-After", ["Retry-After", "header of answers", "/reference/headers#Retry-After"]],
    ["retry after", ["Retry-After", "header of answers", "/reference/headers#Retry-After"]],
    ["idempotency", ["Idempotency-Key", "header of requests", "/reference/headers#request.Idempotency-Key"]],
    ["quota_exceeded", ["quota-exceeded", "error 429", "/reference/errors#quota-exceeded"]],
    ["set_aside", ["set_aside", "parameter of List contracts", "/reference/listContracts#set_aside"]],
    ["/mcp", ["MCP server", "page", "/reference/mcp"]],
    ["search_grants", ["search_grants", "tool of /mcp", "/reference/mcp#search_grants"]],
    ["listGrants", ["List grants", "GET /grants-api", "/reference/listGrants"]],
    ["rotate key", ["Replace a key", "POST /account-api/keys/{id}/rotate", "/reference/rotateKey"]],
    [
      "updated_fields create",
      ["updated_fields", "field of the body: Create a webhook", "/reference/createWebhook#body.updated_fields"],
    ],
    ["listing_url", ["listing_url", "field of Grant", "/reference/listGrants#answer.results.listing_url"]],
    [
      "statistics of a funder",
      ["Statistics of a funder", "guide: The API", "/reference/guide-api#statistics-of-a-funder"],
    ],
    ["members guide", ["Members", "guide", "/reference/guide-members"]],
  ])("leads from %j to its place", (text, place) => {
    expect(found(text)[0]).toEqual(place);
  });

  test("finds every problem of the registry and every header", () => {
    expect(problems.map(({ type, status, title }) => [type, status, title])).toEqual(
      problemNames.map((name) => [problemType(name), String(problemStatus(name)), problemTitle(name)]),
    );
    for (const name of Object.keys(openApiDocument.components.headers ?? {})) expect(found(name)[0]?.[0]).toBe(name);
  });

  test("no page about all operations hides an operation", () => {
    expect(topics.filter(({ id }) => findOperation(id) !== undefined)).toEqual([]);
  });
});

describe("the form of an operation", () => {
  test.each(requests)("sends as it opens what the sample sends: %s", (_, operation) => {
    const { url, body } = requestOf(operation, sampleForm(operation), baseUrl);
    const { curl } = samplesOf(operation, baseUrl);
    expect(curl).toContain(`'${url}'`);
    if (typeof body === "string") {
      const given = /-d '([\s\S]*?)' \\\n/.exec(curl)?.[1]?.replaceAll("'\\''", "'") ?? "";
      expect(JSON.parse(body)).toEqual(JSON.parse(given));
    }
  });

  test("leaves empty parameters out, and sends headers as headers", () => {
    const values = { id: "a/b", "If-None-Match": 'W/"1"', fields: " ", expand: "details" };
    expect(requestOf(named("getGrant"), { values, body: "" }, baseUrl)).toEqual({
      method: "GET",
      url: `${baseUrl}/grants-api/a%2Fb?expand=details`,
      headers: { "If-None-Match": 'W/"1"' },
    });
  });

  test("says of those that change something that they do, and of no others", () => {
    const changing = requests.filter(([, operation]) => isChange(operation)).map(([id]) => id);
    expect(changing).toEqual(expect.arrayContaining(["createKey", "updateKey", "deleteWebhook", "unsubscribeDigest"]));
    for (const id of [
      "listGrants",
      "searchGrants",
      "semanticSearch",
      "multiSearch",
      "previewWebhook",
      "searchOpportunities",
    ])
      expect(changing).not.toContain(id);
  });
});

describe("the guides", () => {
  const tokensOf = new Map(pages.map(({ name, text }) => [name, guideTokens(text)]));
  const anchors = new Set(
    [...tokensOf].flatMap(([name, tokens]) => [
      `/reference/guide-${name}`,
      ...tokens.flatMap((token) =>
        token.type === "heading" ? [`/reference/guide-${name}#${slugOf(String(token.text))}`] : [],
      ),
    ]),
  );

  test("lead, by every link and by the search, to a heading that is there", () => {
    const links: string[] = [];
    for (const [name, tokens] of tokensOf) {
      walkTokens(tokens, (token) => {
        if (token.type !== "link" || token.href.startsWith("https:")) return;
        links.push(token.href.startsWith("#") ? `/reference/guide-${name}${token.href}` : resolveLink(token.href));
      });
    }
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((link) => !anchors.has(link))).toEqual([]);
    const found = guides.flatMap(({ headings }) => headings.flatMap((heading) => searchReference(heading)));
    const places = found.map(({ href }) => href).filter((href) => href.startsWith("/reference/guide-"));
    expect(places.filter((href) => !anchors.has(href))).toEqual([]);
    expect(resolveLink("saved-searches.md#feed")).toBe("/reference/guide-saved-searches#feed");
  });
});
