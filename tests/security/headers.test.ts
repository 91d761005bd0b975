import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { handlers } from "../../functions/handlers.ts";
import { openEmbeddedAuth } from "../../local/auth/embedded.ts";
import { generateSigningKey } from "../../local/auth/signing-key.ts";
import { createDashboardServer } from "../../local/dashboard/serve.ts";
import { createGateway } from "../../local/embedded/gateway.ts";
import { bearer, openTestService, type TestService, testBaseUrl, testOrigin } from "../support/service.ts";

let service: TestService;
let folder: string;
let key: string;
/** All that `npm start` serves. */
let ask: (path: string, init?: RequestInit & { origin?: string }) => Promise<Response>;

beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
  folder = mkdtempSync(join(tmpdir(), "funding-dashboard-"));
  writeFileSync(join(folder, "index.html"), "<!doctype html>");
  writeFileSync(join(folder, "changelog.json"), "[]");
  const dashboard = createDashboardServer(folder, {
    base_url: testBaseUrl,
    supabase_url: testOrigin,
    supabase_key: "embedded",
    sign_in: "link",
    reference_url: "/reference",
    changelog_url: "/changelog",
  });
  const auth = await openEmbeddedAuth(service.lock, await generateSigningKey(), testOrigin);
  const gateway = createGateway(service.runtime, [auth.answer, dashboard]);
  ask = (path, { origin = testOrigin, ...init } = {}) => gateway(new Request(`${origin}${path}`, init));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

/** @param isPublic of a page that is the same for everybody: caches may keep it for a while. */
function expectSafe({ headers }: Response, isPublic = false): void {
  const policy = headers.get("content-security-policy") ?? "";
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe-eval");
  expect(policy).not.toMatch(/script-src[^;]*('unsafe-inline'|\*|https?:)/);
  // Nobody uses it again without asking.
  const caching = headers.get("cache-control") ?? "";
  if (!(isPublic && /^public, max-age=\d{2,4}$/.test(caching)))
    expect(caching).toMatch(/^(private, )?no-(cache|store)$/);
}

const pages = [
  "/",
  "/keys",
  "/config.json",
  "/reference",
  "/reference/listGrants",
  "/changelog",
  "/changelog.json",
  "/functions/v1/openapi/docs/api.md",
  "/auth/v1/.well-known/jwks.json",
];

describe("headers that keep an answer from being misused", () => {
  test.each(pages)("are on %s", async (path) => {
    const response = await ask(path, { headers: { accept: "text/html" } });
    expect(response.status).toBe(200);
    expectSafe(response);
  });

  test.each(["/nothing", "/functions/v1/nothing", "/auth/v1/user", "/auth/v1/nothing", "/assets/nothing.js"])(
    "are on a failure: %s",
    async (path) => {
      const response = await ask(path);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expectSafe(response);
    },
  );

  test.each(Object.keys(handlers).flatMap((name) => ["GET", "POST", "DELETE"].map((method) => ({ name, method }))))(
    "are on what $name answers to $method, with a key and without",
    async ({ name, method }) => {
      const content = method === "POST" ? { body: "{}", headers: { "content-type": "application/json" } } : {};
      const isPublic = name === "catalogue";
      expectSafe(await ask(`/functions/v1/${name}`, { method, ...content }), isPublic);
      expectSafe(
        await ask(`/functions/v1/${name}`, { method, ...content, headers: { ...content.headers, ...bearer(key) } }),
        isPublic,
      );
    },
  );

  test.each(["/auth/v1/verify", "/auth/v1/nothing", "/functions/v1/grants-api"])(
    "are on the answer to a preflight: %s",
    async (path) => expectSafe(await ask(path, { method: "OPTIONS" })),
  );

  test.each(["/funding", "/states/OH", "/grants/nothing", "/robots.txt"])(
    "are on a page of the catalogue: %s",
    async (path) => expectSafe(await ask(path), true),
  );

  test("are on the redirect from localhost to the page's own origin", async () => {
    const response = await ask("/keys", { origin: "http://localhost:54321", headers: { accept: "text/html" } });
    expect([response.status, response.headers.get("location")]).toEqual([307, `${testOrigin}/keys`]);
    expectSafe(response);
  });

  test("are on a run of the dispatcher, a CSV and a single record", async () => {
    const secret = bearer("dispatch-secret-of-the-tests");
    const run = await ask("/functions/v1/dispatch", { method: "POST", headers: secret });
    const csv = await ask("/functions/v1/grants-api?format=csv&limit=1", { headers: bearer(key) });
    const list = await ask("/functions/v1/grants-api?limit=1", { headers: bearer(key) });
    const [record] = ((await list.json()) as { results: { id: string }[] }).results;
    const single = await ask(`/functions/v1/grants-api/${record?.id}`, { headers: bearer(key) });
    for (const response of [run, csv, single]) {
      expect(response.status).toBe(200);
      expectSafe(response);
    }
  });

  test.each([
    ["/functions/v1/grants-api?limit=1", "private, no-cache"],
    ["/functions/v1/grants-api?limit=0", "private, no-cache"],
    ["/functions/v1/grants-api?limit=1&format=csv", "private, no-cache"],
    ["/functions/v1/openapi", "private, no-cache"],
    ["/functions/v1/account-api/keys", "private, no-store"],
    ["/functions/v1/health", "no-store"],
    ["/auth/v1/user", "no-store"],
    ["/", "no-cache"],
    ["/config.json", "no-cache"],
  ])("keep the answer of %s: %s", async (path, caching) => {
    const person = await service.people.newPerson();
    const credential = path.includes("account-api") ? await person.token() : key;
    const response = await ask(path, { headers: { accept: "text/html", ...bearer(credential) } });
    expect(response.headers.get("cache-control")).toBe(caching);
  });

  test("ask for TLS alone where there is TLS, and only there", async () => {
    const overTls = await ask("/functions/v1/openapi", { origin: "https://api.example" });
    expect(overTls.headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect((await ask("/functions/v1/openapi")).headers.has("strict-transport-security")).toBe(false);
  });
});
