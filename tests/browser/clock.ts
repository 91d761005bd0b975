import { expect } from "vitest";
import type { Page, Request } from "./chromium.ts";

/** Takes over the clock of a page, from its next address on. @returns a function that puts it forward, by a time such as "00:16". */
export async function takeClock(page: Page): Promise<(time: string) => Promise<void>> {
  // A request under way would time out as time is put forward.
  const underWay = new Set<Request>();
  page.on("request", (request) => underWay.add(request));
  const ended = (request: Request) => underWay.delete(request);
  page.on("requestfinished", ended).on("requestfailed", ended);
  await page.clock.install();
  return async (time) => {
    await expect.poll(() => underWay.size).toBe(0);
    await page.clock.fastForward(time);
  };
}
