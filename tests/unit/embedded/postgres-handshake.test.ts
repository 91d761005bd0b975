import type { PGlite } from "@electric-sql/pglite";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  listenForPostgresClients,
  type PostgresSocket,
  type PostgresSocketOptions,
} from "../../../local/embedded/postgres-socket.ts";
import { SessionLock } from "../../../local/embedded/session.ts";
import {
  readyForQuery,
  saslInitialResponse,
  scramProof,
  simpleQuery,
  startup,
  WireClient,
  wireMessage,
} from "../../support/postgres-wire.ts";
import { runs } from "../../support/properties.ts";
import { openEmptyDatabase } from "../../support/service.ts";

const password = "p@ss:/?#%word";
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const gssRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 48]);
const clientFirst = "n=,r=rOprNGfwEbeRWgbNEkqO";

let database: PGlite;
let lock: SessionLock;
let socket: PostgresSocket;
let refusals = 0;
const sockets: PostgresSocket[] = [];

async function listen(options: Partial<PostgresSocketOptions> = {}): Promise<PostgresSocket> {
  const onRefusal = () => {
    refusals += 1;
  };
  const listening = await listenForPostgresClients(lock, 0, { password, onRefusal, ...options });
  sockets.push(listening);
  return listening;
}

beforeAll(async () => {
  database = await openEmptyDatabase();
  await database.exec("create table notes (note text)");
  lock = new SessionLock(database);
  socket = await listen();
});
afterAll(async () => {
  for (const each of sockets) each.close();
  await lock.run((held) => held.close());
});

const intrusion = simpleQuery("insert into notes values ('intruder')");

async function expectUntouched(): Promise<void> {
  expect(await lock.run(async (held) => (await held.query("select note from notes")).rows)).toEqual([]);
}

async function expectService(port = socket.port): Promise<void> {
  const client = await WireClient.open(port, password);
  client.send(simpleQuery("select 1"));
  await client.readThrough(readyForQuery("I"));
  client.close();
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

async function sendCut(client: WireClient, bytes: Buffer, places: number[]): Promise<void> {
  client.socket.setNoDelay(true);
  let start = 0;
  for (const end of [...places.map((index) => index % bytes.length).sort((a, b) => a - b), bytes.length]) {
    client.send(bytes.subarray(start, end));
    await nextTurn();
    start = end;
  }
}
const cuts = fc.array(fc.nat(), { maxLength: 8 });

test("the right password opens a session, and what is sent behind it is answered, however it is cut", async () => {
  await fc.assert(
    fc.asyncProperty(cuts, cuts, cuts, fc.subarray([sslRequest, gssRequest]), async (first, second, third, asked) => {
      const client = await WireClient.dial(socket.port);
      await sendCut(client, Buffer.concat([...asked, startup()]), first);
      expect((await client.read(asked.length)).toString()).toBe("N".repeat(asked.length));
      expect(await client.readMessage("R")).toEqual(Buffer.from("\0\0\0\x0aSCRAM-SHA-256\0\0"));
      await sendCut(client, saslInitialResponse(`n,,${clientFirst}`), second);
      const challenge = (await client.readMessage("R")).toString("latin1", 4);
      const proof = wireMessage("p", scramProof(password, clientFirst, challenge));
      await sendCut(client, Buffer.concat([proof, simpleQuery("select 'asked early' as text")]), third);
      const answer = await client.readThrough(readyForQuery("I"));
      expect((await client.readThrough(readyForQuery("I"))).toString("latin1")).toContain("asked early");
      expect(kindsOf(answer).slice(0, 2)).toEqual(["R12", "R0"]);
      client.close();
    }),
    { numRuns: runs(40) },
  );
});

/** The types of the server's messages; of its authentication requests also the number. */
function kindsOf(bytes: Buffer): string[] {
  const kinds: string[] = [];
  for (let index = 0; index < bytes.length; index += 1 + bytes.readInt32BE(index + 1)) {
    const type = bytes.toString("latin1", index, index + 1);
    kinds.push(type === "R" ? `R${bytes.readInt32BE(index + 5)}` : type);
  }
  return kinds;
}

/** Bytes of a client without the password: pieces of a handshake, right, wrong, too long or too short, in any order. */
const pieces = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(sslRequest, gssRequest, startup(), startup("user\0someone\0\0"), intrusion, wireMessage("S")),
  fc.tuple(fc.string(), fc.integer()).map(([body, version]) => startup(body, version)),
  fc
    .tuple(fc.constantFrom(..."pQPBXSd"), fc.uint8Array({ maxLength: 2000 }))
    .map(([type, body]) => wireMessage(type, body)),
  fc.string().map((text) => saslInitialResponse(text)),
  fc.constant(saslInitialResponse(`n,,${clientFirst}`)),
  fc.constant(wireMessage("p", scramProof("wrong", clientFirst, "r=x,s=AAAA,i=4096"))),
);

