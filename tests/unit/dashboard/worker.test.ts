import { describe, expect, test } from "vitest";
import { dashboardConfig } from "../../../shared/dashboard/config.ts";
import { workerPage } from "../../../worker/dashboard.ts";

/** Stands for Cloudflare's static assets, which leave out `.html`: pages, a script and data. */
const assets = {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/") return new Response("page", { headers: { "content-type": "text/html" } });
    if (pathname === "/reference") return new Response("reference", { headers: { "content-type": "text/html" } });
    if (pathname === "/changelog") return new Response("changelog", { headers: { "content-type": "text/html" } });
    if (pathname === "/status") return new Response("status", { headers: { "content-type": "text/html" } });
    if (pathname === "/changelog.json") return Response.json([]);
    if (pathname === "/assets/a-1.js") return new Response("1", { headers: { "content-type": "text/javascript" } });
    return new Response(null, { status: 404 });
  },
};
const bindings = {
  ASSETS: assets,
  SUPABASE_URL: "https://project.supabase.co",
  SUPABASE_PUBLISHABLE_KEY: "sb_publishable_1",
};
const html = { accept: "text/html" };
const page = (path: string, init?: RequestInit, given: object = bindings) =>
  workerPage(new Request(`https://api.example${path}`, init), given);

describe("the dashboard on a Worker", () => {
  test.each(["/", "/keys", "/reference", "/changelog", "/status", "/changelog.json", "/assets/a-1.js", "/config.json"])(
    "%s has the headers of the dashboard",
    async (path) => {
      const response = await page(path, { headers: html });
      const policy = response?.headers.get("content-security-policy");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("connect-src 'self' https://project.supabase.co;");
      expect(policy).not.toContain("unsafe");
    },
  );

  test("answers its files, and its page for the router's paths", async () => {
    expect(await (await page("/assets/a-1.js"))?.text()).toBe("1");
    expect(await (await page("/keys", { headers: html }))?.text()).toBe("page");
    expect(await (await page("/requests/nightly.sync", { headers: html }))?.text()).toBe("page");
    expect(await page("/requests/assets/nightly.js", { headers: html })).toBeUndefined();
    expect((await page("/keys", { headers: html }))?.status).toBe(200);
    const unknown = await page("/key", { headers: html });
    expect([unknown?.status, await unknown?.text()]).toEqual([404, "page"]);
  });

  test("keeps what has a hash in its name, and nothing else", async () => {
    const caching = async (path: string) => (await page(path, { headers: html }))?.headers.get("cache-control");
    expect(await caching("/assets/a-1.js")).toContain("immutable");
    expect(await caching("/")).toBe("no-cache");
    expect(await caching("/config.json")).toBe("no-cache");
  });

  test("tells the page where sign-in and the API are", async () => {
    expect(dashboardConfig.parse(await (await page("/config.json"))?.json())).toEqual({
      base_url: "https://api.example/functions/v1",
      supabase_url: "https://project.supabase.co",
      supabase_key: "sb_publishable_1",
      sign_in: "mail",
      reference_url: "/reference",
      changelog_url: "/changelog",
    });
  });

  test("has the reference, the changelog and the status as pages of their own", async () => {
    const text = async (path: string, headers: Record<string, string> = html) =>
      (await page(path, { headers }))?.text();
    expect(await text("/reference")).toBe("reference");
    expect(await text("/reference/listGrants")).toBe("reference");
    expect(await text("/reference/grant.created")).toBe("reference");
    expect(await text("/changelog")).toBe("changelog");
    expect(await text("/status")).toBe("status");
    for (const path of ["/changelog", "/changelog.json"]) expect(await text(path, {})).toBe("[]");
    expect((await page("/changelog", { headers: html }))?.headers.get("vary")).toContain("Accept");
  });

  test("links to the guide and the status page where they are published", async () => {
    const published = { DOCUMENTATION_URL: "https://docs.example/api", STATUS_URL: "https://status.example" };
    const response = await page("/config.json", {}, { ...bindings, ...published });
    expect(await response?.json()).toMatchObject({
      reference_url: "/reference",
      status_url: "https://status.example",
      guide_url: "https://docs.example/api",
    });
  });

  test.each([
    ["the API", "/functions/v1/grants-api", html],
    ["a missing file", "/assets/b-2.js", html],
    ["a path that is not asked for as a page", "/keys", {}],
  ])("leaves %s to the functions", async (_, path, headers) => {
    expect(await page(path, { headers })).toBeUndefined();
  });

  test("is not there without assets, nor its configuration without a key", async () => {
    expect(await page("/", {}, { ...bindings, ASSETS: undefined })).toBeUndefined();
    expect(await page("/config.json", {}, { ...bindings, SUPABASE_PUBLISHABLE_KEY: undefined })).toBeUndefined();
  });
});
