import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectPostgres } from "../../database/postgres.ts";
import { type EmbeddingServer, failWith, startEmbeddingServer } from "../embeddings/server.ts";
import { freePort, type Ready, run } from "../server/server-process.ts";
import { type StripeServer, startStripeServer } from "../support/stripe-server.ts";
import { newEnvironment, secretsOf } from "./environment.ts";
import { findSecrets } from "./find.ts";
import { sendTraffic, type Traffic } from "./traffic.ts";

let folder: string;
let provider: EmbeddingServer;
let stripe: StripeServer;
let server: ReturnType<typeof run>;
let refused: { stdout: string; stderr: string };
/** End of the server's first lines, which show the demo's keys and its sign-in link. */
let shown: number;
let secrets: Record<string, string>;
let traffic: Traffic;

beforeAll(async () => {
  provider = await startEmbeddingServer();
  provider.always(failWith(401));
  // With another key: it refuses ours, and repeats it in its answer.
  stripe = await startStripeServer();
  folder = await mkdtemp(join(tmpdir(), "funding-secrets-"));
  const environment = newEnvironment(provider.url, stripe.url);
  const address = { DATA_DIR: join(folder, "data"), PORT: String(await freePort()) };
  server = run({ ...environment, ...address });
  const ready = await untilReady();
  shown = server.output.stdout.length;

  const database = await connectPostgres(ready.database_url);
  await database.execute(`update funding.settings set value = '"openai/test-model"' where name = 'embedding_model'`);
  await database.execute(`select funding.attach_customer('developer@demo.example', 'cus_ofTheSecrets')`);
  await database.close();
  const session = await signIn(ready.sign_in_link);
  const demo = { developer: ready.api_key, limited: ready.limited_api_key, free: ready.free_api_key };
  const own = secretsOf(environment);
  traffic = await sendTraffic({
    baseUrl: ready.base_url,
    apiKeys: Object.values(demo),
    accessToken: session.access_token,
    metricsSecret: environment.METRICS_SECRET,
    dispatchSecret: environment.DISPATCH_SECRET,
    others: { ...own, refresh_token: session.refresh_token },
  });
  secrets = { ...own, ...demo, ...session, ...traffic.made };

  // A second server on the same folder and port ends with an error.
  const second = run({ ...environment, ...address });
  await second.exit;
  refused = second.output;
});
afterAll(async () => {
  server.process.kill("SIGTERM");
  await server.exit;
  await provider.close();
  await stripe.close();
  await rm(folder, { recursive: true, force: true });
});

async function untilReady(): Promise<Ready> {
  let isOver = false;
  void server.exit.then(() => {
    isOver = true;
  });
  while (!/^curl .*\n/m.test(server.output.stdout)) {
    if (isOver) throw new Error(`the server ended: ${server.output.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const lines = [...server.output.stdout.matchAll(/^(\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]);
  return Object.fromEntries(lines) as Ready;
}

async function signIn(link: string): Promise<{ access_token: string; refresh_token: string }> {
  const { origin, hash } = new URL(link);
  const response = await fetch(`${origin}/auth/v1/verify`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token_hash: new URLSearchParams(hash.slice(1)).get("token_hash"), type: "email" }),
  });
  const { access_token, refresh_token } = (await response.json()) as { access_token: string; refresh_token: string };
  return { access_token, refresh_token };
}

test("the traffic used the secrets, and the log told of it", () => {
  const statuses = new Set(traffic.exchanges.map(({ status }) => status));
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 503]));
  const lines = server.output.stderr.split("\n").filter((line) => line.includes('"request_id"'));
  expect(lines.length).toBeGreaterThan(traffic.exchanges.length);
  expect(provider.requests.length).toBeGreaterThan(0);
});

test("no secret is in the log", () => {
  expect(findSecrets(server.output.stderr + server.output.stdout.slice(shown), secrets)).toEqual([]);
});

test("no secret is in an answer", () => {
  expect(traffic.exchanges.flatMap(({ answer }) => findSecrets(answer, secrets))).toEqual([]);
});

test("no secret is in what a server prints that cannot start", () => {
  expect(refused.stderr).not.toBe("");
  expect(findSecrets(refused.stdout + refused.stderr, secrets)).toEqual([]);
});
