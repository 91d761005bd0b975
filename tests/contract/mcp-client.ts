import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { afterAll, beforeAll, expect } from "vitest";
import type { Caller, Target } from "./target.ts";

/** The official client of a target's tools, as whoever calls. */
export async function connectMcp(target: Target, caller: Caller): Promise<Client> {
  const connected = new Client({ name: "contract-suite", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1/functions/v1/mcp"), {
    fetch: (_url, init) => target.send("/mcp", init, caller),
  });
  await connected.connect(transport);
  return connected;
}

/** The version of the protocol that has no handshake: each message has its envelope. */
export const versionWithoutHandshake = "2026-07-28";

/** Sends one message as a client of a version of the protocol does, after its handshake if the version has one. */
export function sendMcp(target: Target, version: string, method: string, params: Record<string, unknown>) {
  const isModern = version === versionWithoutHandshake;
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "contract-suite", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return target.send("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      ...(isModern ? { "mcp-method": method } : {}),
      ...(isModern && typeof params.name === "string" ? { "mcp-name": params.name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 7,
      method,
      params: isModern ? { _meta: envelope, ...params } : params,
    }),
  });
}

/** Result of a call, as a client receives it. */
export interface ToolResult {
  content: unknown;
  structuredContent?: unknown;
  isError?: boolean | undefined;
}

/**
 * Makes what holds a tool's results to what the protocol asks of them: data that satisfies the tool's output schema, and is the text's JSON; of an
 * error, text alone.
 */
export function resultHolder(tools: readonly { name: string; outputSchema?: object | undefined }[]) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  const validators = new Map(tools.map(({ name, outputSchema = false }) => [name, ajv.compile(outputSchema)]));
  return (name: string, { content, structuredContent, isError = false }: ToolResult) => {
    const [part] = content as { type: string; text: string }[];
    const text = part?.text ?? "";
    if (isError) {
      expect(structuredContent, `${name} failed, and has data: ${text}`).toBeUndefined();
      return { isError, text };
    }
    const validate = validators.get(name);
    expect(
      validate?.(structuredContent),
      `${name} answers what its schema does not have: ${ajv.errorsText(validate?.errors)}`,
    ).toBe(true);
    expect(structuredContent).toEqual(JSON.parse(text));
    return { isError, text };
  };
}

/** Calls a target's tools with the developer's key. Call it at the top of a test file. */
export function mcpClient(target: Target) {
  let client: Client;
  let hold: ReturnType<typeof resultHolder>;
  beforeAll(async () => {
    client = await connectMcp(target, "developer");
    hold = resultHolder((await client.listTools()).tools);
  });
  afterAll(() => client?.close());

  /** The text that a tool answers with, which is JSON unless it failed. */
  async function call(name: string, given: object, by = client) {
    return hold(name, await by.callTool({ name, arguments: given as Record<string, unknown> }));
  }

  /** The JSON of a call that must not fail. */
  async function answer<Body = { results: { id: string; description?: string }[] }>(name: string, given: object) {
    const { isError, text } = await call(name, given);
    expect(isError, text).toBe(false);
    return JSON.parse(text) as Body;
  }

  return { call, answer, listTools: async () => (await client.listTools()).tools };
}
