import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { connectPostgres } from "../../database/postgres.ts";
import { createSignInLink } from "../../local/auth/links.ts";
import { copyDemoFolder } from "../server/demo-folder.ts";
import { freePort, type ServerProcess, startServer } from "../server/server-process.ts";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  launchChromium,
  type Page,
} from "./chromium.ts";

/** The real server, and a real browser to visit it with. */
export interface DashboardUnderTest {
  server: ServerProcess;
  origin: string;
  /** A new sign-in link for an account: `developer@demo.example` by default. */
  link(email?: string): Promise<string>;
  /** A browser of somebody else: with a storage of its own. It is closed after the test that opens it. */
  visit(options?: BrowserContextOptions): Promise<Visit>;
  /** The same, signed in: as developer@demo.example, at the overview, unless told otherwise. */
  visitSignedIn(options?: BrowserContextOptions & { email?: string; path?: string }): Promise<Visit>;
  end(): Promise<void>;
}

/** One person's browser. */
export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Errors, warnings and policy violations that the page reported. */
  complaints: string[];
}

/** The storage key under which @supabase/auth-js keeps the session. */
export const sessionKey = "funding-dashboard-session";

/** @param settings more of the server's environment. */
export async function openDashboard(settings: Record<string, string> = {}): Promise<DashboardUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), "funding-browser-"));
  const environment = {
    ...settings,
    DATA_DIR: await copyDemoFolder(join(folder, "data")),
    PORT: String(await freePort()),
  };
  const server = await startServer(environment);
  const browser = await launchChromium();

  const connection = await connectPostgres(server.ready.database_url);
  const [pageUrl = ""] = server.ready.sign_in_link.split("#");

  // As `npm run account -- link` does, which takes seconds to start and has tests of its own.
  const link = (email = "developer@demo.example") => createSignInLink(connection, email, pageUrl);
  const dashboard: DashboardUnderTest = {
    server,
    origin: new URL(server.ready.base_url).origin,
    link,
    visit: (options) => visit(browser, options),
    async visitSignedIn({ email, path = "/", ...options } = {}) {
      const origins = [{ origin: dashboard.origin, localStorage: [await storedSession(await link(email))] }];
      const visitor = await visit(browser, { storageState: { cookies: [], origins }, ...options });
      await visitor.page.goto(`${dashboard.origin}${path}`);
      await visitor.page.getByRole("button", { name: "Sign out", exact: true }).waitFor();
      if (path === "/") await visitor.page.getByRole("heading", { name: "Overview" }).waitFor();
      return visitor;
    },
    async end() {
      await browser.close();
      await connection.close();
      await server.end("SIGTERM");
      await rm(folder, { recursive: true, force: true });
    },
  };
  return dashboard;
}

/**
 * Uses a sign-in link up, and returns the session as @supabase/auth-js stores it. Signing in by the page, of which there are tests, takes
 * two seconds more.
 */
async function storedSession(link: string): Promise<{ name: string; value: string }> {
  const { origin, hash } = new URL(link);
  const { token_hash, type } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  const response = await fetch(`${origin}/auth/v1/verify`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token_hash, type }),
  });
  const value = await response.text();
  if (!response.ok) throw new Error(`the link did not sign in: ${response.status} ${value}`);
  return { name: sessionKey, value };
}

async function visit(browser: Browser, options?: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  // An open page goes on refreshing itself, and takes processor time from the tests that follow.
  if (expect.getState().currentTestName !== undefined) onTestFinished(() => context.close());
  // A guard alone: with other suites beside it, a page may take long.
  context.setDefaultTimeout(180_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    // The browser reports every answer of 4xx by itself: which of them are right is for each test to say.
    if (["error", "warning"].includes(message.type()) && !message.text().startsWith("Failed to load resource")) {
      complaints.push(message.text());
    }
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return { context, page, complaints };
}
