import { defineConfig } from "vitest/config";

/** Imports at once on the native stack's database, which the environment names. */
export default defineConfig({
  test: { include: ["tests/native/imports/*.test.ts"], maxWorkers: 1, testTimeout: 120_000 },
});
