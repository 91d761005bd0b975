import { defineConfig } from "vitest/config";

/** Supabase's own CLI against a stand-in for its Management API. It comes from npm, once per machine. */
export default defineConfig({
  test: {
    include: ["tests/deploy/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
});
