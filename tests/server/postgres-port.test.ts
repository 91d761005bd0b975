import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readyForQuery, simpleQuery, WireClient } from "../support/postgres-wire.ts";
import { copyDemoFolder } from "./demo-folder.ts";
import { freePort, type ServerProcess, startServer } from "./server-process.ts";

let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-port-"));
  server = await startServer({ DATA_DIR: await copyDemoFolder(join(folder, "data")), PORT: String(await freePort()) });
});
afterAll(async () => {
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

const connect = async () => {
  const client = new pg.Client({ connectionString: server.ready.database_url });
  await client.connect();
  return client;
};
const openWire = () => {
  const { port, password } = new URL(server.ready.database_url);
  return WireClient.open(Number(port), password);
};
const md5 = (text: string) => createHash("md5").update(text).digest("hex");

/** 29 MB and 100 MB of rows with the demo grants' own text: they are read by another client and hashed by the database. */
const statements = [
  "select id, description, repeat(md5(id::text), 300) as filler from funding.grants order by id",
  "select id, description, repeat(md5(id::text), 1050) as filler from funding.grants order by id",
];

async function expectAnswers(statement: string): Promise<void> {
  const client = await connect();
  const { rows } = await client.query<{ id: string; description: string; filler: string }>(statement);
  const hashes = await client.query(
    `select id, md5(description) as description, md5(filler) as filler from (${statement}) as grants order by id`,
  );
  expect(rows.map((row) => ({ id: row.id, description: md5(row.description), filler: md5(row.filler) }))).toEqual(
    hashes.rows,
  );
  expect(rows).toHaveLength(3000);
  await client.end();
}

test.each(statements)("a driver gets the table's own rows, and then the next answer: %s", expectAnswers);

test("100 MB copied to stdout are the rows' bytes, read in stops, while others are served", async () => {
  const client = await openWire();
  client.send(simpleQuery(`copy (${statements[1]}) to stdout`));
  const plain = await connect();
  const { rows } = await plain.query<{ line: string }>("select id::text as line from funding.grants order by id");
  await plain.end();
  let line = 0;
  await client.read(1, () => expectAnswers(statements[0] ?? ""));
  client.socket.pause();
  const listed = await fetch(`${server.ready.base_url}/grants-api?limit=1`, {
    headers: { authorization: `Bearer ${server.ready.api_key}` },
  });
  expect(listed.status).toBe(200);
  client.socket.resume();
  // The first byte was the CopyOutResponse's type.
  await client.read((await client.read(4)).readInt32BE(0) - 4);
  for (;;) {
    const head = await client.read(5);
    const body = await client.read(head.readInt32BE(1) - 4);
    if (head.toString("latin1", 0, 1) !== "d") break;
    const [id, , filler] = body.toString("utf8").trimEnd().split("\t");
    expect([id, filler === md5(id ?? "").repeat(1050)]).toEqual([rows[line]?.line, true]);
    line += 1;
  }
  expect(line).toBe(3000);
  await client.readThrough(readyForQuery("I"));
  client.close();
});

test("a client that leaves in the midst of its answer, in a transaction, hinders nobody", async () => {
  const client = await openWire();
  client.send(simpleQuery(`begin; delete from funding.grants; ${statements[1]?.replace("grants", "contracts")}`));
  await client.read(100);
  client.close();
  await expectAnswers(statements[0] ?? "");
  expect((await readdir(folder)).filter((name) => name.startsWith("answer-"))).toEqual([]);
});
