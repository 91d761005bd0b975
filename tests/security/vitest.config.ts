import { defineConfig } from "vitest/config";

/** The RPCs with hostile arguments on the native stack that the environment names; `npm test` has them embedded. */
export default defineConfig({
  test: { include: ["tests/security/rpcs.test.ts"], testTimeout: 600_000, hookTimeout: 120_000 },
});
