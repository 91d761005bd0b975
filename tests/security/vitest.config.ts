import { defineConfig } from "vitest/config";

/** The RPCs with hostile arguments, their time limit and their locks, on the native stack that the environment names; `npm test` has the first embedded. */
export default defineConfig({
  test: {
    include: ["tests/security/rpcs.test.ts", "tests/security/native/*.test.ts"],
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
