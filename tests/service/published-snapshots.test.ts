import { createHash } from "node:crypto";
import { access, copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Bucket, keepLatestPublished, publishSnapshot } from "../../cli/snapshot/publish.ts";
import { keepLatest, writeSnapshot } from "../../cli/snapshot/write-snapshot.ts";
import { handle } from "../../functions/snapshots/index.ts";
import type { SnapshotStore } from "../../functions/snapshots/store.ts";
import { createFolderStore } from "../../local/embedded/snapshot-folder.ts";
import { createFundingClient } from "../../packages/client/src/client.ts";
import type { Snapshot } from "../../shared/responses/snapshots.ts";
import { bearer, openTestService, type TestService, testBaseUrl } from "../support/service.ts";

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  service.fetch(`/snapshots${path}`, { method, headers: { ...bearer(key), ...headers } });
const sha256 = (bytes: ArrayBuffer | Buffer) =>
  createHash("sha256")
    .update(bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes)
    .digest("hex");

test("there are none where none are published", async () => {
  const response = await get("");
  expect([response.status, await response.json()]).toEqual([200, { results: [] }]);
  expect((await get("/latest")).status).toBe(404);
});

test("a tier without snapshots is refused, and the request counted", async () => {
  const { key } = await service.newKey("limited", 5);
  for (const path of ["", "/latest", "/latest/grants.csv.gz"]) {
    const response = await service.fetch(`/snapshots${path}`, { headers: bearer(key) });
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { type: "urn:funding-opportunities:problem:not-included" },
    ]);
  }
  const refused = await service.fetch("/snapshots", { headers: bearer(key) });
  expect(refused.headers.get("x-ratelimit-remaining")).toBe("1");
  await service.connection.query("select funding.change_tier('limited', null, null, true)");
  expect((await service.fetch("/snapshots", { headers: bearer(key) })).status).toBe(200);
  expect((await service.fetch("/snapshots", { headers: bearer(key) })).status).toBe(429);
});

