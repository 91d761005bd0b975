import { createHash } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { openR2Bucket } from "../../cli/snapshot/buckets.ts";
import { type Bucket, keepLatestPublished, publishSnapshot } from "../../cli/snapshot/publish.ts";
import { connectPostgres } from "../../database/postgres.ts";

const connection = await connectPostgres(process.env.DATABASE_URL ?? "");
afterAll(() => connection.close());

const name = process.env.SNAPSHOT_BUCKET ?? "";
const location = `r2:${name}`;
const bucket = openR2Bucket(name, ["--local", "--persist-to", process.env.SNAPSHOT_BUCKET_STATE ?? ""]);
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${process.env.API_BASE_URL}/snapshots${path}`, {
    headers: { authorization: `Bearer ${process.env.API_KEY}`, ...headers },
  });

test("a snapshot that was published to R2 is listed, downloaded and, when it is old, removed", {
  timeout: 300_000,
}, async () => {
  const first = await publishSnapshot(connection, location, bucket);
  const { results } = (await (await get("")).json()) as { results: object[] };
  expect(results[0]).toEqual(first);

  for (const { name: file, sha256, bytes } of first.datasets.grants.files) {
    const response = await get(`/latest/${file}`);
    const body = Buffer.from(await response.arrayBuffer());
    expect([response.status, body.length, createHash("sha256").update(body).digest("hex")]).toEqual([
      200,
      bytes,
      sha256,
    ]);
    const rest = await get(`/${first.id}/${file}`, { range: "bytes=100-" });
    expect([rest.status, rest.headers.get("content-range")]).toEqual([206, `bytes 100-${bytes - 1}/${bytes}`]);
    expect(Buffer.from(await rest.arrayBuffer()).equals(body.subarray(100))).toBe(true);
    expect((await get(`/latest/${file}`, { "if-none-match": `"${sha256}"` })).status).toBe(304);
  }

  // Wrangler takes three seconds for a file. Of the second snapshot, what is asked for below goes to the bucket, and of the first, two files go.
  const changes = "grants.changes.jsonl.gz";
  const briefly: Bucket = {
    upload: async (path, file, type) => {
      if (path.endsWith(changes)) await bucket.upload(path, file, type);
    },
    remove: (paths) => bucket.remove(paths.slice(0, 2)),
  };
  const second = await publishSnapshot(connection, location, briefly);
  expect(second.previous).toBe(first.id);
  expect(await keepLatestPublished(connection, location, briefly, 1)).toEqual([first.id]);
  expect((await get(`/${first.id}`)).status).toBe(404);
  expect((await get(`/${second.id}/${changes}`)).status).toBe(200);
});
