import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
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

/** Calls a target's tools with the developer's key. Call it at the top of a test file. */
export function mcpClient(target: Target) {
  let client: Client;
  beforeAll(async () => {
    client = await connectMcp(target, "developer");
  });
  afterAll(() => client?.close());

  /** The text that a tool answers with, which is JSON unless it failed. */
  async function call(name: string, given: object, by = client) {
    const { content, isError = false } = await by.callTool({ name, arguments: given as Record<string, unknown> });
    const [part] = content as { type: string; text: string }[];
    return { isError, text: part?.text ?? "" };
  }

  /** The JSON of a call that must not fail. */
  async function answer<Body = { results: { id: string; description?: string }[] }>(name: string, given: object) {
    const { isError, text } = await call(name, given);
    expect(isError, text).toBe(false);
    return JSON.parse(text) as Body;
  }

  return { call, answer, listTools: async () => (await client.listTools()).tools };
}