describe("snapshots in the data folder", () => {
  const snapshots: Snapshot[] = [];
  beforeAll(async () => {
    for (let count = 0; count < 2; count += 1) {
      snapshots.push(await writeSnapshot(service.connection, service.snapshotFolder));
    }
  });

  test("are listed, newest first, and found by id", async () => {
    const [older, newest] = snapshots;
    expect(await (await get("")).json()).toEqual({ results: [newest, older] });
    expect(await (await get("/latest")).json()).toEqual(newest);
    expect(await (await get(`/${older?.id}`)).json()).toEqual(older);
    const tag = (await get("")).headers.get("etag") ?? "";
    expect((await get("", { "if-none-match": tag })).status).toBe(304);
  });

  test("have files with the digests that they are listed with", async () => {
    const files = Object.values(snapshots[1]?.datasets ?? {}).flatMap(({ files }) => files);
    expect(files).toHaveLength(9);
    for (const file of files) {
      const response = await get(`/latest/${file.name}`);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "application/gzip",
        "content-length": String(file.bytes),
        "content-disposition": `attachment; filename="${file.name}"`,
        etag: `"${file.sha256}"`,
      });
      expect(sha256(await response.arrayBuffer())).toBe(file.sha256);
    }
  });

  test("a client that has the file is told so; HEAD sends none", async () => {
    const { headers } = await get("/latest/grants.csv.gz", {}, "HEAD");
    const tag = headers.get("etag") ?? "";
    const unchanged = await get("/latest/grants.csv.gz", { "if-none-match": tag });
    expect([unchanged.status, await unchanged.text(), unchanged.headers.get("content-type")]).toEqual([304, "", null]);
    const head = await get("/latest/grants.csv.gz", { range: "bytes=5-" }, "HEAD");
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(1_000);
  });

  test("a download that broke off is taken up, unless the file is another", async () => {
    const whole = Buffer.from(await (await get("/latest/grants.jsonl.gz")).arrayBuffer());
    const size = whole.length;
    const tag = `"${sha256(whole)}"`;
    const cases: [Record<string, string>, number, Buffer][] = [
      [{ range: "bytes=1000-" }, 206, whole.subarray(1_000)],
      [{ range: "bytes=1000-", "if-range": tag }, 206, whole.subarray(1_000)],
      [{ range: "bytes=0-0" }, 206, whole.subarray(0, 1)],
      [{ range: `bytes=10-${size * 2}` }, 206, whole.subarray(10)],
      [{ range: "bytes=-7" }, 206, whole.subarray(-7)],
      [{ range: `bytes=-${size * 2}` }, 206, whole],
      [{ range: "bytes=1000-", "if-range": '"another"' }, 200, whole],
      [{ range: `bytes=${size}-` }, 200, whole],
      [{ range: "bytes=9-3" }, 200, whole],
      [{ range: "bytes=-" }, 200, whole],
      [{ range: "bytes=-0" }, 200, whole],
      [{ range: "bytes=0-1,5-6" }, 200, whole],
      [{ range: "lines=1-2" }, 200, whole],
    ];
    for (const [headers, status, expected] of cases) {
      const response = await get("/latest/grants.jsonl.gz", headers);
      expect([headers, response.status]).toEqual([headers, status]);
      expect(Buffer.from(await response.arrayBuffer()).equals(expected)).toBe(true);
      expect(response.headers.get("content-length")).toBe(String(expected.length));
      const start = size - expected.length;
      const range =
        status === 200 ? null : headers.range === "bytes=0-0" ? `0-0/${size}` : `${start}-${size - 1}/${size}`;
      expect(response.headers.get("content-range")).toBe(range && `bytes ${range}`);
    }
  });

  test.each([
    "/latest/manifest.json",
    "/latest/other.csv.gz",
    "/2020-01-01T00-00-00.000Z/grants.csv.gz",
    "/..%2f..%2f/grants.csv.gz",
    "/latest/..%2f..%2fpostgres%2fPG_VERSION",
    "/latest/a/b",
  ])("%s is nothing of a snapshot", async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  test("the client lists and downloads them", async () => {
    const { snapshots: client } = createFundingClient({
      baseUrl: testBaseUrl,
      apiKey: key,
      fetch: (input, init) => service.send(new Request(input, init)),
    });
    expect(await client.list()).toEqual(snapshots.toReversed());
    expect(await client.get()).toEqual(snapshots[1]);
    expect(await client.get("none")).toBeUndefined();
    const [file] = snapshots[1]?.datasets.funders.files ?? [];
    const bytes = await new Response(await client.download("latest", file?.name ?? "")).arrayBuffer();
    expect(sha256(bytes)).toBe(file?.sha256);
    await expect(client.download("latest", "none")).rejects.toThrow("There is no file none of latest.");
  });

  test("unknown parameters are refused", async () => {
    for (const path of ["", "/latest", "/latest/grants.csv.gz"])
      expect((await get(`${path}?format=csv`)).status).toBe(400);
  });

  test("one that goes between listing and opening is not found", async () => {
    const folder = createFolderStore(service.snapshotFolder);
    const store: SnapshotStore = {
      ...folder,
      open: (location, _path, range) => folder.open(location, "gone/grants.csv.gz", range),
    };
    const request = new Request(`${testBaseUrl}/snapshots/latest/grants.csv.gz`, { headers: bearer(key) });
    expect((await handle(request, { ...service.runtime, snapshots: store })).status).toBe(404);
  });

  test("an old one is no longer listed when it is removed", async () => {
    await keepLatest(service.snapshotFolder, 1);
    const { results } = (await (await get("")).json()) as { results: Snapshot[] };
    expect(results.map(({ id }) => id)).toEqual([snapshots[1]?.id]);
  });
});

