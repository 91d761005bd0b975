import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestService, type TestService, testOrigin } from "../../support/service.ts";
import { crawl } from "./crawl.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const walk = (ask: (request: Request) => Promise<Response>, pages: number) =>
  crawl(ask, testOrigin, pages, () => undefined);

test("the links of the demo's pages lead somewhere, and no page is over its budget", async () => {
  const { pages, faults } = await walk(service.send, 40);
  expect(faults).toEqual([]);
  expect(Object.keys(pages).sort()).toEqual(expect.arrayContaining(["contracts", "funders", "funding", "grants"]));
}, 120_000);

test("a link that leads nowhere, a page without a heading and one that is too large are found", async () => {
  const noise = Array.from({ length: 2_000 }, () => crypto.randomUUID()).join(" ");
  const { faults } = await walk(async (request) => {
    const response = await service.send(request);
    if (new URL(request.url).pathname !== "/funding") return response;
    const text = (await response.text())
      .replace("<main", '<a href="/topics/nothing">A dead link</a><main')
      .replaceAll(/<(\/?)h1/g, "<$1p")
      .replace("</main>", `${noise}</main>`);
    return new Response(text, { status: response.status, headers: response.headers });
  }, 12);
  const all = faults.join("\n");
  expect(all).toContain("/topics/nothing: status 404 (linked from /funding)");
  expect(all).toContain("/funding: 0 headings of the first level");
  expect(all).toMatch(/\/funding: \d+ bytes of HTML, at most 25000/);
}, 120_000);
