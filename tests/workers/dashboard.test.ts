import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { dashboardConfig } from "../../shared/dashboard/config.ts";

const { origin } = new URL(process.env.API_BASE_URL ?? "");
const built = (path: string) =>
  readFile(fileURLToPath(new URL(`../../dashboard/dist/${path}`, import.meta.url)), "utf8");
const get = (path: string, accept = "text/html") => fetch(`${origin}${path}`, { headers: { accept } });

test.each(["/", "/keys", "/webhooks/5e2f7f70-6f5f-4a43-8a0f-2f4ad1a5c0de"])("%s is the page", async (path) => {
  const response = await get(path);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(await response.text()).toBe(await built("index.html"));
});

test.each([
  ["/reference", "reference.html"],
  ["/reference/listGrants", "reference/listGrants.html"],
  ["/reference/grant.created", "reference/grant.created.html"],
  ["/reference/noSuchOperation", "reference.html"],
  ["/changelog", "changelog.html"],
])("%s is a page of its own, for somebody who is not signed in", async (path, file) => {
  const response = await get(path);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(await response.text()).toBe(await built(file));
});

test.each([
  ["/changelog", "application/json"],
  ["/changelog.json", "text/html"],
])("%s is JSON for %s", async (path, accept) => {
  const response = await get(path, accept);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(await response.text()).toBe(await built("changelog.json"));
});

test("the compressed copies, which Cloudflare does not need, are not uploaded", async () => {
  expect(await built("changelog.json.br")).not.toBe("");
  for (const path of ["/changelog.json.br", "/index.html.gz"]) expect((await get(path, "*/*")).status).toBe(404);
});

test("pages, scripts and the configuration have the dashboard's headers", async () => {
  const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(await built("index.html")) ?? [];
  for (const path of ["/", "/reference", "/changelog", script, "/theme.js", "/config.json"]) {
    const { status, headers } = await get(path, "*/*");
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toContain(path === script ? "immutable" : "no-cache");
  }
});

test("the configuration is for mailed links, and has the publishable key alone", async () => {
  const config = dashboardConfig.parse(await (await get("/config.json")).json());
  expect(config).toMatchObject({
    base_url: `${origin}/functions/v1`,
    sign_in: "mail",
    reference_url: "/reference",
    changelog_url: "/changelog",
    guide_url: "https://docs.contract.example/api",
  });
  expect(config.supabase_key).toBe("sb_publishable_of_the_test");
});

test("a file that is not there is not the page", async () => {
  expect((await get("/assets/index-gone.js", "*/*")).status).toBe(404);
});
