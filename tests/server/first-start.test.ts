import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { denoArguments, denoBinary, serverProgram } from "../../local/deno-command.mjs";
import type { PublicStatus } from "../../status/public.ts";
import { waitUntil } from "../support/wait-until.ts";
import { openReceiver, type Receiver } from "../webhooks/receiver.ts";
import { freePort, type Ready, readyValues, run } from "./server-process.ts";

let folder: string;
let receiver: Receiver;
let environment: { DATA_DIR: string; PORT: string; WEBHOOKS_ALLOW_LOOPBACK: string };
let server: ReturnType<typeof run>;
let ready: Ready;

const isFitted = () => /^curl /m.test(server.output.stdout);
const get = (path: string, key = ready.api_key) =>
  fetch(`${ready.base_url}${path}`, { headers: { authorization: `Bearer ${key}` } });
const modeOf = async (path: string) => {
  const response = await get(path);
  return [response.status, ((await response.json()) as { meta?: { search_mode: string } }).meta?.search_mode];
};
const total = async (path: string) => ((await (await get(path)).json()) as { total: number }).total;

/** Calls the account API as the person whom the sign-in link is for. */
async function post(path: string, token: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(`${ready.base_url}/account-api${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}

async function signIn(): Promise<string> {
  const response = await fetch(`${new URL(ready.base_url).origin}/auth/v1/verify`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      token_hash: new URLSearchParams(new URL(ready.sign_in_link).hash.slice(1)).get("token_hash"),
      type: "email",
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Starts the server's own process, and kills it outright once its output matches. @returns what it printed on standard output. */
async function startAndKill(when: RegExp, variables = environment): Promise<string> {
  const child = spawn(denoBinary() ?? "", denoArguments([serverProgram], variables.DATA_DIR), {
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  let out = "";
  let all = "";
  child.stdout.on("data", (part) => {
    out += part;
    all += part;
  });
  child.stderr.on("data", (part) => {
    all += part;
  });
  await waitUntil(() => when.test(all) || child.exitCode !== null, String(when));
  child.kill("SIGKILL");
  await ended;
  expect(all).toMatch(when);
  return out;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-first-"));
  receiver = await openReceiver();
  environment = {
    DATA_DIR: join(folder, "data"),
    PORT: String(await freePort()),
    WEBHOOKS_ALLOW_LOOPBACK: "true",
  };
  await startAndKill(/loading 500 grants/);
  // Already with requests: the first records are there.
  expect(readyValues(await startAndKill(/loading 1000 grants/)).base_url).toBeDefined();
  const interrupted = readyValues(await startAndKill(/preparing records: /));
  server = run(environment);
  await waitUntil(() => /^sign_in_link=.+$/m.test(server.output.stdout) || server.process.exitCode !== null, "served");
  ready = readyValues(server.output.stdout);
  // The database's port is another one if a program took it in between.
  const kept = (values: Ready) => ({
    ...values,
    sign_in_link: "",
    database_url: values.database_url.replace(/:\d+\//, "/"),
  });
  expect(kept(ready)).toEqual(kept(interrupted));
});
afterAll(async () => {
  server.process.kill("SIGTERM");
  await server.exit;
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

// On a busy machine a first start took minutes before anything was answered: the fit and the dashboard came first.
describe("a first start, which was killed while it loaded, while it loaded the rest and while it fitted, and began again", () => {
  test("answers lists and keyword searches with all records before the lexicon is fitted", async () => {
    expect((await get("/grants-api?search=water&limit=1")).status).toBe(200);
    expect(await modeOf("/grants-api?search=clean+water&sort_by=relevance&limit=1")).toEqual([200, "keyword"]);
    expect(await total("/grants-api?opportunity_type=all&include_archived=true&count_only=true")).toBe(3000);
    expect(await total("/contracts-api?opportunity_type=all&include_archived=true&count_only=true")).toBe(1200);
    expect(await total("/funders-api?count_only=true")).toBe(300);
    expect(isFitted()).toBe(false);
  });

  test("says that search by meaning waits, in its lines, in answers and in /health/ready", async () => {
    expect(server.output.stderr).toContain("ready; search by meaning waits until the lexicon is fitted");
    const semantic = await get("/grants-api?search=clean+water&search_mode=semantic");
    expect([semantic.status, semantic.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await modeOf("/grants-api?search=clean+water&search_mode=hybrid")).toEqual([200, "keyword"]);
    const readiness = await get("/health/ready");
    expect([readiness.status, await readiness.text()]).toEqual([
      503,
      expect.stringContaining("the lexicon is not fitted"),
    ]);
    expect((await get("/health")).status).toBe(200);
    expect(isFitted()).toBe(false);
  });

  test("makes keys, imports and sends webhooks meanwhile", async () => {
    const token = await signIn();
    const { key = "" } = await post("/keys", token, { name: "early" });
    expect((await get("/funders-api?limit=1", key)).status).toBe(200);
    await post("/webhooks", token, { url: receiver.url, events: ["contract.created"] });
    const file = join(folder, "contracts.csv");
    await writeFile(
      file,
      "id,title,description,funder\nE1,Early lighthouse repair,Mending a lighthouse lamp,Harbor Office\n",
    );
    const words = ["import", "--", "csv", file, "--type", "contracts"];
    const { exit, output } = run(environment, ["npm", "run", "--silent", ...words]);
    expect(await exit, output.stderr).toBe(0);
    expect(await total("/contracts-api?search=lighthouse&count_only=true&opportunity_type=all")).toBe(1);
    await waitUntil(() => receiver.received.length > 0, "the webhook");
    expect(receiver.received[0]?.payload.data.title).toBe("Early lighthouse repair");
  });

  test("searches by meaning afterwards, also records that came meanwhile, and answers nothing of before", async () => {
    await waitUntil(isFitted, "fitted");
    expect(server.output.stderr).toMatch(/ s search by meaning is ready$/m);
    for (const mode of ["semantic", "hybrid"]) {
      expect(await modeOf(`/grants-api?search=clean+water&search_mode=${mode}`)).toEqual([200, mode]);
    }
    const found = await get("/contracts-api?search=lighthouse+lamp&search_mode=hybrid&opportunity_type=all&limit=1");
    expect(((await found.json()) as { results: { title: string }[] }).results[0]?.title).toBe(
      "Early lighthouse repair",
    );
    await waitUntil(async () => (await get("/health/ready")).status === 200, "ready");
  });

  test("was never out of order, by its own status", async () => {
    const read = () => fetch(`${new URL(ready.base_url).origin}/status.json`);
    await waitUntil(async () => (await read()).ok, "the first check");
    expect(((await (await read()).json()) as PublicStatus).outages).toEqual([]);
  });

  test("leaves no second fit to the next start", async () => {
    server.process.kill("SIGTERM");
    await server.exit;
    server = run(environment);
    await waitUntil(isFitted, "started");
    expect(server.output.stderr).not.toContain("lexicon");
    expect(JSON.parse(await readFile(join(environment.DATA_DIR, "demo-keys.json"), "utf8")).api_key).toBe(
      ready.api_key,
    );
  });
});

test("records that were imported into an interrupted first start's folder are not joined by more demo records", async () => {
  const own = { ...environment, DATA_DIR: join(folder, "own"), PORT: String(await freePort()) };
  await startAndKill(/loading 500 grants/, own);
  const file = join(folder, "grants.csv");
  await writeFile(file, "id,title,description,funder\nG1,Lighthouse grant,Mending a lighthouse lamp,Harbor Office\n");
  const words = ["import", "--", "csv", file, "--type", "grants"];
  const { exit, output } = run(own, ["npm", "run", "--silent", ...words]);
  expect(await exit, output.stderr).toBe(0);
  const started = run(own);
  await waitUntil(() => /^curl /m.test(started.output.stdout) || started.process.exitCode !== null, "started");
  const { base_url, api_key } = readyValues(started.output.stdout);
  const all = await fetch(`${base_url}/grants-api?opportunity_type=all&include_archived=true&count_only=true`, {
    headers: { authorization: `Bearer ${api_key}` },
  });
  started.process.kill("SIGTERM");
  await started.exit;
  expect(started.output.stderr).toContain("no demo records are added");
  expect(await all.json()).toEqual({ total: 501 });
});