test("no bytes without the password reach the database, however they are cut", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 8 }), cuts, fc.boolean(), async (sent, places, opens) => {
      const client = await WireClient.dial(socket.port);
      const bytes = Buffer.concat([...(opens ? [startup()] : []), ...sent, intrusion]);
      await sendCut(client, bytes, places);
      client.socket.end();
      const answer = await client.readToEnd();
      const declined = /^N*/.exec(answer.toString("latin1"))?.[0].length ?? 0;
      // A negotiated version, requests to authenticate, and an error as the last.
      expect(kindsOf(answer.subarray(declined)).join(" ")).toMatch(/^(v ?)?(R10 ?)?(R11 ?)?E?$/);
    }),
    { numRuns: runs(150) },
  );
  await expectUntouched();
  await expectService();
});

test.each([
  ["a wrong password", "postgres", "wrong", "28P01", 'password authentication failed for user "postgres"'],
  ["an empty password", "postgres", "", "28P01", 'password authentication failed for user "postgres"'],
  ["another user", "alice", password, "28P01", 'password authentication failed for user "alice"'],
  ["another user and a wrong password", "alice", "wrong", "28P01", 'password authentication failed for user "alice"'],
])(
  "%s gets Postgres' own error, and nothing of what was sent behind it runs",
  async (_name, user, given, code, text) => {
    const before = refusals;
    const client = await WireClient.dial(socket.port);
    client.send(startup(`user\0${user}\0database\0postgres\0\0`));
    await client.authenticate(given);
    client.send(intrusion);
    expect((await client.readToEnd()).toString("latin1")).toMatch(
      new RegExp(`^E....SFATAL\\0VFATAL\\0C${code}\\0M${text}\\0\\0$`, "s"),
    );
    expect(refusals).toBe(before + 1);
    await expectUntouched();
  },
);

test("another database is told apart only for the right password", async () => {
  const connect = (given: string) =>
    new pg.Client({
      host: "127.0.0.1",
      port: socket.port,
      user: "postgres",
      database: "foo",
      password: given,
    }).connect();
  await expect(connect(password)).rejects.toMatchObject({ code: "3D000", message: 'database "foo" does not exist' });
  await expect(connect("wrong")).rejects.toMatchObject({ code: "28P01" });
});

const refused = (code: string, text: string) => new RegExp(`^E....SFATAL\\0VFATAL\\0C${code}\\0M${text}\\0\\0$`, "s");

test.each([
  ["of protocol 2.0", startup("", 2 << 16), refused("0A000", "unsupported frontend protocol 2.0: server .*")],
  ["of protocol 4.0", startup("", 4 << 16), refused("0A000", "unsupported frontend protocol 4.0: server .*")],
  ["without a user", startup("\0"), refused("28000", "no PostgreSQL user name specified in startup packet")],
  ["without an end", startup("user\0x"), refused("08P01", "invalid startup packet layout: .*")],
  ["cut off", startup().subarray(0, 20), /^$/],
  ["that says it is longer than 10,000 bytes", Buffer.from([0, 0, 0x27, 0x11, 0, 3, 0, 0]), /^$/],
  ["that says it is shorter than its head", Buffer.from([0, 0, 0, 7, 0, 3, 0, 0]), /^$/],
  ["that is a browser's", Buffer.from("GET / HTTP/1.1\r\n\r\n"), /^$/],
  ["that asks to cancel", startup("\0\0\0\0\0\0\0\0", 80_877_102), /^$/],
  ["that asks for encryption twice", Buffer.concat([sslRequest, sslRequest]), /^NE....SFATAL.*C0A000/s],
])("a startup packet %s is refused as Postgres does", async (_name, packet, expected) => {
  const client = await WireClient.dial(socket.port);
  client.send(packet);
  client.socket.end();
  expect((await client.readToEnd()).toString("latin1")).toMatch(expected);
  await expectService();
});

