import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PublicStatus } from "../../status/public.ts";
import { waitUntil } from "../support/wait-until.ts";
import { freePort, run, type ServerProcess, startServer } from "./server-process.ts";

let folder: string;
let port: number;
let environment: { DATA_DIR: string; PORT: string; HTTP_PROXY: string };
let server: ServerProcess;

const get = (path: string, key = server.ready.api_key) =>
  fetch(`${server.ready.base_url}${path}`, { headers: { authorization: `Bearer ${key}` } });

interface Asked {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Sends a request by Node's own client, which decompresses nothing. */
function ask(path: string, headers: Record<string, string>, method = "GET"): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const options = { method, headers: { authorization: `Bearer ${server.ready.api_key}`, ...headers } };
    const sent = request(`${server.ready.base_url}${path}`, options, async (response) =>
      resolve({
        status: response.statusCode,
        headers: response.headers,
        body: Buffer.concat(await response.toArray()),
      }),
    );
    sent.on("error", reject).end();
  });
}

/** Headers that describe the answer. Whether its length is said, or it is cut into pieces, is the connection's matter. */
function described({ headers }: Asked): Record<string, unknown> {
  const volatile = "x-request-id server-timing date content-length transfer-encoding connection keep-alive".split(" ");
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !volatile.includes(name)));
}

