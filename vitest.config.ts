import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    // These need more than npm: see the test:* scripts of package.json.
    exclude: [
      "tests/server/**",
      "tests/secrets/**",
      "tests/native/**",
      "tests/full-size/**",
      "tests/security/native/**",
      "tests/deploy/**",
      "tests/webhooks/proofs/**",
      "tests/client/**",
      "tests/browser/**",
      "tests/faults/**",
      "tests/workers/**",
      "tests/docs/**",
      "node_modules/**",
    ],
    globalSetup: "tests/support/template.ts",
    // A PGlite takes some 300 MB; more at a time would not be faster on two cores.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
