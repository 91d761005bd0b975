import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort, type ServerProcess, startServer } from "../server/server-process.ts";
import { waitUntil } from "../support/wait-until.ts";
import { prepareFolder } from "./embedded-server.ts";

/** Twice as many files as the server takes connections: the least that it needs. */
const launcher = ["bash", "-c", "ulimit -n 1024; exec node local/deno.mjs local/start.ts"];

let data: string;
let server: ServerProcess;
const sockets: Socket[] = [];
/** Bytes sent to each socket. */
const received = new Map<Socket, string>();

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "funding-sockets-"));
  await prepareFolder(data, 2_000);
  server = await startServer({ DATA_DIR: data, PORT: String(await freePort()) }, launcher);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await server?.end("SIGTERM");
  await rm(data, { recursive: true, force: true });
});

/** Opens sockets that send something, and then nothing more. */
async function open(count: number, text: string, isRead = true): Promise<void> {
  const { hostname, port } = new URL(server.ready.base_url);
  for (let opened = 0; opened < count; opened += 50) {
    await Promise.all(
      Array.from({ length: 50 }, () => {
        const socket = connect(Number(port), hostname);
        sockets.push(socket);
        socket.on("error", () => undefined);
        if (isRead) socket.on("data", (bytes) => received.set(socket, (received.get(socket) ?? "") + bytes));
        return new Promise<void>((resolve) => {
          socket.once("close", () => resolve()).once("connect", () => socket.write(text, () => resolve()));
        });
      }),
    );
  }
}

/** A list, as a customer gets it by a client that keeps its connection, or by one that makes a new one each time. */
function list(agent: Agent): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${server.ready.api_key}` };
  return new Promise((resolve, reject) => {
    get(`${server.ready.base_url}/contracts-api?limit=5`, { agent, headers }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode));
    }).once("error", reject);
  });
}

const head = () =>
  `POST /functions/v1/semantic-search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer ${server.ready.api_key}\r\n`;
/** More than the operating system keeps for a client that reads nothing. */
const much = () => "GET /functions/v1/openapi HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(30);

const kinds: [kind: string, count: number, text: () => string, isRead: boolean][] = [
  ["idle sockets", 600, () => "", true],
  ["sockets with half a head", 600, () => head().slice(0, 60), true],
  ["sockets with half a body", 800, () => `${head()}Content-Length: 100\r\n\r\n{"query":`, true],
  ["clients that do not read their answers", 50, much, false],
];

// Regression: nothing was timed out, and at the process's limit of files the server ended.
test.each(kinds)("beside %s (%i), each request of a customer is answered", async (_, count, text, isRead) => {
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await list(kept)).toBe(200);
  const statuses: (number | undefined)[] = [];
  const opened = open(count, text(), isRead);
  for (let request = 0; request < 10; request++) {
    statuses.push(await list(new Agent()));
    // A client whose idle connection was closed asks again, on a new one.
    statuses.push(await list(kept).catch(() => list(kept)));
  }
  await opened;
  statuses.push(await list(new Agent()));
  kept.destroy();
  if (!isRead) for (const socket of sockets.splice(-count)) socket.destroy();
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(server.process.exitCode).toBeNull();
});

test("in the end, each of them was told why it was closed, or just closed", async () => {
  await waitUntil(() => sockets.every((socket) => socket.closed || socket.readableEnded), "all closed");
  const statuses = new Set([...received.values()].map((text) => text.slice(9, 12)));
  expect([...statuses].filter((status) => !["408", "503"].includes(status))).toEqual([]);
  expect(await list(new Agent())).toBe(200);
  expect(server.output.stderr).not.toMatch(/uncaught|too many open/i);
});
