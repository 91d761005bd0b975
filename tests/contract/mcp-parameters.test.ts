import { beforeAll, describe, expect, test } from "vitest";
import { tools } from "../../functions/mcp/tools.ts";
import { contractList } from "../../shared/validation/opportunities.ts";
import { repeatedNames } from "../../shared/validation/query.ts";
import { apiClient } from "./client.ts";
import { mcpClient } from "./mcp-client.ts";
import { contractTarget } from "./target.ts";

/** Whatever a tool offers a model can be used through it: a walk through the tools' input schemas. */
const target = contractTarget();
const api = apiClient(target);
const mcp = mcpClient(target);

interface Schema {
  type?: string;
  description?: string;
  enum?: readonly string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
}

let ids: Record<string, string>;
beforeAll(async () => {
  const names = ["grants", "contracts", "funders"] as const;
  const first = async (name: (typeof names)[number]) =>
    (await api.list(`${name}-api`, { limit: 1 })).results[0]?.id ?? "";
  ids = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await first(name)])));
});

/** Examples that a description ends with. */
function examplesIn(description = ""): unknown[] {
  const [, text] = /For example: (.*)\.$/.exec(description) ?? [];
  return text === undefined ? [] : text.split(" or ").map((value) => JSON.parse(value) as unknown);
}

