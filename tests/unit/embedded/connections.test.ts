import { connect, Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type ConnectionLimits, Connections } from "../../../local/embedded/connections.ts";
import { type HttpServer, serveHttp } from "../../../local/embedded/http-server.ts";
import { freePort } from "../../server/server-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

const patient: ConnectionLimits = {
  connections: 4,
  connectionsOfAddress: 4,
  headSeconds: 1_000,
  bodySeconds: 1_000,
  idleSeconds: 1_000,
  unreadSeconds: 1_000,
};

let server: HttpServer;
let port: number;
const sockets: Socket[] = [];
/** Endless answers. */
let endless = { begun: 0, cancelled: 0 };
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

const start = async (limits: Partial<ConnectionLimits> = {}) => {
  port = await freePort();
  const ofThisServer = { begun: 0, cancelled: 0 };
  endless = ofThisServer;
  const handler = async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/body") return new Response(await request.text());
    if (pathname !== "/endless") return new Response("answered");
    ofThisServer.begun += 1;
    const bytes = new Uint8Array(65_536);
    return new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(bytes),
        cancel: () => {
          ofThisServer.cancelled += 1;
        },
      }),
    );
  };
  server = await serveHttp(port, handler, () => undefined, { ...patient, ...limits });
};
const open = (text: string) => {
  const socket = connect(port, "127.0.0.1", () => socket.write(text));
  socket.on("error", () => undefined);
  sockets.push(socket);
  let received = "";
  return { socket, read: () => socket.on("data", (bytes) => (received += bytes)), received: () => received };
};
const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
/** A request on a connection of its own. @returns what came first. */
const answer = async () => {
  const { read, received } = open(request("/"));
  read();
  await waitUntil(() => received() !== "", "an answer");
  return received();
};

test.each([
  ["that sends nothing", ""],
  ["with half a head", "GET / HT"],
  ["with half a body", "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf"],
  ["between two requests", request("/")],
])("a connection %s makes room for a new one", async (_, text) => {
  await start();
  for (let opened = 0; opened < 4; opened++) open(text).read();
  expect(await answer()).toMatch(/^HTTP\/1\.1 200/);
});

test("where all clients wait for answers, a new one gets 503, until one has read nothing for some seconds", async () => {
  await start();
  for (let opened = 0; opened < 4; opened++) open(request("/endless"));
  await waitUntil(() => endless.begun === 4, "four answers have begun");
  await waitUntil(async () => /^HTTP\/1\.1 503 [\s\S]*Retry-After/.test(await answer()), "503");
  await waitUntil(async () => /^HTTP\/1\.1 200/.test(await answer()), "200");
});

test("a client that reads nothing of its answer is closed, and its answer cancelled", async () => {
  await start({ unreadSeconds: 1 });
  open(request("/endless"));
  await waitUntil(() => endless.cancelled === 1, "the answer is cancelled");
});

test.each([
  ["head", { headSeconds: 1 }, "GET / HT"],
  ["body", { bodySeconds: 1 }, "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf"],
])("a client whose %s does not come is told so, and closed", async (_, limits, text) => {
  await start(limits);
  const { socket, read, received } = open(text);
  read();
  await waitUntil(() => socket.closed, "the connection is closed");
  expect(received()).toMatch(/^HTTP\/1\.1 408/);
});

test("a connection that is not used again is closed", async () => {
  await start({ idleSeconds: 1 });
  const { socket, read, received } = open(request("/"));
  read();
  await waitUntil(() => socket.closed, "the connection is closed");
  expect(received()).toMatch(/^HTTP\/1\.1 200 [\s\S]*answered$/);
});

test("an answer to several requests, sent at once, is not cut off when the first was answered", async () => {
  await start({ idleSeconds: 1 });
  const { socket, read, received } = open(`${request("/")}${request("/endless")}`);
  read();
  await waitUntil(() => received().length > 10_000_000, "much of the second answer");
  socket.destroy();
  await waitUntil(() => endless.cancelled === 1, "the answer is cancelled when its client leaves");
});

// Regression: beside a burst of half bodies, a client whose head was on its way was the first to be closed.
test("a client that has just connected keeps its place beside older ones that send half a body, or nothing", () => {
  const connections = new Connections(patient);
  const accept = (hasHead: boolean) => {
    const socket = new Socket();
    expect(connections.accept(socket)).toBe(true);
    if (hasHead) connections.beginRequest(socket, true);
    return socket;
  };
  const older = [accept(true), accept(false), accept(true)];
  const customer = accept(false);
  const newer = [accept(true), accept(true), accept(true)];
  connections.stop();
  expect(older.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
  expect([customer, ...newer].map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
});
