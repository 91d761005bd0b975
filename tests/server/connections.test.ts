import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyDemoFolder } from "./demo-folder.ts";
import { freePort, type ServerProcess, startServer } from "./server-process.ts";

let folder: string;
let server: ServerProcess;
const sockets: Socket[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-connections-"));
  const environment = { DATA_DIR: await copyDemoFolder(join(folder, "data")), PORT: String(await freePort()) };
  server = await startServer(environment, ["bash", "-c", "ulimit -n 2600; exec node local/deno.mjs local/start.ts"]);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

// Regression: 384 connections of an address were kept, however many files the process could have open, so that busy clients lost theirs.
test("as many connections are kept as the limit of open files allows, and each is answered", async () => {
  const { hostname, port } = new URL(server.ready.base_url);
  const request = `GET /functions/v1/health HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
  await Promise.all(
    Array.from({ length: 800 }, () => {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      return new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    }),
  );
  const answers = await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<string>((resolve) => {
          if (socket.readyState !== "open") resolve("closed");
          socket.once("data", (bytes) => resolve(bytes.toString().slice(0, 12)));
          socket.once("error", () => resolve("an error")).once("close", () => resolve("closed"));
          socket.write(request);
        }),
    ),
  );
  expect(answers.filter((answer) => answer !== "HTTP/1.1 200")).toEqual([]);
});
