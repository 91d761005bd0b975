import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyDemoFolder } from "../server/demo-folder.ts";
import { freePort, type ServerProcess, startServer } from "../server/server-process.ts";
import { type Consumer, makeConsumer, root } from "./consumer.ts";
import { runtimes } from "./runtimes.ts";

const run = promisify(execFile);

let data: string;
let server: ServerProcess;
let consumer: Consumer;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "funding-client-"));
  [server, consumer] = await Promise.all([
    startServer({ DATA_DIR: await copyDemoFolder(join(data, "data")), PORT: String(await freePort()) }),
    makeConsumer(),
  ]);
});
afterAll(async () => {
  await server.end("SIGTERM");
  await consumer.remove();
  await rm(data, { recursive: true, force: true });
});

test("its types are those of the OpenAPI document", async () => {
  await run(join(root, "scripts/client-types.sh"), ["--check"]);
});

test("the package holds the compiled modules, their types, the README and the licence", () => {
  const others = consumer.packed.filter((path) => !/^dist\/[\w./-]+\.(js|d\.ts)$/.test(path));
  expect(others).toEqual(["LICENSE", "README.md", "package.json"]);
  expect(consumer.packed).toEqual(
    expect.arrayContaining(["dist/index.js", "dist/index.d.ts", "dist/webhooks/index.js"]),
  );
});

/** A delivery as the service signs it. */
function delivery() {
  const secret = `whsec_${Buffer.from("a secret of thirty-two bytes !!!").toString("base64")}`;
  const body = JSON.stringify({ id: "event-1", event: "grant.created", data: {} });
  const sentAt = Date.now();
  const timestamp = String(Math.floor(sentAt / 1000));
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return {
    body,
    secret,
    sentAt,
    headers: {
      "x-service-signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
      "webhook-id": "event-1",
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${createHmac("sha256", key).update(`event-1.${timestamp}.${body}`).digest("base64")}`,
    },
  };
}

test("brings the command funding, which logs in, lists and shows", async () => {
  const bin = join(consumer.folder, "node_modules/.bin/funding");
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: join(consumer.folder, "configuration") };
  const funding = (words: string[], input = "") => {
    const running = run(bin, words, { env });
    running.child.stdin?.end(input);
    return running;
  };
  const { base_url, api_key } = server.ready;
  expect((await funding(["login"], `${base_url}\n${api_key}\n`)).stderr).toContain("credentials.json");
  const { stdout } = await funding(["grants", "--states", "OH", "--limit", "2"]);
  const [id = ""] = /[0-9a-f-]{36}/.exec(stdout) ?? [];
  expect((await funding(["show", id])).stdout).toContain(id);
  await expect(funding(["grants", "--limit", "0"])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/limit/),
  });
  // A reader that has enough ends it without a word.
  const { stderr } = await run("sh", ["-c", `"${bin}" grants --all --opportunity-type all --json | head -1`], {
    env,
  });
  expect(stderr).toBe("");
});

describe.each(Object.keys(runtimes))("installed from its tarball, on %s", (name) => {
  test("lists, iterates, counts, gets, searches, names problems and verifies webhooks", async () => {
    const input = {
      baseUrl: server.ready.base_url,
      apiKey: server.ready.api_key,
      freeApiKey: server.ready.free_api_key,
      delivery: delivery(),
    };
    const report = (await runtimes[name]?.(consumer.folder, input)) as Record<string, unknown>;
    expect(report).toEqual({
      counted: report.total,
      total: expect.any(Number),
      iterated: report.total,
      distinct: report.total,
      single: true,
      missing: true,
      funders: 3,
      several: [2, "limit"],
      found: ["grants", "grants"],
      forbidden: "forbidden",
      invalid: "invalid-parameters",
      aborted: "AbortError",
      webhook: "grant.created",
      signatureHeader: "grant.created",
      forged: "WebhookVerificationError",
    });
    // More than one page of a hundred.
    expect(report.total).toBeGreaterThan(200);
  });
});
