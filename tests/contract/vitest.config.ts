import { defineConfig } from "vitest/config";

/** The contract suite against a deployment: API_BASE_URL and the keys are in the environment. */
export default defineConfig({
  test: {
    include: ["tests/contract/**/*.test.ts"],
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
