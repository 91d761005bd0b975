import { defineConfig } from "vitest/config";

/** What a Worker on this machine serves beside the API, at API_BASE_URL. Run by run.sh. */
export default defineConfig({ test: { include: ["tests/workers/**/*.test.ts"] } });
