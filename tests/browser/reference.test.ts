import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyDemoFolder } from "../server/demo-folder.ts";
import { freePort, type ServerProcess, startServer } from "../server/server-process.ts";
import { type Browser, launchChromium, type Page } from "./chromium.ts";

let data: string;
let server: ServerProcess;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "funding-browser-"));
  server = await startServer({ DATA_DIR: await copyDemoFolder(join(data, "data")), PORT: String(await freePort()) });
  origin = new URL(server.ready.base_url).origin;
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await server.end("SIGTERM");
  await rm(data, { recursive: true, force: true });
});

/** A page, what it complained of, and the addresses elsewhere that it asked for. */
async function open(path: string): Promise<{ page: Page; complaints: string[]; elsewhere: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`) && !/^(data|blob):/.test(request.url())) elsewhere.push(request.url());
  });
  await page.goto(`${origin}${path}`);
  return { page, complaints, elsewhere };
}

describe("/reference", () => {
  test("tries a request out on the server that it came from, with nothing from elsewhere", async () => {
    const { page, complaints, elsewhere } = await open("/reference");
    await page.getByPlaceholder("Token").first().fill(server.ready.api_key);
    await page.locator("a", { hasText: "List grants" }).first().click();
    await page
      .getByRole("button", { name: /Test Request/ })
      .first()
      .click();
    const answered = page.waitForResponse((response) => response.url().includes("/grants-api"));
    await page.getByRole("button", { name: /^Send/ }).first().click();
    const response = await answered;
    // Nothing is asked that nobody ticked.
    expect([response.status(), response.url()]).toEqual([200, `${server.ready.base_url}/grants-api`]);
    expect((await response.json()) as object).toMatchObject({ pagination: { returned: 20 } });
    expect({ complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] });
  });

  test("allows no script but its own files'", async () => {
    const policy = (await fetch(`${origin}/reference`)).headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).not.toMatch(/unsafe-eval|https?:/);
  });
});

describe("/changelog", () => {
  test("is a page for people", async () => {
    const { page, complaints, elsewhere } = await open("/changelog");
    const text = await page.locator("main").innerText();
    expect(text).toMatch(/2026-06-11[\s\S]*awarded_project[\s\S]*2026-06-10[\s\S]*include_national/);
    expect({ complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] });
  });

  test("is JSON for programs, the newest entry first", async () => {
    const answers = await Promise.all(["/changelog", "/changelog.json"].map((path) => fetch(`${origin}${path}`)));
    const [one, other] = (await Promise.all(answers.map((answer) => answer.json()))) as { date: string }[][];
    expect(one).toEqual(other);
    const dates = one?.map(({ date }) => date) ?? [];
    expect(dates).toEqual([...dates].sort().reverse());
    expect(dates).toEqual(expect.arrayContaining(["2026-06-10", "2026-06-11"]));
  });
});