/** Values that a schema offers by name, at its ends, or as examples. */
function offered({ type, description, enum: named = [], items, minimum, maximum }: Schema): unknown[] {
  const values: unknown[] = [...examplesIn(description), ...named];
  if (type === "boolean") values.push(true, false);
  if (type === "integer" || type === "number") values.push(minimum, maximum);
  // Too many values are the same kind of value.
  values.push(...(items?.enum ?? []).slice(0, 12).map((item) => [item]));
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Parameters that a value requires: a ranking needs a search. */
function companions(tool: string, name: string, value: unknown): Record<string, unknown> {
  const ranks =
    (name === "search_mode" && value !== "keyword") || (name === "sort_by" && /relevance$/.test(String(value)));
  if ((name === "search_in" && value !== "records") || (name === "passages" && value === true))
    return { search: "community" };
  if (name === "highlight" && tool !== "semantic_search") return { search: "community" };
  if (name === "explain" && tool !== "semantic_search") return { search: "community", search_mode: "hybrid" };
  return ranks ? { search: "community" } : {};
}

/** The target has no documents: tests/service/documents-endpoint.test.ts tries the tool that reads one. */
const tried = tools.filter(({ name }) => name !== "get_document");

const calls = tried.flatMap(({ name: tool, input }) =>
  Object.entries(input.properties)
    // A cursor is an answer's, and ids are records': below.
    .filter(([name]) => !["cursor", "similar_to", "id"].includes(name))
    .flatMap(([name, schema]) => {
      const values = offered(schema);
      return values.length === 0 ? [{ tool, name, value: undefined }] : values.map((value) => ({ tool, name, value }));
    }),
);

/** The least that a tool must be given, beside what is tried. */
function required(tool: string, { type = "grants" }: { type?: unknown }): Record<string, unknown> {
  const { input } = tools.find((one) => one.name === tool) ?? {};
  const id = ids[String(type)];
  const known: Record<string, unknown> = {
    type: "grants",
    id,
    ids: [id],
    q: "com",
    query: "community health",
    search: "community",
  };
  const names = tool === "semantic_search" ? ["query"] : (input?.required ?? []);
  return Object.fromEntries(names.map((name) => [name, known[name]]));
}

describe("every parameter and value that a tool offers", () => {
  test.each(calls)("$tool with $name=$value gives an answer that a model can use", async ({ tool, name, value }) => {
    expect(value, "the schema offers no value that this test could try: give it an example").toBeDefined();
    const given = { [name]: value, ...companions(tool, name, value) };
    const { isError, text } = await mcp.call(tool, { ...required(tool, given), ...given });
    expect(isError, text).toBe(false);
    const answer = JSON.parse(text) as Record<string, unknown>;
    if (tool === "get_record") expect(answer.id).toBe(ids[String(given.type ?? "grants")]);
    else expect("results" in answer || "total" in answer, text).toBe(true);
  });

  test.each(["search_grants", "search_contracts", "search_funders", "list_changes"])(
    "%s takes the cursor that it gave",
    async (tool) => {
      const given = { ...required(tool, {}), limit: 2 };
      const first = await mcp.answer<{ results: { id: string }[]; pagination: { next: string } }>(tool, given);
      const second = await mcp.answer(tool, { ...given, cursor: first.pagination.next });
      expect(second.results).toHaveLength(2);
      expect(second.results.map(({ id }) => id)).not.toContain(first.results[0]?.id);
    },
  );

  test.each(["csv", "json"])("format=%s is refused in words: a tool answers JSON alone", async (format) => {
    for (const tool of ["search_grants", "search_contracts", "search_funders"]) {
      const { isError, text } = await mcp.call(tool, { format });
      expect(isError).toBe(true);
      expect(text).toBe("Invalid parameters: format is not a parameter of this tool, which always answers JSON");
    }
  });

  test.each([
    ["search_grants", "archived_as_ids", true, "; include_archived=true gives archived records as well"],
    ["search_funders", "ids", ["x"], "; get_records gives records by their ids"],
    ["list_changes", "sort_by", "title", ""],
    ["get_records", "search", "water", ""],
  ])(
    "%s refuses %s, which the API's list has, in words that name what to give instead",
    async (tool, name, value, hint) => {
      const { isError, text } = await mcp.call(tool, { ...required(tool, {}), [name]: value });
      expect([isError, text]).toEqual([true, `Invalid parameters: ${name} is not a parameter of this tool${hint}`]);
    },
  );
});

/** Arguments whose values may have commas. */
const names = repeatedNames(contractList.schema);

/** Ways in which models write a value that a schema offers. */
function spellings(value: unknown, schema: Schema, isOfNames: boolean): unknown[] {
  if (Array.isArray(value)) {
    const twice = [...value, ...value];
    const lists = [JSON.stringify(value), twice, JSON.stringify(twice)];
    // Names have commas.
    return isOfNames ? lists : [...lists, value.join(","), twice.join(", ")];
  }
  if (typeof value === "boolean") return [String(value), value ? "True" : "False", value ? "TRUE" : "FALSE", [value]];
  if (typeof value === "number") return [String(value), `${value}.0`, ` ${value}`, [value]];
  // A code of digits alone is a number to a model.
  return [
    [value],
    ...(typeof value === "string" && /^[1-9]\d*$/.test(value) && schema.type === "string" ? [Number(value)] : []),
  ];
}

/** Parts that are the same in two calls: all but their duration. */
function comparable(text: string): unknown {
  const { meta, ...answer } = JSON.parse(text) as { meta?: Record<string, unknown> };
  const { response_time_ms: _, ...rest } = meta ?? {};
  return { ...answer, meta: rest };
}

describe("a value that a tool offers, as models write it", () => {
  test.each(calls)("$tool with $name=$value", async ({ tool, name, value }) => {
    const { input } = tools.find((one) => one.name === tool) ?? {};
    const { properties = {} } = input ?? {};
    const others = (empty: unknown) => Object.fromEntries(Object.keys(properties).map((other) => [other, empty]));
    const given = { ...required(tool, { [name]: value }), ...companions(tool, name, value), [name]: value };
    const expected = comparable((await mcp.call(tool, given)).text);
    const written = [
      // All that a model has nothing to say of.
      ...[null, "", []].map((empty) => ({ ...others(empty), ...given })),
      ...spellings(value, properties[name] ?? {}, names.has(name)).map((spelling) => ({
        ...given,
        [name]: spelling,
      })),
    ];
    for (const one of written) {
      const { isError, text } = await mcp.call(tool, one);
      expect(isError, `${JSON.stringify(one)}: ${text}`).toBe(false);
      expect(comparable(text), JSON.stringify(one)).toEqual(expected);
    }
  });
});

const described = tools.flatMap(({ name: tool, input }) =>
  Object.entries(input.properties).map(([name, schema]) => ({
    tool,
    name,
    schema,
  })),
);

test.each(described)("what $tool says of $name is what its schema says", ({ schema: { description, items } }) => {
  expect(description.length).toBeGreaterThan(10);
  // A list is a list of JSON, and a tool answers no CSV.
  expect(description).not.toMatch(/comma|CSV|query string/i);
  const isUpperCase = items?.enum?.every((value) => value === value.toUpperCase());
  if (isUpperCase) expect(description).not.toContain("lower case");
});

const requirements = tools.flatMap(({ name: tool, input }) => (input.required ?? []).map((name) => ({ tool, name })));

test.each(requirements)(
  "$tool without its $name is told that it is required, and what it must be",
  async ({ tool, name }) => {
    const { [name]: _, ...given } = required(tool, {});
    const { isError, text } = await mcp.call(tool, given);
    expect(isError).toBe(true);
    expect(text).toMatch(new RegExp(`^Invalid parameters: ${name} is required and must be \\w+`));
  },
);

test.each(["get_record", "get_records", "list_changes", "list_record_changes"])(
  "a type that %s does not have is told what it must be",
  async (tool) => {
    const { isError, text } = await mcp.call(tool, { ...required(tool, {}), type: "people" });
    expect([isError, text]).toEqual([true, "Invalid parameters: type must be one of grants, contracts, funders"]);
  },
);
