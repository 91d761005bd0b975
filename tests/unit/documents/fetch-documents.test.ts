import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type FetchOptions, fetchDocuments } from "../../../cli/documents/fetch-documents.ts";
import { DocumentFolder } from "../../../cli/documents/folder.ts";
import { createNodeTransport } from "../../../local/embedded/node-transport.ts";

/** A site on this machine, which only tests may ask. Waits move the clock of the run. */

let server: Server;
let origin: string;
let pages: Record<string, RequestListener>;
let requests: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const page = pages[request.url ?? ""];
    if (page === undefined) response.writeHead(404).end();
    else page(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  pages = {};
  requests = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const day = 86_400_000;
let nowMs = Date.parse("2026-11-30T12:00:00Z");

async function newFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "funding-documents-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** One run over paths of the site, or whole addresses, a week after the last. */
async function run(path: string, documents: readonly string[], changes: Partial<FetchOptions> = {}) {
  nowMs += 7 * day;
  const folder = await DocumentFolder.open(path);
  const urls = documents.map((each) => URL.parse(each, origin)?.href ?? each);
  const counts = await fetchDocuments(urls, folder, {
    transport: createNodeTransport({ allowLoopback: true }),
    allowLoopback: true,
    userAgent: "Funding-Opportunities-Documents/1",
    program: "funding-opportunities-documents",
    pauseMs: 1_000,
    freshMs: 6 * day,
    now: () => nowMs,
    async sleep(ms) {
      nowMs += ms;
    },
    isOver: () => false,
    ...changes,
  });
  return counts;
}

/** What the manifest says of the only document. */
async function entryOf(path: string) {
  const { documents } = JSON.parse(await readFile(join(path, "manifest.json"), "utf8"));
  const entries = Object.values(documents) as { file: string | null; reason: string | null; sha256: string }[];
  expect(entries).toHaveLength(1);
  return entries[0];
}

const answers =
  (status: number, body: string | Uint8Array = "", headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

describe("a document", () => {
  test("is a file with the end of what is in it, whatever its host calls it", async () => {
    const path = await newFolder();
    pages["/notice.aspx?id=1"] = answers(200, "%PDF-1.7\n", { "content-type": "text/html" });
    expect(await run(path, ["/notice.aspx?id=1"])).toMatchObject({ fetched: 1, bytes: 9, left: 0 });
    const { file } = (await entryOf(path)) ?? {};
    expect(file).toMatch(/^[0-9a-f]{32}\.pdf$/);
    expect(await readFile(join(path, file ?? ""), "latin1")).toBe("%PDF-1.7\n");
    expect((await readdir(path)).toSorted()).toEqual([file, "manifest.json"].toSorted());
  });

  test.each([
    ["etag", '"one"', "if-none-match"],
    ["last-modified", "Mon, 30 Nov 2026 00:00:00 GMT", "if-modified-since"],
  ])("that its host knows unchanged by %s is not sent again", async (name, value, condition) => {
    const path = await newFolder();
    pages["/a"] = ({ headers }, response) =>
      void (headers[condition] === value ? response.writeHead(304) : response.writeHead(200, { [name]: value })).end(
        headers[condition] === value ? undefined : "%PDF-one",
      );
    expect(await run(path, ["/a"])).toMatchObject({ fetched: 1 });
    expect(await run(path, ["/a"])).toMatchObject({ fetched: 0, unchanged: 1, bytes: 0 });
    pages["/a"] = answers(200, "%PDF-two", { [name]: "other" });
    expect(await run(path, ["/a"])).toMatchObject({ fetched: 1 });
    expect(await readFile(join(path, (await entryOf(path))?.file ?? ""), "latin1")).toBe("%PDF-two");
  });

  test("that was looked at lately is left alone", async () => {
    const path = await newFolder();
    pages["/a"] = answers(200, "%PDF-one");
    await run(path, ["/a"]);
    nowMs -= 6 * day;
    requests = [];
    expect(await run(path, ["/a"])).toMatchObject({ fetched: 0, unchanged: 0, left: 0 });
    expect(requests).toEqual([]);
  });

  test("that cannot be had keeps its file, and the reason", async () => {
    const path = await newFolder();
    pages["/a"] = answers(200, "%PDF-one");
    await run(path, ["/a"]);
    pages["/a"] = answers(503);
    expect(await run(path, ["/a"])).toMatchObject({ failed: 1 });
    const entry = await entryOf(path);
    expect(entry?.reason).toBe("answers 503");
    expect(await readFile(join(path, entry?.file ?? ""), "latin1")).toBe("%PDF-one");
    pages["/a"] = answers(200, "%PDF-two");
    await run(path, ["/a"]);
    expect((await entryOf(path))?.reason).toBeNull();
  });

  test("that changes its kind leaves no file of the former", async () => {
    const path = await newFolder();
    pages["/a"] = answers(200, "%PDF-one");
    await run(path, ["/a"]);
    pages["/a"] = answers(200, "<!doctype html><p>Moved</p>");
    await run(path, ["/a"]);
    expect((await readdir(path)).filter((file) => file !== "manifest.json")).toEqual([(await entryOf(path))?.file]);
  });

  test("of no current opportunity is removed, and no other file", async () => {
    const path = await newFolder();
    await writeFile(join(path, "mine.pdf"), "mine");
    pages["/a"] = answers(200, "%PDF-one");
    pages["/b"] = answers(200, "%PDF-two");
    await run(path, ["/a", "/b"]);
    expect(await run(path, ["/b"])).toMatchObject({ removed: 1 });
    const { file } = (await entryOf(path)) ?? {};
    expect((await readdir(path)).toSorted()).toEqual([file, "manifest.json", "mine.pdf"].toSorted());
  });

  // Regression: a run for another database emptied the folder.
  test("of no current opportunity stay where they are most, unless it is forced", async () => {
    const path = await newFolder();
    const names = Array.from({ length: 11 }, (_, index) => `/${index}`);
    for (const name of names) pages[name] = answers(200, `%PDF-${name}`);
    await run(path, names);
    const before = await readdir(path);
    await expect(run(path, [])).rejects.toThrow(
      "No current opportunity of this database has 11 of the folder's 11 files: nothing was changed.",
    );
    expect(await readdir(path)).toEqual(before);
    expect(await run(path, names.slice(0, 1))).toMatchObject({ removed: 10 });
  });

  const mostBytes = 25_000_000;
  test.each<[what: string, page: RequestListener, reason: string]>([
    ["is not found", answers(404), "answers 404"],
    ["is too large", answers(200, new Uint8Array(30_000_000)), "has more than 25 MB"],
    [
      "is too large unpacked",
      answers(200, gzipSync(new Uint8Array(40_000_000)), { "content-encoding": "gzip" }),
      "has more than 25 MB",
    ],
    ["is in a strange encoding", answers(200, "%PDF", { "content-encoding": "br" }), "answers in the encoding br"],
    ["is broken gzip", answers(200, "%PDF", { "content-encoding": "gzip" }), "breaks off"],
    [
      "breaks off",
      (_, response) => {
        response.writeHead(200, { "content-length": String(mostBytes) }).write("%PDF");
        setTimeout(() => response.destroy(), 50);
      },
      "breaks off",
    ],
    ["does not end", (_, response) => void response.writeHead(200).write("%PDF"), "does not send its bytes in time"],
    [
      "leads into a private network",
      answers(302, "", { location: "http://10.0.0.1/notice.pdf" }),
      "redirects to an address that is not on the public internet",
    ],
    [
      "leads to a file",
      answers(302, "", { location: "file:///etc/passwd" }),
      "redirects to an address that is no address of the web",
    ],
  ])("that %s is not had, and that is said", async (_, page, reason) => {
    const path = await newFolder();
    pages["/a"] = page;
    expect(await run(path, ["/a"], { bodyTimeoutMs: 300 })).toMatchObject({ failed: 1, fetched: 0, left: 0 });
    expect(await entryOf(path)).toMatchObject({ file: null, reason });
    expect(await readdir(path)).toEqual(["manifest.json"]);
  });

  test("that is sent in gzip is unpacked", async () => {
    const path = await newFolder();
    pages["/a"] = answers(200, gzipSync("%PDF-one"), { "content-encoding": "gzip" });
    await run(path, ["/a"]);
    expect(await readFile(join(path, (await entryOf(path))?.file ?? ""), "latin1")).toBe("%PDF-one");
  });

  test("that robots.txt closes is not asked for", async () => {
    const path = await newFolder();
    pages["/robots.txt"] = answers(200, "User-agent: funding-opportunities-documents\nDisallow: /a");
    pages["/a"] = answers(200, "%PDF-one");
    expect(await run(path, ["/a"])).toMatchObject({ closed: 1, failed: 0 });
    expect(requests).toEqual(["/robots.txt"]);
    expect((await entryOf(path))?.reason).toBe("is closed to programs by robots.txt");
  });
});

describe("a run", () => {
  test("that ends early goes on with those that were never seen", async () => {
    const path = await newFolder();
    for (const name of ["/a", "/b", "/c"]) pages[name] = answers(200, "%PDF-one");
    let begun = 0;
    const isOver = () => begun++ >= 2;
    expect(await run(path, ["/a", "/b", "/c"], { isOver })).toMatchObject({ fetched: 2, left: 1 });
    requests = [];
    expect(await run(path, ["/a", "/b", "/c"], { isOver: () => requests.includes("/c") })).toMatchObject({ left: 2 });
    expect(requests).toEqual(["/robots.txt", "/c"]);
  });

  test("leaves a host that asks for patience to the next run", async () => {
    const path = await newFolder();
    pages["/a"] = answers(429, "", { "retry-after": "86400" });
    pages["/b"] = answers(200, "%PDF-one");
    expect(await run(path, ["/a", "/b"])).toMatchObject({ failed: 0, left: 2 });
  });

  test("removes no file outside the folder, whatever its manifest names", async () => {
    const path = await newFolder();
    pages["/a"] = answers(200, "%PDF-one");
    await run(path, ["/a"]);
    const outside = join(await newFolder(), "mine.pdf");
    await writeFile(outside, "mine");
    const manifest = await readFile(join(path, "manifest.json"), "utf8");
    const foreign = join("..", relative(join(path, ".."), outside));
    await writeFile(join(path, "manifest.json"), manifest.replace(/"file": "[^"]*"/, `"file": "${foreign}"`));
    await expect(run(path, ["/b"])).rejects.toThrow("is no manifest of this command");
    expect(await readFile(outside, "utf8")).toBe("mine");
  });

  test("does not begin anew on a manifest that it cannot read", async () => {
    const path = await newFolder();
    await writeFile(join(path, "manifest.json"), "{}");
    await expect(run(path, ["/a"])).rejects.toThrow("is no manifest of this command");
  });
});