async function total(path: string): Promise<number> {
  const { total } = (await (await get(path)).json()) as { total: number };
  return total;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-server-"));
  port = await freePort();
  // A proxy that answers nothing: this machine is not asked through it.
  environment = { DATA_DIR: join(folder, "data"), PORT: String(port), HTTP_PROXY: "http://127.0.0.1:9" };
  // As somebody made it beforehand, open to everybody.
  await mkdir(environment.DATA_DIR);
  await chmod(environment.DATA_DIR, 0o777);
  // And as an earlier start left it, killed while it made the database.
  await mkdir(join(environment.DATA_DIR, "postgres/base"), { recursive: true });
  await writeFile(join(environment.DATA_DIR, "postgres/PG_VERSION"), "18\n");
  await writeFile(join(environment.DATA_DIR, "creating-database"), "");
  server = await startServer(environment);
});
afterAll(async () => {
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

describe("npm start", () => {
  test("prints where the API and the database are, three keys, and a curl line that works", async () => {
    expect(server.ready.base_url).toBe(`http://127.0.0.1:${port}/functions/v1`);
    expect(server.ready.database_url).toMatch(/^postgresql:\/\//);
    for (const key of [server.ready.api_key, server.ready.limited_api_key, server.ready.free_api_key]) {
      expect(key).toMatch(/^fo_live_[0-9A-Za-z]{38}$/);
    }
    const line = server.stdout.split("\n").find((each) => each.startsWith("curl ")) ?? "";
    const { stdout } = await promisify(execFile)("bash", ["-c", line.replace("curl", "curl --silent")]);
    expect((JSON.parse(stdout) as { results: unknown[] }).results).toHaveLength(3);
  });

  test("serves about 3,000 grants, 1,200 contracts and 300 funders", async () => {
    expect(await total("/grants-api?opportunity_type=all&include_archived=true&count_only=true")).toBe(3000);
    expect(await total("/contracts-api?opportunity_type=all&include_archived=true&count_only=true")).toBe(1200);
    expect(await total("/funders-api?count_only=true")).toBe(300);
  });

  test("compresses answers for clients that accept it, also a CSV, and no others", async () => {
    const decompress = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const path of ["/openapi", "/grants-api?format=csv", "/grants-api?limit=x"]) {
      const plain = await ask(path, {});
      expect(plain.headers["content-encoding"]).toBeUndefined();
      for (const encoding of ["br", "gzip"] as const) {
        const { headers, body } = await ask(path, { "accept-encoding": encoding });
        expect(headers["content-encoding"]).toBe(encoding);
        expect(headers["content-type"]).toBe(plain.headers["content-type"]);
        expect(headers.vary).toMatch(/Accept-Encoding/);
        expect(body.length).toBeLessThan(plain.body.length);
        const lines = (text: Buffer) => text.toString().split("\n").length;
        expect(lines(decompress[encoding](body))).toBe(lines(plain.body));
      }
    }
  });

  test("gives HEAD and a 304 the headers of GET, whether or not the client accepts compressed answers", async () => {
    const { results } = (await (await get("/grants-api?limit=1")).json()) as { results: { id: string }[] };
    const id = results[0]?.id;
    const paths = [
      "/openapi",
      "/grants-api?limit=1",
      "/grants-api?format=csv",
      "/grants-api?count_only=true",
      `/grants-api/${id}`,
    ];
    for (const path of paths) {
      for (const encoding of ["identity", "gzip", "br"]) {
        const accept = { "accept-encoding": encoding };
        const [get, head] = [await ask(path, accept), await ask(path, accept, "HEAD")];
        expect([head.status, head.body.length, described(head)], `${path} ${encoding}`).toEqual([
          200,
          0,
          described(get),
        ]);
        // A CSV is made while it is sent, and a list says how long it took.
        const { "content-length": length = String(get.body.length) } = head.headers;
        if (path === "/openapi" || path.endsWith(`${id}`)) expect(length).toBe(String(get.body.length));
        if (head.headers["content-encoding"] !== undefined) expect(head.headers["content-length"]).toBeUndefined();
        const tag = get.headers.etag;
        if (tag === undefined) continue;
        for (const method of ["GET", "HEAD"]) {
          const { status, headers } = await ask(path, { ...accept, "if-none-match": tag }, method);
          expect([status, headers.etag, headers.vary], `${method} ${path} ${encoding}`).toEqual([
            304,
            tag,
            get.headers.vary,
          ]);
        }
      }
    }
  });

  test("keeps other users of the machine out of its database, whatever mode the data folder had", async () => {
    const permissions = async (name: string) => (await stat(join(environment.DATA_DIR, name))).mode & 0o777;
    expect(await permissions("postgres")).toBe(0o700);
    for (const name of await readdir(environment.DATA_DIR)) {
      expect([name, (await permissions(name)) & 0o022]).toEqual([name, 0]);
      if (name !== "lock") expect([name, (await permissions(name)) & 0o077]).toEqual([name, 0]);
    }
    expect((await permissions(".")) & 0o022).toBe(0);
  });

  test("makes a database again that an earlier start made in part", async () => {
    expect(await readdir(environment.DATA_DIR)).not.toContain("creating-database");
    expect(await readdir(join(environment.DATA_DIR, "postgres"))).toContain("pg_wal");
  });

  test("gives each printed key its tier", async () => {
    const unlimited = await get("/grants-api?limit=1");
    expect([unlimited.status, unlimited.headers.get("x-ratelimit-limit")]).toEqual([200, "-1"]);
    const limited = await get("/grants-api?limit=1", server.ready.limited_api_key);
    expect([limited.status, limited.headers.get("x-ratelimit-limit")]).toEqual([200, "100"]);
    expect((await get("/grants-api?limit=1", server.ready.free_api_key)).status).toBe(403);
  });

  test("finds itself well, whatever proxy the environment names", async () => {
    const read = () => fetch(`http://127.0.0.1:${port}/status.json`);
    await waitUntil(async () => (await read()).ok, "the first check");
    const { slots, outages } = (await (await read()).json()) as PublicStatus;
    expect(outages).toEqual([]);
    expect(slots.known).toBeGreaterThan(0);
    expect(slots.ready).toBe(slots.known);
  });

  test("answers all seven routes", async () => {
    for (const name of ["grants-api", "contracts-api", "funders-api"]) {
      const list = (await (await get(`/${name}?limit=1`)).json()) as { results: { id: string }[] };
      const single = await get(`/${name}/${list.results[0]?.id}`);
      expect([single.status, await single.json()]).toEqual([200, list.results[0]]);
    }
    const found = await fetch(`${server.ready.base_url}/semantic-search`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.ready.api_key}`, "content-type": "application/json" },
      body: JSON.stringify({ query: "cleaning up polluted lakes", type: "grants" }),
    });
    expect(((await found.json()) as { results: unknown[] }).results.length).toBeGreaterThan(0);
  });

  test.each(["/semantic-search", "/mcp"])(
    "answers a body of over 64 KiB that is sent in pieces to %s with 413",
    async (path) => {
      const pieces = new ReadableStream({
        start(controller) {
          for (let piece = 0; piece < 70; piece++) controller.enqueue(new TextEncoder().encode(" ".repeat(1024)));
          controller.close();
        },
      });
      const response = await fetch(`${server.ready.base_url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${server.ready.api_key}`, "content-type": "application/json" },
        body: pieces,
        duplex: "half",
      } as RequestInit);
      expect(response.status).toBe(413);
    },
  );
});

describe("the database's socket", () => {
  const connect = async () => {
    const client = new pg.Client({ connectionString: server.ready.database_url });
    await client.connect();
    return client;
  };

  test("serves several clients at once, each its own answers", async () => {
    const clients = await Promise.all([connect(), connect(), connect()]);
    await Promise.all(
      clients.map(async (client, index) => {
        for (let round = 0; round < 30; round++) {
          const { rows } = await client.query("select $1::int as value", [index * 1000 + round]);
          expect(rows).toEqual([{ value: index * 1000 + round }]);
        }
      }),
    );
    await Promise.all(clients.map((client) => client.end()));
  });

  test("keeps a client's open transaction apart from the API, and undoes it when the client goes", async () => {
    const client = await connect();
    await client.query("begin");
    await client.query("delete from funding.grants");
    const listed = total("/grants-api?count_only=true");
    await client.end();
    expect(await listed).toBeGreaterThan(0);
  });

  test("outlives what is not the Postgres protocol", async () => {
    const { port: databasePort } = new URL(server.ready.database_url);
    await fetch(`http://127.0.0.1:${databasePort}/`).catch(() => undefined);
    expect((await get("/grants-api?limit=1")).status).toBe(200);
  });

  test("refuses to copy from the client instead of waiting for it", async () => {
    const client = await connect();
    await expect(client.query("copy funding.synonyms (word, means) from stdin")).rejects.toMatchObject({
      code: "0A000",
    });
    expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    await client.end();
    expect((await get("/grants-api?limit=1")).status).toBe(200);
  });

  test.each([
    "set default_transaction_read_only = on",
    "set session authorization anon",
    "set role anon",
    "set search_path = nowhere",
  ])("keeps a client's settings to itself: %s", async (setting) => {
    const client = await connect();
    await client.query(setting);
    expect((await get("/grants-api?limit=1", server.ready.limited_api_key)).status).toBe(200);
    await client.end();
    expect((await get("/grants-api?limit=1", server.ready.limited_api_key)).status).toBe(200);
  });

  test("lets a command work while the server runs", async () => {
    const { output, exit } = run(environment, [
      "npm",
      "run",
      "--silent",
      "key",
      "--",
      "create",
      "developer@demo.example",
    ]);
    expect(await exit).toBe(0);
    const key = /^api_key=(.+)$/m.exec(output.stdout)?.[1] ?? "";
    expect((await get("/grants-api?limit=1", key)).status).toBe(200);
  });
});

describe("one sentence says what prevents a start", () => {
  const refusal = async (changes: Record<string, string>) => {
    const { output, exit } = run({ ...environment, ...changes });
    expect(await exit).not.toBe(0);
    const lines = output.stderr.trim().split("\n");
    return lines.at(-1) ?? "";
  };

  test("a taken port", async () => {
    expect(await refusal({ DATA_DIR: join(folder, "other") })).toBe(
      `Port ${port} is taken: stop what uses it, or set PORT to another one.`,
    );
  });

  test("an invalid variable", async () => {
    expect(await refusal({ PORT: "http" })).toBe('PORT must be a number from 1 to 65534, not "http".');
    expect(await refusal({ DISPATCH: "no" })).toBe('DISPATCH must be on or off, not "no".');
    expect(await refusal({ STATUS_URL: "javascript:alert(1)" })).toBe(
      "STATUS_URL must be the address of the status page, such as https://status.example.org.",
    );
    expect(await refusal({ CLIENT_ADDRESS_HEADER: "x-real-ip, x-forwarded-for" })).toBe(
      'CLIENT_ADDRESS_HEADER is "x-real-ip, x-forwarded-for"; it must be the name of a header, such as x-real-ip.',
    );
  });

  test("a data folder in use", async () => {
    expect(await refusal({ PORT: String(await freePort()) })).toContain("is in use by the server at http://127.0.0.1:");
  });

  test("a data folder with something else where the database would be, which stays", async () => {
    const postgres = join(folder, "foreign/postgres");
    await mkdir(postgres, { recursive: true });
    await writeFile(join(postgres, "init.sql"), "select 1");
    expect(await refusal({ DATA_DIR: join(folder, "foreign"), PORT: String(await freePort()) })).toContain(
      "has a folder postgres with files of something else",
    );
    expect(await readdir(postgres)).toEqual(["init.sql"]);
  });

  test("a data folder that cannot be written", async () => {
    await writeFile(join(folder, "file"), "");
    expect(await refusal({ DATA_DIR: join(folder, "file", "data"), PORT: String(await freePort()) })).toContain(
      "cannot be written",
    );
  });
});

describe("a stop", () => {
  test("and a start without the demo keys' file makes new keys, and keeps the accounts and all else in them", async () => {
    const names = async () => {
      const client = new pg.Client({ connectionString: server.ready.database_url });
      await client.connect();
      const { rows } = await client.query<{ name: string; id: string }>(
        "select name, account_id as id from funding.api_keys where account_id = funding.account_id('developer@demo.example') order by name",
      );
      await client.end();
      return rows;
    };
    const before = await names();
    expect(before.length).toBeGreaterThan(1);
    const former = server.ready;
    await server.end("SIGTERM");
    await rm(join(environment.DATA_DIR, "demo-keys.json"));
    // The folder of a command that was killed while it had a copy of the database, and one that only has such a name.
    for (const name of ["database-copy-aB3dE6", "database-copy-of-mine"]) await mkdir(join(environment.DATA_DIR, name));
    server = await startServer(environment);
    expect(await names()).toEqual(before);
    expect([
      (await get("/grants-api?limit=1")).status,
      (await get("/grants-api?limit=1", former.api_key)).status,
    ]).toEqual([200, 401]);
    const copies = (await readdir(environment.DATA_DIR)).filter((name) => name.startsWith("database-copy"));
    expect(copies).toEqual(["database-copy-of-mine"]);
    await rm(join(environment.DATA_DIR, "database-copy-of-mine"), { recursive: true });
  });

  test("on SIGINT and SIGTERM is clean, and a later start has everything", async () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const keys = server.ready;
      expect(await server.end(signal)).toBe(0);
      server = await startServer(environment);
      expect({ ...server.ready, sign_in_link: "" }).toEqual({ ...keys, sign_in_link: "" });
      expect(await total("/funders-api?count_only=true")).toBe(300);
    }
  });

  test("is clean while a client keeps a transaction open", async () => {
    const client = new pg.Client({ connectionString: server.ready.database_url });
    client.on("error", () => undefined);
    await client.connect();
    await client.query("begin");
    expect(await server.end("SIGTERM")).toBe(0);
    server = await startServer(environment);
  });

  test("by SIGKILL loses nothing that was acknowledged", async () => {
    const client = new pg.Client({ connectionString: server.ready.database_url });
    client.on("error", () => undefined);
    await client.connect();
    await client.query(
      "update funding.funders set summary = 'Acknowledged before the end.' where source_id = (select min(source_id) from funding.funders)",
    );
    await killTree(server);
    server = await startServer(environment);
    expect(await total("/funders-api?search=acknowledged&count_only=true")).toBe(1);
  });

  test("a folder made by a newer version is refused", async () => {
    const client = new pg.Client({ connectionString: server.ready.database_url });
    await client.connect();
    await client.query(
      "insert into supabase_migrations.schema_migrations (version, name) values ('99990101000000', 'future')",
    );
    await client.end();
    await server.end("SIGTERM");
    const { output, exit } = run(environment);
    expect(await exit).toBe(1);
    expect(output.stderr).toContain("was made by a newer version");
  });
});

/** Kills npm outright, as a crash or the kernel would; its descendants must not outlive it for long. */
async function killTree(victim: ServerProcess): Promise<void> {
  await victim.end("SIGKILL");
  for (let attempt = 0; attempt < 100; attempt++) {
    const alive = await fetch(`${victim.ready.base_url}/grants-api`).then(
      () => true,
      () => false,
    );
    if (!alive) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the server went on without npm");
}
