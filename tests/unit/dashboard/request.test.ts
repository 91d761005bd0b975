import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { explain, TimedOut, Unreachable } from "../../../dashboard/src/api/errors.ts";
import { createAccountRequest } from "../../../dashboard/src/api/request.ts";

let server: Server;
let received: IncomingMessage[] = [];
/** How the next connections end: before an answer, within it, after it, or not at all. */
let endings: ("before" | "within" | "after" | "never")[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    received.push(request);
    const ending = endings.shift() ?? "after";
    if (ending === "before") return void request.socket.destroy();
    if (ending === "never") return;
    response.writeHead(201, { "content-type": "application/json" });
    if (ending === "after") return void response.end('{"id": "a key"}');
    response.write('{"id": "a', () => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  received = [];
  endings = [];
});

const session = { accessToken: async () => "token", refused: async () => undefined };
const request = <Answer>(method: "GET" | "POST") =>
  createAccountRequest(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, session)<Answer>("/keys", {
    method,
  });
const keys = () => received.map(({ headers }) => headers["idempotency-key"]);

test.each(["before", "within"] as const)(
  "a POST whose connection ends %s its answer is sent once more, with the same Idempotency-Key",
  async (ending) => {
    endings = [ending];
    expect(await request("POST")).toEqual({ id: "a key" });
    expect(keys()).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys()[0]]);
  },
);

test("it is not sent a third time, and another POST has another Idempotency-Key", async () => {
  endings = ["before", "before", "after"];
  await expect(request("POST")).rejects.toBeInstanceOf(Unreachable);
  expect(received).toHaveLength(2);
  await request("POST");
  expect(new Set(keys()).size).toBe(2);
});

test("a GET has no Idempotency-Key and is sent once", async () => {
  endings = ["before"];
  await expect(request("GET")).rejects.toBeInstanceOf(Unreachable);
  expect(keys()).toEqual([undefined]);
});

test("a request that hangs is given up like one to a server that cannot be reached, and is not sent again", async () => {
  endings = ["never"];
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hanging = createAccountRequest(baseUrl, session, undefined, 50)("/keys", { method: "POST", body: {} });
  await expect(hanging).rejects.toBeInstanceOf(TimedOut);
  expect(explain(await hanging.catch((error: unknown) => error)).title).toBe("The API cannot be reached");
  expect(received).toHaveLength(1);
});

test("a request names the chosen account, unless it is about the user's own", async () => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ofAnother = createAccountRequest(baseUrl, session, "an account");
  await ofAnother("/keys");
  await ofAnother("/keys", { method: "POST", body: {} });
  await ofAnother("/memberships", { isOwn: true });
  await createAccountRequest(baseUrl, session)("/keys");
  expect(received.map(({ headers }) => headers["x-account-id"])).toEqual([
    "an account",
    "an account",
    undefined,
    undefined,
  ]);
});
