import { createReadState } from "../../shared/endpoint/read-state.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import type { Handler } from "../../shared/runtime.ts";
import { handle as contracts } from "../contracts-api/index.ts";
import { handle as documents } from "../documents/index.ts";
import { handle as funders } from "../funders-api/index.ts";
import { handle as grants } from "../grants-api/index.ts";
import { handle as semanticSearch } from "../semantic-search/index.ts";
import { handle as suggest } from "../suggest/index.ts";

const functions = {
  "grants-api": grants,
  "contracts-api": contracts,
  "funders-api": funders,
  "semantic-search": semanticSearch,
  suggest,
  documents,
};

let endpoint: Handler | undefined;

/**
 * `POST /mcp`: the API as tools for language models. The protocol's library is loaded at the first call, so that other
 * functions in the same process start without it.
 */
export const handle: Handler = async (request, runtime) => {
  if (endpoint === undefined) {
    const { mcpEndpoint } = await import("./endpoint.ts");
    endpoint = mcpEndpoint("mcp", functions);
  }
  return endpoint(request, runtime);
};

export default { fetch: onEdge(handle, createReadState) };
