import { defineConfig } from "vitest/config";

/** See run.sh. Without its native stack, the embedded server alone is looked at. */
export default defineConfig({
  test: {
    include: ["tests/secrets/**/*.test.ts"],
    exclude: process.env.STACK_LOGS === undefined ? ["tests/secrets/native.test.ts"] : [],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
