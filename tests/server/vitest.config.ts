import { defineConfig } from "vitest/config";

/** The suite that starts the real server under Deno and talks HTTP to it. */
export default defineConfig({
  test: {
    include: ["tests/server/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 40_000,
    hookTimeout: 180_000,
  },
});
