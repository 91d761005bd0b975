/**
 * Serves the edge functions on 127.0.0.1, each through its default export and with nothing but the
 * request, as Supabase's edge runtime does. The environment names the database, as it does there, and
 * a header has the client's address, which Supabase's gateway writes.
 *
 * usage: deno run functions.ts PORT
 */
import account from "../../functions/account-api/index.ts";
import billing from "../../functions/billing/index.ts";
import catalogue from "../../functions/catalogue/index.ts";
import commonGrants from "../../functions/common-grants/index.ts";
import contracts from "../../functions/contracts-api/index.ts";
import dispatch from "../../functions/dispatch/index.ts";
import documents from "../../functions/documents/index.ts";
import funders from "../../functions/funders-api/index.ts";
import grants from "../../functions/grants-api/index.ts";
import health from "../../functions/health/index.ts";
import mcp from "../../functions/mcp/index.ts";
import metrics from "../../functions/metrics/index.ts";
import multiSearch from "../../functions/multi-search/index.ts";
import openapi from "../../functions/openapi/index.ts";
import savedSearches from "../../functions/saved-searches/index.ts";
import semanticSearch from "../../functions/semantic-search/index.ts";
import snapshots from "../../functions/snapshots/index.ts";
import suggest from "../../functions/suggest/index.ts";

const functions: Record<string, { fetch(request: Request): Promise<Response> }> = {
  "grants-api": grants,
  "contracts-api": contracts,
  "funders-api": funders,
  "semantic-search": semanticSearch,
  "multi-search": multiSearch,
  suggest,
  documents,
  catalogue,
  "common-grants": commonGrants,
  snapshots,
  "saved-searches": savedSearches,
  dispatch,
  openapi,
  health,
  metrics,
  mcp,
  "account-api": account,
  billing,
};

const addressHeader = "cf-connecting-ip";
Deno.env.set("CLIENT_ADDRESS_HEADER", addressHeader);

Deno.serve({ hostname: "127.0.0.1", port: Number(Deno.args[0]) }, (request, { remoteAddr }) => {
  const url = URL.parse(request.url);
  if (url === null || !isForwardable(request.method)) return new Response(null, { status: 400 });
  // The gateway takes its own prefix off: a function sees /NAME/...
  url.pathname = url.pathname.replace(/^\/functions\/v1/, "");
  const name = url.pathname.split("/")[1] ?? "";
  const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (called === undefined) return new Response(JSON.stringify({ msg: "Function not found" }), { status: 404 });
  // Without the signal where nothing can be cancelled: Deno would make an exception for it at the end of each request.
  const received =
    request.method === "GET" ? new Request(url, { headers: request.headers }) : new Request(url, request);
  received.headers.set(addressHeader, remoteAddr.hostname);
  return called.fetch(received);
});

/** Whether `fetch` forwards a method. Requests with another reach no function. */
function isForwardable(method: string): boolean {
  return !["CONNECT", "TRACE", "TRACK"].includes(method.toUpperCase()) && method === method.toUpperCase();
}
