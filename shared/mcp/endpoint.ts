import {
  createMcpHandler,
  fromJsonSchema,
  type JsonSchemaType,
  type JsonSchemaValidatorResult,
  type jsonSchemaValidator,
  McpServer,
} from "@modelcontextprotocol/server";
import { readCredential } from "../auth/credential.ts";
import type { Exchange } from "../endpoint/exchange.ts";
import { createHandler } from "../endpoint/handler.ts";
import { respondProblem } from "../endpoint/respond.ts";
import { corsHeaders, descriptionLink, preflightHeaders, safetyHeaders, transportSecurity } from "../http/headers.ts";
import type { Handler, Runtime } from "../runtime.ts";
import { maximumBodyBytes } from "../validation/body.ts";
import { callTool } from "./call-tool.ts";
import { tools } from "./tools.ts";

const instructions =
  "US grants, government contracts and funders. Search first, then get_record for the records that matter. Every fact (amount, deadline, eligibility) must come from a record; give its listing_url as the source. Deadlines are calendar days; null amounts are not published.";

/** The endpoint checks what it is asked, and says what is wrong in a sentence: a check before that would say less. */
const unchecked: jsonSchemaValidator = {
  getValidator<Value>() {
    return (input: unknown): JsonSchemaValidatorResult<Value> => ({
      valid: true,
      data: input as Value,
      errorMessage: undefined,
    });
  },
};

const routes = [{ method: "POST", path: "" }] as const;

/**
 * The Model Context Protocol over streamable HTTP, without sessions: each request is answered by itself, so any instance
 * of the function can answer it.
 *
 * @param name the function's name, which is its path.
 * @param functions those that the tools ask, by name.
 */
export function mcpEndpoint(name: string, functions: Readonly<Record<string, Handler>>): Handler {
  const respond = async (exchange: Exchange, _found: unknown, runtime: Runtime) => {
    const { request } = exchange;
    const credential = await readCredential(request);
    if (!credential.ok) return respondProblem(exchange, credential.problem);

    const handler = createMcpHandler(() => serverFor(exchange, functions, runtime), {
      // Nothing changes that a client could subscribe to, and a stream would keep the function running.
      maxSubscriptions: 0,
      maxRequestBodySize: maximumBodyBytes,
    });
    const response = await handler.fetch(request);
    const headers = new Headers(response.headers);
    const ours = {
      ...corsHeaders,
      Link: descriptionLink,
      "X-Request-Id": exchange.requestId,
      ...safetyHeaders,
      ...transportSecurity(request),
      "Cache-Control": "no-store",
    };
    for (const [header, value] of Object.entries(ours)) headers.set(header, value);
    return new Response(response.body, { status: response.status, headers });
  };
  return createHandler(name, routes, respond, { preflight: mcpPreflight });
}

function serverFor(exchange: Exchange, functions: Readonly<Record<string, Handler>>, runtime: Runtime): McpServer {
  const server = new McpServer({ name: "funding-opportunities", version: "1.1.0" }, { instructions });
  for (const tool of tools) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: fromJsonSchema<Record<string, unknown>>(tool.input as unknown as JsonSchemaType, unchecked),
        annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      },
      async (given) => ({ ...(await callTool(tool, given, exchange, functions, runtime)) }),
    );
  }
  return server;
}

function mcpPreflight(methods: readonly string[]) {
  const { "Access-Control-Allow-Headers": allowed, ...rest } = preflightHeaders(methods);
  return { ...rest, "Access-Control-Allow-Headers": `${allowed}, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name` };
}
