import { defineConfig } from "vitest/config";

/** The examples in the README and in docs/, against `npm start`. */
export default defineConfig({
  test: {
    include: ["tests/docs/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
});
