import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDashboardServer } from "../../../local/dashboard/serve.ts";
import { type DashboardConfig, dashboardConfig } from "../../../shared/dashboard/config.ts";

const config: DashboardConfig = {
  base_url: "http://127.0.0.1:54321/functions/v1",
  supabase_url: "http://127.0.0.1:54321",
  supabase_key: "embedded",
  sign_in: "link",
  reference_url: "/reference",
  changelog_url: "/changelog",
};
const page = { accept: "text/html,application/xhtml+xml" };
const style = "a{}".repeat(500);

let folder: string;
let serve: (request: Request) => Promise<Response | undefined>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "funding-dashboard-"));
  mkdirSync(join(folder, "dist/assets"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(folder, "dist/index.html"), "<!doctype html><title>Dashboard</title>");
  writeFileSync(join(folder, "dist/assets/index-1a2b3c.js"), "console.log(1)");
  writeFileSync(join(folder, "dist/assets/index-1a2b3c.css"), style);
  writeFileSync(join(folder, "dist/assets/index-1a2b3c.css.br"), brotliCompressSync(style));
  writeFileSync(join(folder, "dist/assets/index-1a2b3c.css.gz"), gzipSync(style));
  writeFileSync(join(folder, "dist/reference.html"), "<!doctype html><title>Reference</title>");
  writeFileSync(join(folder, "dist/changelog.html"), "<!doctype html><title>Changelog</title>");
  writeFileSync(join(folder, "dist/status.html"), "<!doctype html><title>Status</title>");
  writeFileSync(join(folder, "dist/changelog.json"), "[]");
  writeFileSync(join(folder, "dist/.assetsignore"), "*.br");
  writeFileSync(join(folder, "dist/icon.svg"), "<svg/>");
  serve = createDashboardServer(join(folder, "dist"), config);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function get(path: string, init?: RequestInit): Promise<Response> {
  const response = await serve(new Request(`http://127.0.0.1:54321${path}`, init));
  if (response === undefined) throw new Error(`${path} is not answered`);
  return response;
}

test.each([
  ["/", "text/html; charset=utf-8"],
  ["/index.html", "text/html; charset=utf-8"],
  ["/assets/index-1a2b3c.js", "text/javascript; charset=utf-8"],
  ["/assets/index-1a2b3c.css", "text/css; charset=utf-8"],
  ["/icon.svg", "image/svg+xml"],
  ["/config.json", "application/json"],
])("%s is %s", async (path, contentType) => {
  const response = await get(path);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, contentType]);
  expect(response.headers.get("content-length")).toBe(String((await response.arrayBuffer()).byteLength));
});

test.each(["/", "/config.json", "/assets/index-1a2b3c.js", "/keys"])(
  "%s may not be framed, nor run what is inline, nor sniffed, and sends no referrer",
  async (path) => {
    const { headers } = await get(path, { headers: page });
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-frame-options")).toBe("DENY");
  },
);

test("files with a hash in their names are kept for a year, and all else is asked for again", async () => {
  expect((await get("/assets/index-1a2b3c.js")).headers.get("cache-control")).toBe(
    "public, max-age=31536000, immutable",
  );
  for (const path of ["/", "/config.json", "/icon.svg"]) {
    expect((await get(path)).headers.get("cache-control")).toBe("no-cache");
  }
});

