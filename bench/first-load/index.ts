/**
 * Prints what a first visit to each page of the site loads, and when the page is painted, in Chromium on a slow line
 * (1.6 Mbit/s, 150 ms) and with a processor four times slower. Each figure is the median of some visits with an empty cache.
 * Other work on the machine makes the times longer; the bytes stay.
 *
 * usage: npm run bench:first-load -- ORIGIN [SIGN_IN_LINK]
 *
 * ORIGIN is of a running server (`npm start`: http://127.0.0.1:54321). With a sign-in link, the overview is measured, too: of an
 * account that has sent a request, since others have no chart.
 * CHROMIUM is the browser (/usr/bin/chromium); VISITS the visits of each page (5).
 */

import { chromium, type Page } from "playwright-core";
import { textTable } from "../../cli/table.ts";
import { print } from "../../local/print.ts";
import { median } from "../statistics.ts";
import { type FirstLoad, measureFirstLoad } from "./measure.ts";

const slow = { kilobitsPerSecond: 1_600, latencyMs: 150, slowdown: 4 };
const visits = Number(process.env.VISITS ?? 5);

const [origin, signInLink] = process.argv.slice(2);
if (origin === undefined) throw new Error("Name the server: npm run bench:first-load -- http://127.0.0.1:54321");

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const rows = [];
  for (const path of ["/reference", "/reference/listGrants", "/changelog", "/sign-in"]) rows.push(await row(path));
  if (signInLink !== undefined) {
    const page = await context.newPage();
    await page.goto(signInLink);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.close();
    // Without a request in 30 days, the overview has no chart to load.
    rows.push(await row("/", (page) => page.getByRole("figure").waitFor({ timeout: 60_000 })));
  }
  print(textTable(rows));

  async function row(path: string, isReady?: (page: Page) => Promise<unknown>) {
    const loads: FirstLoad[] = [];
    for (let visit = 0; visit < visits; visit++) {
      loads.push(await measureFirstLoad(context, `${origin}${path}`, slow, isReady));
    }
    const middle = (figure: keyof FirstLoad) => median(loads.map((load) => load[figure]));
    return {
      page: path,
      "kB over the line": (middle("bytes") / 1000).toFixed(0),
      requests: String(middle("requests")),
      "first paint s": (middle("firstPaintMs") / 1000).toFixed(2),
      "largest paint s": (middle("largestPaintMs") / 1000).toFixed(2),
    };
  }
} finally {
  await browser.close();
}
