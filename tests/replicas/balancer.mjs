// @ts-check
// Sends requests as Supabase's load balancer of read replicas does: GET and HEAD to the replicas in turns, everything else to the primary.
// usage: node balancer.mjs PORT PRIMARY_URL REPLICA_URL...
import http from "node:http";

const [port, primary = "", ...replicas] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true, timeout: 15_000 });
let turn = 0;

http
  .createServer((request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const target = isRead ? (replicas[turn++ % replicas.length] ?? primary) : primary;
    const { method, headers } = request;
    const forwarded = http.request(new URL(request.url ?? "/", target), { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    forwarded.on("error", () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    request.pipe(forwarded);
  })
  .listen(Number(port), "127.0.0.1");