describe("snapshots in a bucket", () => {
  const location = "supabase:catalogue";
  let folder: string;
  /** Fails the upload of so many files, from the first on. */
  let failures = 0;
  const bucket: Bucket = {
    async upload(path, file) {
      if (path.endsWith("funders.csv.gz") && failures-- > 0) throw new Error("the bucket is full");
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await copyFile(file, join(folder, path));
    },
    async remove(paths) {
      for (const path of paths) await rm(join(folder, path), { force: true });
    },
  };
  const store: SnapshotStore = {
    kind: "supabase",
    async open(location, path) {
      if (path.includes("funders.csv")) throw new Error("the storage is away");
      return { url: `https://storage.example/${location}/${path}` };
    },
  };
  const getFrom = (path: string) =>
    handle(new Request(`${testBaseUrl}/snapshots${path}`, { headers: bearer(key) }), {
      ...service.runtime,
      snapshots: store,
    });
  const ids = async () => {
    const { results } = (await (await getFrom("")).json()) as { results: Snapshot[] };
    return results.map(({ id }) => id);
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "funding-bucket-"));
    await service.connection.execute("delete from funding.snapshots");
    failures = 0;
    return () => rm(folder, { recursive: true });
  });

  test("are listed, described and sent by an address; another kind of bucket has none", async () => {
    const first = await publishSnapshot(service.connection, location, bucket);
    const second = await publishSnapshot(service.connection, location, bucket);
    expect([first.previous, second.previous]).toEqual([null, first.id]);
    expect(await (await getFrom("")).json()).toEqual({ results: [second, first] });
    expect(await (await getFrom("/latest")).json()).toEqual(second);
    const sent = await getFrom(`/${first.id}/grants.csv.gz`);
    expect([sent.status, sent.headers.get("location"), sent.headers.get("content-type")]).toEqual([
      302,
      `https://storage.example/${location}/${first.id}/grants.csv.gz`,
      null,
    ]);
    expect((await getFrom(`/${first.id}/grants.changes.jsonl.gz`)).status).toBe(404);
    const other = { ...service.runtime, snapshots: { ...store, kind: "r2" as const } };
    const request = new Request(`${testBaseUrl}/snapshots`, { headers: bearer(key) });
    expect(await (await handle(request, other)).json()).toEqual({ results: [] });
  });

  test("a storage that is away is a 503 that counts against no quota", async () => {
    await publishSnapshot(service.connection, location, bucket);
    const { key } = await service.newKey("counted", 10);
    await service.connection.query("select funding.change_tier('counted', null, null, true)");
    const ask = async (path: string, snapshots: SnapshotStore = store) => {
      const request = new Request(`${testBaseUrl}/snapshots${path}`, { headers: bearer(key) });
      const { status, headers } = await handle(request, { ...service.runtime, snapshots });
      return [status, headers.has("retry-after"), headers.get("x-ratelimit-remaining")];
    };
    expect(await ask("/latest")).toEqual([200, false, "9"]);
    expect(await ask("/latest/funders.csv.gz")).toEqual([503, true, "9"]);
    expect(await ask("", { ...store, list: () => Promise.reject(new Error("away")) })).toEqual([503, true, "9"]);
    expect(await ask("/latest")).toEqual([200, false, "8"]);
  });

  test("one that could not be sent is not listed, and a run after an hour removes it", async () => {
    const first = await publishSnapshot(service.connection, location, bucket);
    failures = 1;
    await expect(publishSnapshot(service.connection, location, bucket)).rejects.toThrow("the bucket is full");
    expect(await ids()).toEqual([first.id]);
    const [half] = await service.connection.query<{ id: string }>(
      "select id from funding.snapshots where not is_complete",
    );
    const sent = join(folder, half?.id ?? "", "grants.csv.gz");
    await access(sent);
    const third = await publishSnapshot(service.connection, location, bucket);
    await access(sent);
    expect([third.previous, await ids()]).toEqual([first.id, [third.id, first.id]]);
    await service.connection.execute(
      "update funding.snapshots set changed_at = changed_at - interval '61 minutes' where not is_complete",
    );
    await publishSnapshot(service.connection, location, bucket);
    await expect(access(sent)).rejects.toThrow("ENOENT");
    expect(await service.connection.query("select id from funding.snapshots where not is_complete")).toEqual([]);
  });

  test("one that takes hours to send is not abandoned between two files", async () => {
    const later = (minutes: number) =>
      service.connection.execute(
        `update funding.snapshots set changed_at = changed_at - interval '${minutes} minutes' where not is_complete`,
      );
    const slow: Bucket = {
      ...bucket,
      async upload(...file) {
        await bucket.upload(...file);
        await later(40);
        await keepLatestPublished(service.connection, location, bucket, 9);
      },
    };
    const { id } = await publishSnapshot(service.connection, location, slow);
    expect(await ids()).toEqual([id]);
    await access(join(folder, id, "manifest.json"));
  });

  test("one that another run removed while it was sent is not published, and leaves no file", async () => {
    let files = 0;
    const stuck: Bucket = {
      ...bucket,
      async upload(...file) {
        await bucket.upload(...file);
        files += 1;
        if (files !== 3) return;
        await service.connection.execute(
          "update funding.snapshots set changed_at = changed_at - interval '61 minutes' where not is_complete",
        );
        await keepLatestPublished(service.connection, location, bucket, 9);
        await bucket.upload(...file);
      },
    };
    await expect(publishSnapshot(service.connection, location, stuck)).rejects.toThrow("nothing was published");
    expect([files, await ids()]).toEqual([3, []]);
    const left = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    expect(left).toEqual([]);
  });

  test("old ones are removed, those of other buckets stay", async () => {
    const other = await publishSnapshot(service.connection, "supabase:other", bucket);
    const first = await publishSnapshot(service.connection, location, bucket);
    const second = await publishSnapshot(service.connection, location, bucket);
    expect(await keepLatestPublished(service.connection, location, bucket, 1)).toEqual([first.id]);
    expect(await ids()).toEqual([second.id, other.id]);
    await expect(access(join(folder, first.id, "grants.csv.gz"))).rejects.toThrow("ENOENT");
    expect(await keepLatestPublished(service.connection, location, bucket, 1)).toEqual([]);
  });
});
