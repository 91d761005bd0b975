import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  extendedQuery,
  hashOf,
  readyForQuery,
  simpleQuery,
  sync,
  WireClient,
  wireMessage,
} from "../../support/postgres-wire.ts";
import { runs } from "../../support/properties.ts";
import { openEmptyDatabase } from "../../support/service.ts";

let database: PGlite;
let lock: SessionLock;
let folder: string;
let socket: PostgresSocket;
const sockets: PostgresSocket[] = [];

/** Of characters that some would escape. */
const password = "p@ss:/?#%word";

async function listen(options: Partial<PostgresSocketOptions> = {}): Promise<PostgresSocket> {
  const listening = await listenForPostgresClients(lock, 0, { folder, password, ...options });
  sockets.push(listening);
  return listening;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-socket-"));
  database = await openEmptyDatabase();
  lock = new SessionLock(database);
  socket = await listen();
  // Rows of many lengths, with all that an answer is made of inside them.
  await database.exec(`
    create table long_rows as
      select id, repeat(md5(id::text), 1 + id % 300) as text,
             decode(repeat('5a0000000549', id % 50) || md5(id::text), 'hex') as bytes
      from generate_series(1, 3000) as id;
    create table notes (note text)`);
});
afterAll(async () => {
  for (const each of sockets) each.close();
  await lock.run((held) => held.close());
  await rm(folder, { recursive: true, force: true });
});

const longRows = "select * from long_rows order by id";
/** Many times what is kept in memory for one client. */
const megabytes = runs(100);
const manyRows = `select id, repeat(md5(id::text), 312) as text from generate_series(1, ${megabytes * 101}) as id`;

/** The database's answer, read in the process. A transaction that it opens is rolled back. */
async function answerTo(message: Buffer): Promise<Buffer> {
  const answer: Buffer[] = [];
  await lock.run(async (held) => {
    await held.runExclusive(() =>
      held.execProtocolRawStream(message, {
        onRawData: (bytes) => {
          answer.push(Buffer.from(bytes));
        },
      }),
    );
    await held.exec("rollback");
  });
  return Buffer.concat(answer);
}

/** That the port serves: another client gets an answer longer than any buffer on the way. */
async function expectService(port = socket.port): Promise<void> {
  const expected = await answerTo(simpleQuery(longRows));
  const client = await WireClient.open(port, password);
  client.send(simpleQuery(longRows));
  expect(hashOf(await client.read(expected.length))).toEqual(hashOf(expected));
  client.close();
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("rows of any number, length and bytes come to node-pg as the database has them", async () => {
  const client = new pg.Client({
    host: "127.0.0.1",
    port: socket.port,
    user: "postgres",
    database: "postgres",
    password,
  });
  await client.connect();
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 4000 }),
      fc.nat({ max: 300 }),
      fc.string({ maxLength: 20, unit: "binary" }).map((text) => text.replaceAll("\0", "")),
      async (rows, copies, word) => {
        const statement = `select id, repeat(md5(id::text), $1::int) as text, $2::text as word,
            decode(repeat('5a0000000549', $1::int), 'hex') as bytes from generate_series(1, $3::int) as id`;
        const values = [copies, word, rows];
        const expected = await lock.run((held) => held.query<{ bytes: Uint8Array }>(statement, values));
        const found = await client.query<{ bytes: Uint8Array }>(statement, values);
        // As text: comparing a million bytes one by one takes a minute.
        const textOf = (all: { bytes: Uint8Array }[]) =>
          JSON.stringify(all.map((row) => ({ ...row, bytes: Buffer.from(row.bytes).toString("hex") })));
        expect(hashOf(Buffer.from(textOf(found.rows)))).toEqual(hashOf(Buffer.from(textOf(expected.rows))));
      },
    ),
    { numRuns: runs(12) },
  );
  await client.end();
});

