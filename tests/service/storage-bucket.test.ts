import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSupabaseBucket } from "../../cli/snapshot/buckets.ts";
import { createSupabaseStore } from "../../functions/snapshots/supabase-store.ts";

/**
 * A stand-in for the part of Supabase Storage's HTTP API that is used: buckets, uploads, removals, signed URLs. Storage itself needs
 * Docker.
 */
const objects = new Map<string, string>();
const buckets = new Set<string>();
const prefix = "/storage/v1";
let server: Server;
let project: { url: string; serviceKey: string };
let folder: string;

beforeEach(async () => {
  objects.clear();
  buckets.clear();
  folder = await mkdtemp(join(tmpdir(), "funding-storage-"));
  server = createServer(async (request, response) => {
    const path = decodeURI(request.url ?? "").slice(prefix.length);
    const send = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const body = await text(request);
    if (request.headers.authorization !== "Bearer secret") {
      return void send(400, { statusCode: "403", error: "Unauthorized", message: "invalid signature" });
    }
    if (request.method === "POST" && path === "/bucket") {
      const { id } = JSON.parse(body) as { id: string };
      if (buckets.has(id)) {
        return void send(400, { statusCode: "409", error: "Duplicate", message: "The resource already exists" });
      }
      buckets.add(id);
      return void send(200, { name: id });
    }
    const signed = /^\/object\/sign\/(.+)$/.exec(path)?.[1];
    if (request.method === "POST" && signed !== undefined) {
      if (!objects.has(signed)) {
        return void send(400, { statusCode: "404", error: "not_found", message: "Object not found" });
      }
      return void send(200, { signedURL: `/object/sign/${signed}?token=${JSON.parse(body).expiresIn}` });
    }
    const [, bucket = "", name] = /^\/object\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
    if (!buckets.has(bucket))
      return void send(400, { statusCode: "404", error: "Bucket not found", message: "Bucket not found" });
    if (request.method === "DELETE") {
      for (const removed of JSON.parse(body).prefixes as string[]) objects.delete(`${bucket}/${removed}`);
      return void send(200, []);
    }
    objects.set(`${bucket}/${name}`, `${request.headers["content-type"]} ${body}`);
    send(200, { Id: "x", Key: `${bucket}/${name}` });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  project = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, serviceKey: "secret" };
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("a file that is sent to a bucket is found by its address, until it is removed", async () => {
  const file = join(folder, "grants.csv.gz");
  await writeFile(file, "compressed");
  const bucket = await openSupabaseBucket(project, "catalogue");
  await bucket.upload("2026/grants.csv.gz", file, "application/gzip");
  expect([...objects]).toEqual([["catalogue/2026/grants.csv.gz", "application/gzip compressed"]]);

  const store = createSupabaseStore(project);
  const path = "2026/grants.csv.gz";
  expect(await store.open("supabase:catalogue", path, undefined)).toEqual({
    url: `${project.url}${prefix}/object/sign/catalogue/2026/grants.csv.gz?token=300&download=grants.csv.gz`,
  });
  await bucket.remove([path]);
  expect(objects.size).toBe(0);
  expect(await store.open("supabase:catalogue", path, undefined)).toBeNull();
});

test("a bucket that is there is used", async () => {
  await openSupabaseBucket(project, "catalogue");
  await openSupabaseBucket(project, "catalogue");
  expect([...buckets]).toEqual(["catalogue"]);
});

test("a key that is refused is an error, which names no secret", async () => {
  const wrong = { ...project, serviceKey: "wrong-secret" };
  await expect(openSupabaseBucket(wrong, "catalogue")).rejects.toThrow(
    /^the bucket catalogue could not be created: invalid signature$/,
  );
  await expect(createSupabaseStore(wrong).open("supabase:catalogue", "a/b", undefined)).rejects.toThrow(
    "invalid signature",
  );
});

test("a storage that is away is an error", async () => {
  const away = { url: "http://127.0.0.1:1", serviceKey: "secret" };
  await expect(openSupabaseBucket(away, "catalogue")).rejects.toThrow("the bucket catalogue could not be created");
  await expect(createSupabaseStore(away).open("supabase:catalogue", "a/b", undefined)).rejects.toThrow();
});
