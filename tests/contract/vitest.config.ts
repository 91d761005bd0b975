import { defineConfig } from "vitest/config";

const { DATABASE_URL, AUTH_ISSUER, AUTH_SIGNING_KEY, METRICS_SECRET } = process.env;

/** Signing people in takes the database of the deployment and the key that its sign-in signs with. */
const canSignIn = [DATABASE_URL, AUTH_ISSUER, AUTH_SIGNING_KEY].every((value) => value !== undefined);

/**
 * The contract suite against a deployment: API_BASE_URL and the keys are in the environment. What is for people who
 * sign in, or changes records, is left out at a deployment whose sign-in is not ours to sign, and metrics where their
 * secret is not known.
 */
export default defineConfig({
  test: {
    include: ["tests/contract/**/*.test.ts"],
    exclude: [
      ...(canSignIn ? [] : ["account", "billing", "known-lists"].map((name) => `tests/contract/${name}.test.ts`)),
      ...(METRICS_SECRET === undefined ? ["tests/contract/metrics.test.ts"] : []),
    ],
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