test.each([
  ["rows", simpleQuery(manyRows)],
  ["rows in the extended protocol, binary", Buffer.concat([extendedQuery(manyRows, true), sync])],
  ["copy to stdout", simpleQuery(`copy (${manyRows}) to stdout`)],
])(
  `${megabytes} MB arrive byte for byte, read fast, slowly, and after a stop in which others are served: %s`,
  async (_name, message) => {
    const expected = await answerTo(message);
    expect(expected.length).toBeGreaterThan(megabytes * 1_000_000);
    const readers: [string, (client: WireClient) => Promise<Buffer>][] = [
      ["fast", (client) => client.read(expected.length)],
      ["slow", (client) => client.read(expected.length, nextTurn)],
      [
        "in stops",
        async (client) => {
          client.socket.pause();
          await expectService();
          let stops = 0;
          return client.read(expected.length, async (length) => {
            if (length < (expected.length / 4) * (stops + 1)) return;
            stops += 1;
            await expectService();
          });
        },
      ],
    ];
    for (const [name, read] of readers) {
      const client = await WireClient.open(socket.port, password);
      client.send(message);
      expect([name, hashOf(await read(client))]).toEqual([name, hashOf(expected)]);
      client.send(simpleQuery("select 1"));
      await client.readThrough(readyForQuery("I"));
      client.close();
    }
  },
  300_000,
);

test("messages sent at once, cut anywhere, get the answers they get one by one", async () => {
  const message = fc.oneof(
    fc.constantFrom(
      simpleQuery("select 1"),
      simpleQuery(""),
      simpleQuery("select 1; select 2; nonsense"),
      simpleQuery("copy (select 7) to stdout"),
      Buffer.concat([extendedQuery("select 'a'"), sync]),
      // An error, after which all is skipped up to the Sync.
      Buffer.concat([extendedQuery("select nothing"), extendedQuery("select 1"), simpleQuery("select 2"), sync]),
      // A statement whose name is one letter: 8 bytes, as a request for encryption has.
      Buffer.concat([wireMessage("P", "a\0select 1\0\0\0"), wireMessage("D", "Sa\0"), wireMessage("C", "Sa\0"), sync]),
    ),
    fc.nat({ max: 200_000 }).map((length) => simpleQuery(`select '${"x".repeat(length)}' as text`)),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      async (messages, places) => {
        const expected: Buffer[] = [];
        for (const each of messages) expected.push(await answerTo(each));
        const bytes = Buffer.concat(messages);
        const client = await WireClient.open(socket.port, password);
        client.socket.setNoDelay(true);
        let start = 0;
        for (const end of [...places.map((index) => index % bytes.length).sort((a, b) => a - b), bytes.length]) {
          client.send(bytes.subarray(start, end));
          await nextTurn();
          start = end;
        }
        const answer = await client.read(Buffer.concat(expected).length);
        expect(hashOf(answer)).toEqual(hashOf(Buffer.concat(expected)));
        client.close();
      },
    ),
    { numRuns: runs(25) },
  );
});

test("a statement of 40 MB in small pieces is answered", async () => {
  const client = await WireClient.open(socket.port, password);
  const statement = simpleQuery(`select length('${"x".repeat(40_000_000)}')`);
  for (let index = 0; index < statement.length; index += 4096) client.send(statement.subarray(index, index + 4096));
  expect((await client.readThrough(readyForQuery("I"))).toString("latin1")).toContain("40000000");
  client.close();
});

test("a client that leaves in the midst of an answer leaves nothing to the next", async () => {
  for (const opening of ["", "begin; delete from long_rows; "]) {
    const client = await WireClient.open(socket.port, password);
    client.send(simpleQuery(`${opening}${manyRows}`));
    await client.read(1000);
    client.close();
    await expectService();
  }
});

test("a client that sends its last message and closes its side gets the answer", async () => {
  const expected = await answerTo(simpleQuery(longRows));
  const client = await WireClient.open(socket.port, password);
  client.socket.end(simpleQuery(longRows));
  expect(hashOf(await client.readToEnd())).toEqual(hashOf(expected));
});

test.each([
  ["after an error before its Sync", [simpleQuery("begin"), extendedQuery("select nothing")], "E"],
  ["after a statement before its Sync", [extendedQuery("insert into notes values ('lost')")], "C"],
])("what a client leaves %s is undone", async (_name, messages, type) => {
  const client = await WireClient.open(socket.port, password);
  for (const message of messages) client.send(message);
  client.send(wireMessage("H"));
  await client.readThrough(Buffer.from(type === "E" ? "parse_relation.c" : "INSERT 0 1\0"));
  client.close();
  const other = new pg.Client({
    host: "127.0.0.1",
    port: socket.port,
    user: "postgres",
    database: "postgres",
    password,
  });
  await other.connect();
  expect((await other.query("select * from notes")).rows).toEqual([]);
  await other.end();
});

