import { describe, expect, test } from "vitest";
import type { ArgumentSchema } from "../../../functions/mcp/input-schema.ts";
import server from "../../../functions/mcp/server.json" with { type: "json" };
import { tools } from "../../../functions/mcp/tools.ts";

/**
 * What the providers of models take as a tool, where clients pass our tools on as they are. The strictest of them counts:
 *
 * - OpenAI, function calling and structured outputs (platform.openai.com/docs/guides): names of 64 letters, digits, _ and -; descriptions of 1,024
 *   characters; 128 tools, and 20 that a model chooses well from; of a strict schema at first 100 properties, 5 levels and 500 values of enumerations;
 *   an object at the root; neither `default` nor `allOf`, `not`, `if`, `dependentRequired`.
 * - Anthropic, tool use: names of 64 letters, digits, _ and -; names of arguments of 64 letters, digits, _, . and -; no `oneOf`, `allOf` or `anyOf` at
 *   the root; no bounds beyond 2^53. Claude Code calls a tool `mcp__SERVER__TOOL`, and cuts its description after 2,048 characters.
 * - Gemini, FunctionDeclaration and Schema (ai.google.dev/api/caching#Schema): names that begin with a letter or _, of 63 characters in the first
 *   version; names of arguments without . and -; of JSON Schema the keywords of OpenAPI 3.0 alone (no `$ref`, `const`, `examples`, `oneOf`,
 *   `exclusiveMinimum`, and by its first version no `additionalProperties`); one `type`, not a list; enumerations of texts that are not empty; of a text's formats
 *   `enum` and `date-time` alone; nothing beside `anyOf`; an object has properties, and a list says what its items are.
 */
const keywords = ["type", "description", "enum", "pattern", "items", "minItems", "maxItems", "minimum", "maximum"];
const longest = { name: 63, argument: 64, description: 1_024 };
const most = { tools: 20, properties: 100, enumValues: 500 };
const serverName = server.name.replace(/^.*\//, "");

test("are few enough that a model chooses well", () => {
  expect(tools.length).toBeLessThanOrEqual(most.tools);
});

/** Every schema in one, from itself to its items. */
function within(schema: Partial<ArgumentSchema>): Partial<ArgumentSchema>[] {
  return schema.items === undefined ? [schema] : [schema, ...within(schema.items)];
}

describe.each(tools)("$name", ({ name, title, description, input }) => {
  const given = Object.entries(input.properties);
  const schemas = given.flatMap(([, schema]) => within(schema));

  test("has a name and a description that every provider takes", () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(name.length).toBeLessThanOrEqual(longest.name);
    expect(`mcp__${serverName}__${name}`.length).toBeLessThanOrEqual(64);
    expect(title.length).toBeGreaterThan(0);
    expect(description.length).toBeLessThanOrEqual(longest.description);
  });

  test("takes an object of arguments, without alternatives and references", () => {
    expect(Object.keys(input).sort()).toEqual(["properties", "required", "type"]);
    expect(input.type).toBe("object");
    expect(given.length).toBeGreaterThan(0);
    expect(given.length).toBeLessThanOrEqual(most.properties);
    expect(given.map(([argument]) => argument)).toEqual(expect.arrayContaining(input.required));
    for (const [argument, schema] of given) {
      expect(argument).toMatch(/^[a-z_][a-z0-9_]*$/);
      expect(argument.length).toBeLessThanOrEqual(longest.argument);
      expect(schema.description.length, argument).toBeLessThanOrEqual(longest.description);
    }
  });

  test("has arguments of the keywords that every provider knows", () => {
    for (const schema of schemas) {
      expect(keywords).toEqual(expect.arrayContaining(Object.keys(schema)));
      expect(["string", "integer", "number", "boolean", "array"]).toContain(schema.type);
      expect(schema.items !== undefined, JSON.stringify(schema)).toBe(schema.type === "array");
      // No lists of lists: with the root, three levels.
      expect(schema.items?.type).not.toBe("array");
      const { minimum = 0, maximum = 0 } = schema as { minimum?: number; maximum?: number };
      expect([minimum, maximum].filter((bound) => !Number.isSafeInteger(bound))).toEqual([]);
      // Engines of providers have no lookaround and no references back.
      expect((schema as { pattern?: string }).pattern ?? "").not.toMatch(/\(\?[=!<]|\\[1-9]/);
    }
  });

  test("has enumerations of texts, none of them empty, and not too many", () => {
    const values = schemas.flatMap((schema) => schema.enum ?? []);
    expect(values.length).toBeLessThanOrEqual(most.enumValues);
    expect(values.filter((value) => typeof value !== "string" || value === "")).toEqual([]);
    for (const schema of schemas) expect(new Set(schema.enum).size).toBe(schema.enum?.length ?? 0);
  });
});
