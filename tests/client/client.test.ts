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
  await promisify(execFile)(join(root, "scripts/client-types.sh"), ["--check"]);
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
