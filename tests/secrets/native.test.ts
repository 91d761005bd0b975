import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { signingKeyOf } from "../../local/auth/signing-key.ts";
import { type EmbeddingServer, failWith, startEmbeddingServer } from "../embeddings/server.ts";
import { freePort, run } from "../server/server-process.ts";
import { createPeople } from "../support/people.ts";
import { type StripeServer, startStripeServer } from "../support/stripe-server.ts";
import { newEnvironment, secretsOf } from "./environment.ts";
import { findSecrets } from "./find.ts";
import { sendTraffic, type Traffic } from "./traffic.ts";

const {
  DATABASE_URL = "",
  AUTH_ISSUER = "",
  AUTH_SIGNING_KEY = "",
  SERVICE_ROLE_KEY = "",
  JWT_SECRET = "",
  API_KEY = "",
  LIMITED_API_KEY = "",
  FREE_API_KEY = "",
  STACK_LOGS = "",
} = process.env;

let connection: Connection;
let provider: EmbeddingServer;
let stripe: StripeServer;
let functions: ReturnType<typeof run>;
let broken: { stdout: string; stderr: string };
let secrets: Record<string, string>;
let traffic: Traffic;

beforeAll(async () => {
  connection = await connectPostgres(DATABASE_URL);
  provider = await startEmbeddingServer();
  provider.always(failWith(401));
  // With another key: it refuses ours, and repeats it in its answer.
  stripe = await startStripeServer();
  const environment = newEnvironment(provider.url, stripe.url);
  const port = await freePort();
  functions = serve(port, environment);
  const baseUrl = `http://127.0.0.1:${port}/functions/v1`;
  await untilItAnswers(`${baseUrl}/health/ready`);
  await connection.execute(`update funding.settings set value = '"openai/test-model"' where name = 'embedding_model'`);

  const people = createPeople(connection, await signingKeyOf(JSON.parse(AUTH_SIGNING_KEY)), AUTH_ISSUER);
  const person = await people.newPerson();
  const accessToken = await person.token();
  await fetch(`${baseUrl}/account-api`, { headers: { authorization: `Bearer ${accessToken}` } });
  await connection.query("select funding.set_tier($1, 'developer')", [person.email]);
  await connection.query("select funding.attach_customer($1, 'cus_ofTheSecrets')", [person.email]);
  const own = secretsOf(environment);
  const stack = { SERVICE_ROLE_KEY, JWT_SECRET, database_password: new URL(DATABASE_URL).password };
  const keys = { API_KEY, LIMITED_API_KEY, FREE_API_KEY };
  traffic = await sendTraffic({
    baseUrl,
    apiKeys: Object.values(keys),
    accessToken,
    metricsSecret: environment.METRICS_SECRET,
    dispatchSecret: environment.DISPATCH_SECRET,
    others: { ...own, ...stack },
  });
  secrets = { ...own, ...stack, ...keys, accessToken, ...traffic.made };

  // A deployment with a mistake in it: every request throws before it is one.
  const brokenPort = await freePort();
  const mistaken = serve(brokenPort, { ...environment, DATABASE_CONCURRENCY: "many" });
  await untilItAnswers(`http://127.0.0.1:${brokenPort}/functions/v1/grants-api`, 500, API_KEY);
  mistaken.process.kill("SIGTERM");
  await mistaken.exit;
  broken = mistaken.output;
});
afterAll(async () => {
  functions.process.kill("SIGTERM");
  await functions.exit;
  await provider.close();
  await stripe.close();
  await connection.close();
});

function serve(port: number, environment: Record<string, string>) {
  const { SUPABASE_URL = "" } = process.env;
  const command = ["node", "local/deno.mjs", "tests/native/functions.ts", String(port)];
  return run({ ...environment, SUPABASE_URL, SUPABASE_SERVICE_ROLE_KEY: SERVICE_ROLE_KEY }, command);
}

async function untilItAnswers(url: string, status = 200, key = ""): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  for (let attempt = 0; attempt < 300; attempt++) {
    const answered = await fetch(url, { headers }).then(
      (response) => response.status,
      () => 0,
    );
    if (answered === status) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer ${status}`);
}

test("the traffic used the secrets, and the logs told of it", () => {
  const statuses = new Set(traffic.exchanges.map(({ status }) => status));
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 503]));
  const lines = functions.output.stdout.split("\n").filter((line) => line.includes('"request_id"'));
  expect(lines.length).toBeGreaterThan(traffic.exchanges.length / 2);
  expect(readFileSync(join(STACK_LOGS, "postgres.log"), "utf8")).toMatch(/list_grants/);
  expect(provider.requests.length).toBeGreaterThan(0);
});

test("no secret is in the log", () => {
  expect(findSecrets(functions.output.stdout + functions.output.stderr, secrets)).toEqual([]);
});

test("no secret is in an answer", () => {
  expect(traffic.exchanges.flatMap(({ answer }) => findSecrets(answer, secrets))).toEqual([]);
});

test("no secret is in what the database and PostgREST log, with every statement and its parameters", () => {
  const found = readdirSync(STACK_LOGS).flatMap((name) =>
    findSecrets(readFileSync(join(STACK_LOGS, name), "utf8"), secrets),
  );
  // PostgREST hands the headers of a request to the database, as a parameter of its first statement: our own key among
  // them, which the gateway before it asks for. docs/operate/monitor.md says what to do about it.
  const fromPostgrest = /^SERVICE_ROLE_KEY: .* authenticator DETAIL: {2}parameters: \$1 = '"public", /;
  expect(found.filter((line) => !fromPostgrest.test(line))).toEqual([]);
});

test("no secret is in what a function prints that fails before it can answer", () => {
  expect(broken.stderr).toMatch(/DATABASE_CONCURRENCY/);
  expect(findSecrets(broken.stdout + broken.stderr, secrets)).toEqual([]);
});
