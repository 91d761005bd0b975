import type { BrowserContext, Page } from "playwright-core";

/** A line and a processor, as Chromium's DevTools emulate them. */
export interface Conditions {
  kilobitsPerSecond: number;
  latencyMs: number;
  /** How many times slower the processor is. */
  slowdown: number;
}

export interface FirstLoad {
  /** Bytes that came over the line, headers included. */
  bytes: number;
  requests: number;
  /** When the first text or picture was painted, and the largest one, in milliseconds after the navigation began. */
  firstPaintMs: number;
  largestPaintMs: number;
}

/**
 * Opens an address in a new page with an empty cache, until its network has been idle for half a second.
 *
 * @param isReady resolves when the page shows what it loads last, where that takes longer.
 */
export async function measureFirstLoad(
  context: BrowserContext,
  url: string,
  conditions?: Conditions,
  isReady?: (page: Page) => Promise<unknown>,
): Promise<FirstLoad> {
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  let bytes = 0;
  let requests = 0;
  devTools.on("Network.requestWillBeSent", () => {
    requests += 1;
  });
  devTools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await devTools.send("Network.enable");
  await devTools.send("Network.setCacheDisabled", { cacheDisabled: true });
  if (conditions !== undefined) {
    const bytesPerSecond = (conditions.kilobitsPerSecond * 1000) / 8;
    await devTools.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: conditions.latencyMs,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
    await devTools.send("Emulation.setCPUThrottlingRate", { rate: conditions.slowdown });
  }
  await page.goto(url, { waitUntil: "networkidle" });
  if (isReady !== undefined) {
    await isReady(page);
    await page.waitForLoadState("networkidle");
  }
  const paints = await page.evaluate(async () => {
    const lastOf = (type: string) =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) => {
          observer.disconnect();
          resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN);
        });
        observer.observe({ type, buffered: true });
      });
    return { first: await lastOf("paint"), largest: await lastOf("largest-contentful-paint") };
  });
  await page.close();
  return { bytes, requests, firstPaintMs: paints.first, largestPaintMs: paints.largest };
}
