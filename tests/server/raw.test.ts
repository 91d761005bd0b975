import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Wire } from "../fuzz/wire.ts";
import { copyDemoFolder } from "./demo-folder.ts";
import { freePort, type ServerProcess, startServer } from "./server-process.ts";

let folder: string;
let server: ServerProcess;
let wire: Wire;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-raw-"));
  const port = await freePort();
  server = await startServer({ DATA_DIR: await copyDemoFolder(join(folder, "data")), PORT: String(port) });
  wire = new Wire("127.0.0.1", port);
});
afterAll(async () => {
  wire.close();
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

/**
 * Answers to bytes that no HTTP client would send. With `isLast`, the client closes its side after a moment: only for requests
 * that are not whole, since the server gives up an answer whose client has left.
 */
async function statusOf(text: string, isLast = false): Promise<number | undefined> {
  const ending = await wire.send({ bytes: Buffer.from(text), method: "GET", isLast, deadlineMs: 10_000 });
  return "answer" in ending ? ending.answer.status : undefined;
}

test.each(["http://[", "http://127.0.0.1:99999/", "//["])(
  "a target that is no URL is not found: GET %s",
  async (target) => {
    expect(await statusOf(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).toBe(404);
  },
);

test("a body that ends before its length is refused, and the server goes on", async () => {
  const head = `POST /functions/v1/semantic-search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\nAuthorization: Bearer ${server.ready.api_key}\r\n\r\n`;
  expect([400, undefined]).toContain(await statusOf(`${head}{"query":"water"`, true));
  expect(await statusOf("GET /functions/v1/openapi HTTP/1.1\r\nHost: localhost\r\n\r\n")).toBe(200);
});
