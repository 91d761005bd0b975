import { defineConfig } from "vitest/config";
import { SkippedReporter } from "./skipped-reporter.ts";

/**
 * The contract suite against a deployment: API_BASE_URL and the keys are in the environment. What needs more than that
 * (`optional-variables.ts`) is skipped where it is not there, and the end of the run says so.
 */
export default defineConfig({
  test: {
    include: ["tests/contract/**/*.test.ts"],
    reporters: ["default", new SkippedReporter()],
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
