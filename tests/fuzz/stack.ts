import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { signingKeyOf } from "../../local/auth/signing-key.ts";
import { copyDemoFolder } from "../server/demo-folder.ts";
import { freePort, startServer } from "../server/server-process.ts";
import { createPeople, type Person } from "../support/people.ts";
import type { ProcessTree } from "./memory.ts";
import { idsAt, type World } from "./world.ts";

/** A stack to send requests to. */
export interface Stack {
  world: World;
  /** Processes whose memory must not grow. */
  processes: ProcessTree[];
  /** Lines of the log that say something went wrong on our side; none where the log is not ours to read. */
  errors(): string[];
  close(): Promise<void>;
}

const billingSecret = "whsec_for_tests_alone";
const dispatchSecret = "dispatch-secret-of-the-tests";

/** `npm start` on a data folder of its own. */
export async function startEmbedded(): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), "funding-fuzz-"));
  const server = await startServer({
    DATA_DIR: await copyDemoFolder(join(folder, "data")),
    PORT: String(await freePort()),
    STRIPE_WEBHOOK_SECRET: billingSecret,
    DISPATCH_SECRET: dispatchSecret,
  });
  let log = "";
  server.process.stderr?.on("data", (data) => {
    log += data;
  });
  const { base_url, api_key, limited_api_key, free_api_key, sign_in_link } = server.ready;
  const baseUrl = new URL(base_url);
  return {
    world: {
      baseUrl,
      keys: { developer: api_key, limited: limited_api_key, free: free_api_key },
      token: await signIn(baseUrl.origin, sign_in_link),
      ids: await idsAt(baseUrl, api_key),
      billingSecret,
      dispatchSecret,
      hasPages: true,
    },
    processes: [{ name: "npm start", pid: server.process.pid ?? 0 }],
    errors: () => errorsIn(log),
    async close() {
      await server.end("SIGTERM");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function errorsIn(log: string): string[] {
  return log.split("\n").filter((line) => /"level":"error"|uncaught|panicked/i.test(line));
}

/** Gives somebody an account whose subscription includes webhooks. */
async function subscribe(connection: Connection, baseUrl: URL, person: Person): Promise<void> {
  await fetch(`${baseUrl}/account-api`, { headers: { authorization: `Bearer ${await person.token()}` } });
  await connection.query(
    "insert into funding.subscriptions (account_id, tier) select id, 'developer' from funding.accounts where email = $1",
    [person.email],
  );
}

/** The access token that a sign-in link gives. */
async function signIn(origin: string, link: string): Promise<string> {
  const token_hash = new URLSearchParams(new URL(link).hash.slice(1)).get("token_hash");
  const answer = await fetch(`${origin}/auth/v1/verify`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token_hash, type: "email" }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/**
 * A deployment that the environment describes: native.sh sets it up.
 *
 * @param log the file that its functions log to.
 */
export async function givenStack(processes: ProcessTree[], log: string | undefined): Promise<Stack> {
  const baseUrl = new URL(required("API_BASE_URL"));
  const connection = await connectPostgres(required("DATABASE_URL"));
  try {
    const key = await signingKeyOf(JSON.parse(required("AUTH_SIGNING_KEY")));
    const person = await createPeople(connection, key, required("AUTH_ISSUER")).newPerson();
    await subscribe(connection, baseUrl, person);
    return {
      world: {
        baseUrl,
        keys: { developer: required("API_KEY"), limited: required("LIMITED_API_KEY"), free: required("FREE_API_KEY") },
        token: await person.token(),
        ids: await idsAt(baseUrl, required("API_KEY")),
        billingSecret: required("STRIPE_WEBHOOK_SECRET"),
        dispatchSecret: required("DISPATCH_SECRET"),
        hasPages: false,
      },
      processes,
      errors: () => (log === undefined ? [] : errorsIn(readFileSync(log, "utf8"))),
      close: async () => undefined,
    };
  } finally {
    await connection.close();
  }
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: tests/fuzz/native.sh sets all that a deployment needs`);
  return value;
}
