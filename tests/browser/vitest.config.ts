import { defineConfig } from "vitest/config";

/** Pages in Chromium, served by `npm start`. Run by run.sh. */
export default defineConfig({
  test: {
    include: ["tests/browser/**/*.test.ts"],
    // Each file starts a server and a browser.
    maxWorkers: 2,
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
});
