import { defineConfig } from "vitest/config";

/** The client as it is published, on every runtime that it is for. Run by run.sh. */
export default defineConfig({
  test: {
    include: ["tests/client/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