test("a browser that has a file already gets 304", async () => {
  const tag = (await get("/")).headers.get("etag") ?? "";
  const again = await get("/", { headers: { "if-none-match": tag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("HEAD has the headers of GET and no body", async () => {
  const [got, head] = [await get("/"), await get("/", { method: "HEAD" })];
  expect([...head.headers]).toEqual([...got.headers]);
  expect(await head.text()).toBe("");
});

test("the paths of the page's own router are the page", async () => {
  for (const path of ["/keys", "/keys/", "/requests/1", "/account/audit-log", "/sign-in?next=/keys"]) {
    const response = await get(path, { headers: page });
    expect([path, response.status]).toEqual([path, 200]);
    expect(await response.text()).toContain("<title>Dashboard</title>");
  }
});

test("an unknown path is a 404, whose page says where to go", async () => {
  const tag = (await get("/")).headers.get("etag") ?? "";
  for (const path of ["/key", "/usage/2026", "/requests/1/2", "/reference/a/b"]) {
    const response = await get(path, { headers: { ...page, "if-none-match": tag } });
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.text()).toContain("<!doctype html>");
  }
});

test.each([
  ["/reference", "Reference"],
  ["/reference/", "Reference"],
  ["/reference/listGrants", "Reference"],
  ["/reference/grant.created", "Reference"],
  ["/requests/nightly.sync", "Dashboard"],
  ["/changelog", "Changelog"],
  ["/status", "Status"],
  ["/references", "Dashboard"],
])("%s is the page of that name: %s", async (path, title) => {
  const response = await get(path, { headers: page });
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await response.text()).toContain(`<title>${title}</title>`);
});

test("the reference is a page for programs, too, which name no type", async () => {
  expect(await (await get("/reference")).text()).toContain("<title>Reference</title>");
});

test("the changelog is a page for those who accept one, and JSON for programs", async () => {
  for (const [path, headers] of [
    ["/changelog", { accept: "application/json" }],
    ["/changelog", {}],
    ["/changelog.json", page],
  ] as const) {
    const response = await get(path, { headers });
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await response.json()).toEqual([]);
  }
  expect((await get("/changelog", { headers: page })).headers.get("vary")).toBe("Accept");
});

describe("a file that the build compressed", () => {
  const path = "/assets/index-1a2b3c.css";
  const ask = (headers: Record<string, string> = {}, method = "GET") => get(path, { method, headers });

  test.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const)("is sent in %s to those who accept it", async (encoding, decompress) => {
    const { headers, ...response } = await ask({ "accept-encoding": encoding }).then(async (answer) => ({
      headers: answer.headers,
      body: Buffer.from(await answer.arrayBuffer()),
    }));
    expect(headers.get("content-encoding")).toBe(encoding);
    expect(headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(headers.get("content-length")).toBe(String(response.body.length));
    expect(decompress(response.body).toString()).toBe(style);
  });

  test("is sent as it is to all others", async () => {
    for (const headers of [{}, { "accept-encoding": "identity" }, { "accept-encoding": "zstd" }]) {
      const response = await ask(headers);
      expect(response.headers.get("content-encoding")).toBeNull();
      expect(await response.text()).toBe(style);
    }
  });

  test("says to caches what its bytes depend on, and has a strong tag for each encoding", async () => {
    const answers = await Promise.all(["br", "gzip", "identity"].map((each) => ask({ "accept-encoding": each })));
    for (const { headers } of answers) expect(headers.get("vary")).toBe("Accept-Encoding");
    const tags = answers.map(({ headers }) => headers.get("etag") ?? "");
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
    for (const [index, encoding] of ["br", "gzip", "identity"].entries()) {
      for (const [other, tag] of tags.entries()) {
        const again = await ask({ "accept-encoding": encoding, "if-none-match": tag });
        expect(again.status).toBe(index === other ? 304 : 200);
        expect(again.headers.get("vary")).toBe("Accept-Encoding");
      }
    }
  });

  test("has the same headers for HEAD, and no body", async () => {
    const [got, head] = [await ask({ "accept-encoding": "br" }), await ask({ "accept-encoding": "br" }, "HEAD")];
    expect([...head.headers]).toEqual([...got.headers]);
    expect(await head.text()).toBe("");
  });

  test("is sent whole, whatever range is asked for", async () => {
    const response = await ask({ "accept-encoding": "br", range: "bytes=0-3" });
    expect([response.status, response.headers.get("content-range")]).toEqual([200, null]);
    expect(brotliDecompressSync(Buffer.from(await response.arrayBuffer())).toString()).toBe(style);
  });
});

test.each([
  ["a missing file", "/assets/index-old.js", page],
  ["a compressed copy by its own name", "/assets/index-1a2b3c.css.br", page],
  ["what is for the host of the files", "/.assetsignore", page],
  ["a page that nobody asks for as a page", "/keys", { accept: "*/*" }],
  ["the API's", "/functions/v1/nothing", page],
  ["the sign-in's", "/auth/v1/nothing", page],
  ["the documentation's", "/docs/nothing.md", page],
  ["what is outside the build", "/..%2fsecret.txt", page],
  ["what is outside the build", "/assets/..%2f..%2fsecret.txt", page],
])("%s %s is left to others", async (_, path, headers) => {
  expect(await serve(new Request(`http://127.0.0.1:54321${path}`, { headers }))).toBeUndefined();
});

test("other methods are left to others", async () => {
  expect(await serve(new Request("http://127.0.0.1:54321/", { method: "POST" }))).toBeUndefined();
});

test("the configuration is what the schema says", async () => {
  expect(dashboardConfig.parse(await (await get("/config.json")).json())).toEqual(config);
});

test("localhost is sent to the origin of the API, which the page may talk to", async () => {
  const response = await serve(new Request("http://localhost:54321/keys?a=1", { headers: page }));
  expect([response?.status, response?.headers.get("location")]).toEqual([307, "http://127.0.0.1:54321/keys?a=1"]);
});

describe("without a build", () => {
  test("the page says how to make one, and then is it", async () => {
    const empty = join(folder, "empty");
    const server = createDashboardServer(empty, config);
    const ask = async () => (await (await server(new Request("http://127.0.0.1:54321/")))?.text()) ?? "";
    expect(await ask()).toContain("npm run build");
    mkdirSync(empty);
    writeFileSync(join(empty, "index.html"), "first");
    expect(await ask()).toBe("first");
    writeFileSync(join(empty, "index.html"), "second");
    utimesSync(join(empty, "index.html"), new Date(), new Date(Date.now() + 5_000));
    expect(await ask()).toBe("second");
  });
});