test.each([
  ["a statement", intrusion, "expected SASL response, got message type 81"],
  ["another mechanism", saslInitialResponse("n,,n=,r=x", "SCRAM-SHA-1"), "client selected an invalid .*"],
  ["a cleartext password", wireMessage("p", `${password}\0`), "client selected an invalid .*"],
  ["channel binding", saslInitialResponse("p=tls-unique,,n=,r=x"), "The client's first message .*"],
  ["no nonce", saslInitialResponse("n,,n=,r="), "The client's first message .*"],
  ["a message of 2,000 bytes", saslInitialResponse(`n,,n=,r=${"x".repeat(2000)}`), "invalid message length"],
  ["a message of a gigabyte", Buffer.from([0x70, 0x40, 0, 0, 0]), "invalid message length"],
])("%s in place of the password is refused", async (_name, message, text) => {
  const client = await WireClient.dial(socket.port);
  client.send(startup());
  await client.readMessage("R");
  client.send(message);
  expect((await client.readToEnd()).toString("latin1")).toMatch(refused("08P01", text));
  await expectUntouched();
});

test("another exchange's proof is refused", async () => {
  const challenges: string[] = [];
  for (const _round of [1, 2]) {
    const client = await WireClient.dial(socket.port);
    client.send(startup());
    await client.readMessage("R");
    client.send(saslInitialResponse(`n,,${clientFirst}`));
    challenges.push((await client.readMessage("R")).toString("latin1", 4));
    client.send(wireMessage("p", scramProof(password, clientFirst, challenges[0] ?? "")));
    if (challenges.length === 1) await client.readThrough(readyForQuery("I"));
    else expect((await client.readToEnd()).toString("latin1")).toContain("C08P01");
    client.close();
  }
});

test("protocol 3.2 and its options are negotiated down to 3.0", async () => {
  const client = await WireClient.dial(socket.port);
  client.send(startup("user\0postgres\0_pq_.wanted\x001\0\0", 196_610));
  const body = await client.readMessage("v");
  expect([body.readInt32BE(0), body.readInt32BE(4), body.toString("utf8", 8)]).toEqual([196_608, 1, "_pq_.wanted\0"]);
  await client.authenticate(password);
  await client.readThrough(readyForQuery("I"));
  client.close();
});

test("a client that stops in the midst of its handshake is sent away", async () => {
  const { port } = await listen({ maximumHandshakeMs: 50 });
  const silent = await WireClient.dial(port);
  const half = await WireClient.dial(port);
  half.send(startup());
  const choosing = await WireClient.dial(port);
  choosing.send(Buffer.concat([startup(), saslInitialResponse(`n,,${clientFirst}`)]));
  for (const client of [silent, half, choosing]) await client.readToEnd();
  await expectService();
});

test("connections without a password keep no place from those with one", async () => {
  const silent = await Promise.all(Array.from({ length: 250 }, () => WireClient.dial(socket.port)));
  await expectService();
  for (const client of silent) client.close();
});

test("wrong passwords, more than are checked at a time, do not keep the right one out", async () => {
  const guesses = Array.from({ length: 120 }, async () => {
    const client = await WireClient.dial(socket.port);
    client.send(startup());
    await client.authenticate("wrong");
    return (await client.readToEnd()).toString("latin1");
  });
  await expectService();
  for (const answer of await Promise.all(guesses)) expect(answer).toContain("C28P01");
});

test("the 21st client with the right password is told so", async () => {
  const clients = await Promise.all(Array.from({ length: 20 }, () => WireClient.open(socket.port, password)));
  const further = await WireClient.dial(socket.port);
  further.send(startup());
  await further.authenticate(password);
  expect((await further.readToEnd()).toString("latin1")).toContain("C53300\0Msorry, too many clients already");
  for (const client of clients) client.close();
});
