import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyDemoFolder } from "../server/demo-folder.ts";
import { freePort, run, type ServerProcess, startServer } from "../server/server-process.ts";

let folder: string;
let server: ServerProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-aborted-"));
  const data = await copyDemoFolder(join(folder, "data"));
  server = await startServer({ DATA_DIR: data, PORT: String(await freePort()) });
  const published = run({ DATA_DIR: data }, ["npm", "run", "--silent", "snapshot"]);
  expect(await published.exit, published.output.stderr).toBe(0);
});
afterAll(async () => {
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

/** Sends a request, and drops the connection when so many bytes of the answer have come. */
function drop(path: string, bytes: number): Promise<void> {
  const { hostname, port } = new URL(server.ready.base_url);
  return new Promise((resolve) => {
    let read = 0;
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `GET /functions/v1${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${server.ready.api_key}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`,
      ),
    );
    socket.on("data", (data) => {
      read += data.length;
      if (read > bytes) socket.resetAndDestroy();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve());
  });
}

// Regression: after some hundred of them, the stream of a file threw where no request was, which ended the server.
test.each(["/snapshots/latest/grants.jsonl.gz", "/grants-api?format=csv", "/grants-api?limit=100&expand=details"])(
  "clients that leave in the midst of %s leave the server to the others",
  async (path) => {
    for (let round = 0; round < 40; round++) {
      await Promise.all([0, 1_000, 5_000, 20_000, 70_000].map((bytes) => drop(path, bytes)));
    }
    const headers = { Authorization: `Bearer ${server.ready.api_key}` };
    const answer = await fetch(`${server.ready.base_url}/grants-api?limit=1`, { headers });
    expect(answer.status).toBe(200);
    expect(server.process.exitCode).toBeNull();
    expect(server.output.stderr).not.toMatch(/Uncaught|TypeError/);
  },
);
