import { describe, expect, test } from "vitest";
import { apiClient } from "./client.ts";
import { expectToMatchOpenApi, openApiDocument } from "./openapi-document.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);

describe("GET /openapi", () => {
  test("returns the committed document, without a key", async () => {
    const response = await target.send("/openapi", {}, "nobody");
    expect(response.headers.get("content-type")).toMatch(/^application\/json\b/);
    expect(await response.json()).toEqual(openApiDocument);
    expect(openApiDocument).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
      info: { version: "1.1.0" },
    });
  });

  test("answers 304 to a client that has it", async () => {
    const tag = (await target.send("/openapi", {}, "nobody")).headers.get("etag") ?? "";
    const again = await target.send("/openapi", { headers: { "if-none-match": tag } }, "nobody");
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  test("takes no parameters and no other method", async () => {
    await client.refused("/openapi?format=yaml", 400, "nobody");
    expect((await target.send("/openapi", { method: "POST" }, "nobody")).status).toBe(405);
    expect((await target.send("/openapi", { method: "OPTIONS" }, "nobody")).status).toBe(204);
  });
});

describe("the documentation as Markdown", () => {
  const read = async (path: string) => {
    const response = await target.send(path, {}, "nobody");
    expect([path, response.status, response.headers.get("content-type")]).toEqual([
      path,
      200,
      "text/markdown; charset=utf-8",
    ]);
    return { text: await response.text(), tag: response.headers.get("etag") ?? "" };
  };
  const linksOf = (text: string) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to = ""]) => to);

  test("is listed in llms.txt, whose links lead to pages, as do the pages' own", async () => {
    const { text } = await read("/openapi/llms.txt");
    expect(text).toMatch(/^# .+\n\n> .+\n\n## Docs\n\n- \[/);
    const pages = linksOf(text).filter((to) => to.startsWith("docs/"));
    expect(pages.length).toBeGreaterThan(10);
    const own = `- [OpenAPI 3.1 document](../openapi)`;
    expect(text).toContain(own);
    for (const page of pages) {
      const { text: body } = await read(`/openapi/${page}`);
      expect(body).toMatch(/^# \S/);
      for (const to of linksOf(body).filter((link) => !/^(?:#|https?:)/.test(link))) {
        expect(pages, `${page} leads to ${to}`).toContain(`docs/${to.replace(/#.*$/, "")}`);
      }
    }
  });

  test("answers 304 to a client that has a page, and 404 for one that is not there", async () => {
    const { tag } = await read("/openapi/docs/filters.md");
    const again = await target.send("/openapi/docs/filters.md", { headers: { "if-none-match": tag } }, "nobody");
    expect(again.status).toBe(304);
    for (const name of ["filters", "database.md", "..%2fopenapi.json"]) {
      const response = await target.send(`/openapi/docs/${name}`, {}, "nobody");
      expect([name, response.status]).toEqual([name, 404]);
    }
  });
});

test("every response links to the OpenAPI document (RFC 8631)", async () => {
  const requests: [string, RequestInit?][] = [
    ["/grants-api?limit=1"],
    ["/grants-api?geography=Ohio&limit=1"],
    ["/grants-api?limit=0"],
    ["/grants-api/a/b"],
    ["/funders-api", { method: "DELETE" }],
    ["/openapi", { method: "OPTIONS" }],
  ];
  for (const [path, init] of requests) {
    const links = (await target.send(path, init)).headers.get("link")?.split(/,\s*(?=<)/) ?? [];
    expect(links).toContain('</functions/v1/openapi>; rel="service-desc"');
  }
});

describe("a response that differs from the document is found out", () => {
  const changed = async (path: string, change: (body: Record<string, unknown>, headers: Headers) => void) => {
    const response = await target.send(path);
    const body = (await response.json()) as Record<string, unknown>;
    const headers = new Headers(response.headers);
    change(body, headers);
    return expectToMatchOpenApi(
      "GET",
      path,
      new Response(JSON.stringify(body), { status: response.status, headers }),
      true,
    );
  };
  const path = "/grants-api?limit=1";

  test("an unchanged response matches", async () => {
    await changed(path, () => undefined);
  });

  test.each<{ difference: string; change: (body: Record<string, unknown>, headers: Headers) => void }>([
    { difference: "an additional member", change: (body) => Object.assign(body, { more: 1 }) },
    { difference: "a missing member", change: (body) => delete body.meta },
    {
      difference: "an additional member of a record",
      change: ({ results }) => Object.assign((results as object[])[0] ?? {}, { more: 1 }),
    },
    { difference: "another type", change: (body) => Object.assign(body, { results: {} }) },
    { difference: "an additional header", change: (_, headers) => headers.set("x-more", "1") },
    { difference: "a missing header", change: (_, headers) => headers.delete("x-ratelimit-limit") },
    { difference: "a header that is not a number", change: (_, headers) => headers.set("x-ratelimit-limit", "many") },
    { difference: "another content type", change: (_, headers) => headers.set("content-type", "text/plain") },
  ])("$difference is found out", async ({ change }) => {
    await expect(changed(path, change)).rejects.toThrow(/GET \/grants-api/);
  });

  test("a status that the document lacks is found out", async () => {
    await expect(expectToMatchOpenApi("GET", path, new Response(null, { status: 418 }), true)).rejects.toThrow(/418/);
  });
});