test.each(["begin", "begin; select nothing"])(
  "a transaction that is left open (%s) is not the next one's",
  async (left) => {
    await lock.run((held) => held.exec(left)).catch(() => undefined);
    const client = await WireClient.open(socket.port, password);
    client.send(simpleQuery("select 'served'"));
    expect((await client.readThrough(readyForQuery("I"))).toString("latin1")).toContain("served");
    client.close();
    expect(await lock.run(async (held) => (await held.query("select 1 as one")).rows)).toEqual([{ one: 1 }]);
  },
);

test("clients that never read keep nobody from the session", async () => {
  const clients = await Promise.all(Array.from({ length: 4 }, () => WireClient.open(socket.port, password)));
  for (const client of clients) {
    client.socket.pause();
    client.send(Buffer.concat(Array.from({ length: 5 }, () => simpleQuery(longRows))));
    client.send(Buffer.concat([extendedQuery(longRows), sync]));
  }
  const client = await WireClient.open(socket.port, password);
  client.send(simpleQuery("select 'served'"));
  expect((await client.readThrough(readyForQuery("I"))).toString("latin1")).toContain("served");
  client.close();
  expect(await lock.run(async (held) => (await held.query("select 1 as one")).rows)).toEqual([{ one: 1 }]);
  for (const client of clients) client.close();
});

test.each([
  ["reads nothing", simpleQuery(`begin; ${longRows}`), "T"],
  ["sends nothing", simpleQuery("begin; select 1"), "T"],
  ["sends no Sync", Buffer.concat([extendedQuery("select 1"), wireMessage("H")]), undefined],
])(
  "a client that holds the session and %s is told so, after its answer, and sent away",
  async (_name, message, status) => {
    const expected = await answerTo(message);
    const { port } = await listen({ maximumIdleMs: 20 });
    const client = await WireClient.open(port, password);
    client.socket.pause();
    client.send(message);
    // Waits for the session, which only the server can take from the client.
    await expectService();
    const answer = await client.readToEnd();
    if (status !== undefined) {
      expect(hashOf(answer.subarray(0, expected.length))).toEqual(hashOf(expected));
    }
    expect(answer.toString("latin1")).toMatch(/SFATAL\0VFATAL\0C25P03\0M[^\0]+\0\0$/);
  },
);

test.each([
  ["longer than what is kept for a client", { memoryBytes: 100_000, maximumAnswerBytes: 1_000_000 }, "53400"],
  ["for which the disk has no room", { memoryBytes: 100_000, folder: "/nowhere/at/all" }, "53100"],
])("an answer %s ends with a whole message, an error and the connection", async (_name, options, code) => {
  const expected = await answerTo(simpleQuery(longRows));
  const { port } = await listen(options);
  const client = await WireClient.open(port, password);
  client.send(simpleQuery(longRows));
  const answer = await client.readToEnd();
  const error = answer.lastIndexOf(Buffer.from("SFATAL\0"));
  const rows = answer.subarray(0, error - 5);
  expect(rows.length).toBeGreaterThan(50_000);
  expect(hashOf(rows)).toEqual(hashOf(expected.subarray(0, rows.length)));
  let end = 0;
  while (end < rows.length) end += 1 + rows.readInt32BE(end + 1);
  expect(end).toBe(rows.length);
  expect(answer.toString("latin1", error)).toMatch(new RegExp(`C${code}\\0M[^\\0]+\\0\\0$`));
  await expectService();
});

test("no file is left of what waited for its reader", async () => {
  const { port } = await listen({ memoryBytes: 1000 });
  await expectService(port);
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ["an unknown type", wireMessage("z", "")],
  ["a password out of turn", wireMessage("p", "secret\0")],
  ["a Sync of 20,000 bytes", wireMessage("S", Buffer.alloc(20_000))],
  ["a statement without its end", wireMessage("Q", "select 1")],
  ["a copy from the client, with a comment in between", simpleQuery("copy notes from/**/stdin")],
  [
    "a prepared copy from the client, with a comment in between",
    Buffer.concat([extendedQuery("copy notes from/**/stdin"), sync]),
  ],
  ["data for no copy", Buffer.concat([wireMessage("d", "x\n"), wireMessage("c"), simpleQuery("select 1")])],
])("the database outlives %s, which is answered", async (_name, bytes) => {
  const client = await WireClient.open(socket.port, password);
  client.send(bytes);
  expect((await client.read(5)).length).toBe(5);
  client.close();
  await expectService();
});

test("a goodbye ends the connection", async () => {
  const leaving = await WireClient.open(socket.port, password);
  leaving.send(wireMessage("X"));
  expect(await leaving.readToEnd()).toHaveLength(0);
});
