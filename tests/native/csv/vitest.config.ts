import { defineConfig } from "vitest/config";

/** CSV answers read by Python's `csv`; `npm test` has csv-parse and Postgres as readers. API_BASE_URL and API_KEY name the stack. */
export default defineConfig({
  test: {
    include: ["tests/native/csv/*.test.ts"],
    maxWorkers: 1,
    testTimeout: 300_000,
  },
});
