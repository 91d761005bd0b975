import { expect, test } from "vitest";
import * as z from "zod";
import server from "../../../functions/mcp/server.json" with { type: "json" };
import manifest from "../../../package.json" with { type: "json" };

const short = z.string().min(1).max(100);
const value = z.strictObject({
  description: short,
  isRequired: z.boolean(),
  isSecret: z.boolean().optional(),
  placeholder: short,
});

/** The registry's schema of a server (modelcontextprotocol.io/registry), as far as a remote one has a use for it, and closed. */
const schema = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z
    .string()
    .min(3)
    .max(200)
    // A domain backwards, and one slash.
    .regex(/^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+\/[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$/),
  title: short,
  description: short,
  // An exact one: the registry refuses ranges.
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  remotes: z
    .array(
      z.strictObject({
        type: z.literal("streamable-http"),
        url: z.string().regex(/^https:\/\/[^/]+\/functions\/v1\/mcp$/),
        variables: z.record(z.string(), value),
        headers: z.array(
          z.strictObject({
            name: z.string().regex(/^[A-Za-z-]+$/),
            description: short,
            value: z.string(),
            isRequired: z.boolean(),
            isSecret: z.boolean(),
            variables: z.record(z.string(), value),
          }),
        ),
      }),
    )
    .min(1),
});

test("the registry of MCP takes server.json, and its version is that of the release", () => {
  expect(schema.safeParse(server).error).toBeUndefined();
  expect(server.version).toBe(manifest.version);
});

const variablesIn = (template: string) => [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);

test("the address and the header have the variables that are declared, and no others", () => {
  for (const { url, variables, headers } of server.remotes) {
    expect(variablesIn(url)).toEqual(Object.keys(variables));
    const filled = url.replaceAll(/\{[^{}]+\}/g, "api.example.com");
    expect(URL.canParse(filled)).toBe(true);
    for (const header of headers) expect(variablesIn(header.value)).toEqual(Object.keys(header.variables));
  }
});

test("the key is asked for as a secret that is required", () => {
  for (const { headers } of server.remotes) {
    const [authorization] = headers;
    expect(authorization).toMatchObject({ name: "Authorization", isRequired: true, isSecret: true });
    expect(authorization?.variables.api_key).toMatchObject({ isRequired: true, isSecret: true });
  }
});
