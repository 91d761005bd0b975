import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createFetchTransport } from "../../../functions/dispatch/fetch-transport.ts";
import { maximumHeadersLength } from "../../../functions/dispatch/transport.ts";
import { createNodeTransport } from "../../../local/embedded/node-transport.ts";

let server: Server;
let answer: (response: ServerResponse) => void;
beforeAll(async () => {
  server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());

const transports = {
  fetch: createFetchTransport(),
  node: createNodeTransport({ allowLoopback: true }),
};

describe.each(Object.entries(transports))("the transport over %s", (_name, transport) => {
  const send = () => {
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return transport.send({ url, headers: {}, body: "{}", timeoutMs: 5_000 });
  };

  test("keeps an answer's headers, several of a name as one", async () => {
    answer = (response) => response.writeHead(503, { "Retry-After": "7", "X-Several": ["a", "b"] }).end("later");
    expect(await send()).toMatchObject({
      status: 503,
      headers: { "retry-after": "7", "x-several": "a, b" },
      body: "later",
    });
  });
});

test("headers that are longer than 16 KB in all are left out, and the short ones kept", async () => {
  // Node's own `fetch` refuses so many; Deno's and workerd's do not.
  const received = new Headers({ "retry-after": "7", "a-long-one": "x".repeat(20_000) });
  for (let number = 0; number < 40; number++) received.set(`m-${number}`, "y".repeat(1_000));
  vi.stubGlobal("fetch", async () => new Response("", { status: 503, headers: received }));
  try {
    const { headers } = await transports.fetch.send({
      url: new URL("https://many.example/"),
      headers: {},
      body: "{}",
      timeoutMs: 5_000,
    });
    expect(Object.entries(headers).flat().join("").length).toBeLessThanOrEqual(maximumHeadersLength);
    expect(headers).toMatchObject({ "retry-after": "7", "m-0": "y".repeat(1_000) });
    expect(headers).not.toHaveProperty("a-long-one");
  } finally {
    vi.unstubAllGlobals();
  }
});
