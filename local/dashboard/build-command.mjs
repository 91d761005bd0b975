// @ts-check
/** `npm run build`: builds the dashboard anew, also while something reads the last build. */
import { fileURLToPath } from "node:url";
import { buildDashboard } from "./build.mjs";

const problem = await buildDashboard(fileURLToPath(new URL("../..", import.meta.url)), true);
if (problem !== undefined) {
  console.error(problem);
  process.exit(1);
}
