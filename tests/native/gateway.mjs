// Stands where Supabase's gateway stands: /rest/v1/* goes to PostgREST, Supabase Auth's public keys are those in the file, all
// else is 404. Usage: node gateway.mjs PORT REST_PORT KEYS_FILE
import { readFileSync } from "node:fs";
import http from "node:http";

const PREFIX = "/rest/v1";
// Headers that belong to one connection (RFC 9110, section 7.6.1); Node writes its own on each side.
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const [port, restPort] = process.argv.slice(2, 4).map(Number);
const keysFile = process.argv[4];
if (!port || !restPort || !keysFile) throw new Error("usage: node gateway.mjs PORT REST_PORT KEYS_FILE");

// PostgREST closes a connection idle for 30 s. Closing ours first means a request never meets a socket that is going away.
const agent = new http.Agent({ keepAlive: true, timeout: 20_000 });

/** The path PostgREST knows for a request path, or undefined when the path is not PostgREST's. */
function restPath(url) {
  if (!url.startsWith(PREFIX)) return undefined;
  const rest = url.slice(PREFIX.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : undefined;
}

/** The client's headers without the connection's own; a lone `apikey` becomes the bearer token, as on Supabase. */
function requestHeaders({ headers }) {
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
  if (kept.apikey && !kept.authorization) kept.authorization = `Bearer ${kept.apikey}`;
  return kept;
}

/** The raw headers are a flat list of names and values; keeping it raw keeps repeated headers and their case. */
function responseHeaders({ rawHeaders }) {
  const kept = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!HOP_BY_HOP.has(rawHeaders[i].toLowerCase())) kept.push(rawHeaders[i], rawHeaders[i + 1]);
  }
  return kept;
}

function refuse(response, status, message) {
  if (response.headersSent) return response.destroy();
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ message }));
}

function forward(request, response) {
  if (request.url === "/auth/v1/.well-known/jwks.json") {
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(readFileSync(keysFile));
  }
  const path = restPath(request.url);
  if (path === undefined)
    return refuse(response, 404, "no such path: this gateway serves /rest/v1 and the public keys only");
  const options = {
    agent,
    host: "127.0.0.1",
    port: restPort,
    method: request.method,
    path,
    headers: requestHeaders(request),
  };
  const upstream = http.request(options, (answer) => {
    response.writeHead(answer.statusCode, answer.statusMessage, responseHeaders(answer));
    answer.on("error", () => response.destroy());
    answer.pipe(response);
  });
  upstream.on("error", (error) => refuse(response, 502, `PostgREST did not answer: ${error.message}`));
  // A client that gives up must not leave its query's connection held.
  response.on("close", () => {
    if (!response.writableFinished) upstream.destroy();
  });
  request.pipe(upstream);
}

const server = http.createServer(forward);
// Longer than any client in the tests keeps a connection, so that the client is the one to close it.
server.keepAliveTimeout = 120_000;
server.listen(port, "127.0.0.1");
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => process.exit(0));
