import { defineConfig } from "vitest/config";

/** The proofs of delivery, on the database at DATABASE_URL, which run.sh makes. They write to it, one after the other. */
export default defineConfig({
  test: {
    include: ["tests/webhooks/proofs/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 60_000,
  },
});
