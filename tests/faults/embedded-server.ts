import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { serverProgram } from "../../local/deno-command.mjs";
import { freePort } from "../server/server-process.ts";
import { kill, spawnDeno } from "./functions.ts";
import { contract } from "./writer.ts";

/** The embedded server on a data folder. */
export interface EmbeddedServer {
  baseUrl: string;
  apiKey: string;
  /** Signs in once to the account of `apiKey`. */
  signInLink: string;
  session(): Promise<pg.Client>;
  /** SIGKILL, wherever it is. */
  kill(): Promise<void>;
}

const settings = {
  maximum_active_keys: 100_000,
  // The schedule of days in seconds; what decides is the same.
  webhook_retry_seconds: Array.from({ length: 30 }, () => 1),
  webhook_backoff_seconds: [0.2, 1],
  webhook_disable_after: { failures: 100_000, days: 5 },
  webhook_timeout_seconds: 2,
  webhook_lease_seconds: 4,
};

/** A data folder with so few records that a start takes a second: records of the operator's own keep the demo's out. */
export async function prepareFolder(folder: string, records: number): Promise<void> {
  const database = await openPGlite(join(folder, "postgres"));
  const connection = pgliteConnection(database);
  await migrate(connection);
  const batch = Array.from({ length: records }, (_, index) => contract(`first-${index}`));
  await connection.query("select funding.upsert_records('contracts', $1::jsonb)", [JSON.stringify(batch)]);
  for (const [name, value] of Object.entries(settings)) {
    await connection.query("update funding.settings set value = $2::jsonb where name = $1", [
      name,
      JSON.stringify(value),
    ]);
  }
  await connection.close();
}

/** @throws when the server ends before it is ready: the database could not be opened. */
export async function startEmbedded(folder: string): Promise<EmbeddedServer> {
  const port = await freePort();
  const child = spawnDeno(
    [serverProgram],
    { DATA_DIR: folder, PORT: String(port), WEBHOOKS_ALLOW_LOOPBACK: "true" },
    "pipe",
  );
  let output = "";
  child.stdout?.on("data", (data) => {
    if (output.length < 10_000) output += data;
  });
  // Whole lines: output comes in pieces.
  const value = (name: string) => new RegExp(`^${name}=(.+)\\n`, "m").exec(output)?.[1] ?? "";
  while (value("sign_in_link") === "") {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode} before it was ready`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { database_url: connectionString } = JSON.parse(await readFile(join(folder, "server.json"), "utf8"));
  return {
    baseUrl: value("base_url"),
    apiKey: value("api_key"),
    signInLink: value("sign_in_link"),
    async session() {
      const client = new pg.Client({ connectionString });
      client.on("error", () => undefined);
      await client.connect();
      return client;
    },
    kill: () => kill(child),
  };
}
