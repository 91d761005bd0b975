import { type Browser, chromium } from "playwright-core";

export type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Request } from "playwright-core";

/** Debian's Chromium, headless, driven by Playwright. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
      ...["--disable-background-networking", "--disable-component-update"],
    ],
  });
}
