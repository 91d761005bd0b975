import { defineConfig } from "vitest/config";

/** What happens on a bad day. The native tests need the stack of run.sh, which they damage one after the other. */
export default defineConfig({
  test: {
    include: ["tests/faults/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
});
