import { createServer } from "node:http";
import { createNodeTransport } from "../../local/embedded/node-transport.ts";
import { payloadText } from "../../shared/webhooks/events.ts";
import { samples } from "../../shared/webhooks/samples.ts";

/** A receiver in a separate process, which answers 200 to every request. */
export interface BenchReceiver {
  url: string;
  /** Measures the requests a second that it takes from this process when this only sends. */
  measureCeiling(requests: number): Promise<number>;
  stop(): void;
}

/** Concurrent attempts, also of the dispatcher. */
export const concurrency = 64;

export async function startReceiver(): Promise<BenchReceiver> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", "--no-lock", "--no-remote", new URL(import.meta.url).pathname, "serve"],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const { value } = await child.stdout.getReader().read();
  const url = new TextDecoder().decode(value).trim();
  return { url, measureCeiling: (requests) => measureCeiling(url, requests), stop: () => child.kill("SIGTERM") };
}

async function measureCeiling(url: string, requests: number): Promise<number> {
  const transport = createNodeTransport({ allowLoopback: true });
  const body = payloadText(samples["grant.created"]);
  const headers = { "Content-Type": "application/json" };
  let left = requests;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) await transport.send({ url: new URL(url), headers, body, timeoutMs: 15_000 });
    }),
  );
  return requests / ((performance.now() - started) / 1000);
}

if (Deno.args[0] === "serve") {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(200).end());
  });
  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`));
}
