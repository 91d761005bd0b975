import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The part of Playwright that the tests use. */
export interface Page {
  goto(url: string): Promise<unknown>;
  on(event: "console", listener: (message: { type(): string; text(): string }) => void): void;
  on(event: "pageerror", listener: (error: Error) => void): void;
  on(event: "request", listener: (request: { url(): string }) => void): void;
  waitForResponse(matches: (response: PageResponse) => boolean): Promise<PageResponse>;
  getByPlaceholder(text: string): Locator;
  getByRole(role: string, options: { name: RegExp | string }): Locator;
  locator(selector: string, options?: { hasText: string }): Locator;
}
export interface PageResponse {
  url(): string;
  status(): number;
  json(): Promise<unknown>;
}
export interface Locator {
  first(): Locator;
  fill(text: string): Promise<void>;
  click(): Promise<void>;
  waitFor(): Promise<void>;
  innerText(): Promise<string>;
}
export interface Browser {
  newPage(options?: object): Promise<Page>;
  close(): Promise<void>;
}

/** Debian's Chromium, headless, driven by Playwright. */
export async function launchChromium(): Promise<Browser> {
  const program = execFileSync(join(root, "scripts/tool.sh"), ["playwright-core"], { encoding: "utf8" }).trim();
  const entry = pathToFileURL(join(dirname(program), "index.mjs")).href;
  const { chromium } = (await import(/* @vite-ignore */ entry)) as {
    chromium: { launch(options: object): Promise<Browser> };
  };
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
      ...["--disable-background-networking", "--disable-component-update"],
    ],
  });
}
