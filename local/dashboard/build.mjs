// @ts-check
import { spawn } from "node:child_process";
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** Sources of the build, relative to the project's folder. */
const sources = [
  "dashboard",
  "shared",
  "status",
  "packages",
  "package-lock.json",
  "functions/openapi/openapi.json",
  "docs/changelog.json",
];

/**
 * Builds the dashboard if its sources are newer than its last build. A build takes seconds. It runs beside the server's start,
 * so that `npm ci` and everything that needs no page never wait for it.
 *
 * The new build replaces the old one as a whole: readers, and another start at the same moment, see one or the other.
 *
 * @param {string} root the project's folder. The build goes to its `dashboard/dist`.
 * @param {boolean} [always] whether to build even if the last build is up to date.
 * @returns {Promise<string | undefined>} why the build is not up to date, or undefined when it is. Never rejects.
 */
export async function buildDashboard(root, always = false) {
  try {
    return always || isStale(root) ? await build(root) : undefined;
  } catch (error) {
    return String(error);
  }
}

/**
 * @param {string} root
 * @returns {boolean}
 */
function isStale(root) {
  if (!existsSync(join(root, "dashboard/index.html"))) return false;
  return (
    newestChangeMs(join(root, "dashboard/dist/index.html")) <
    Math.max(...sources.map((source) => newestChangeMs(join(root, source))))
  );
}

/**
 * @param {string} root
 * @returns {Promise<string | undefined>}
 */
async function build(root) {
  const built = join(root, "dashboard/dist");
  const vite = join(root, "node_modules/vite/bin/vite.js");
  if (!existsSync(vite)) return "Vite is not installed. Run npm ci without leaving out development dependencies.";

  const next = join(root, `dashboard/.dist-${process.pid}`);
  const replaced = join(root, `dashboard/.dist-${process.pid}-old`);
  try {
    const words = ["build", "dashboard", "--outDir", next, "--emptyOutDir", "--logLevel", "error"];
    const { status, output } = await run(process.env.npm_node_execpath || "node", [vite, ...words], root);
    if (status !== 0) return `Vite ended with ${status}.\n${output}`;
    if (existsSync(built)) renameSync(built, replaced);
    renameSync(next, built);
    return undefined;
  } finally {
    for (const folder of [next, replaced]) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Time of the last change of a file, or of the newest file in a folder, in Unix milliseconds; 0 when there is none.
 *
 * @param {string} path
 * @returns {number}
 */
function newestChangeMs(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  const names = readdirSync(path).filter((name) => name !== "node_modules" && name !== "dist" && !name.startsWith("."));
  return Math.max(0, ...names.map((name) => newestChangeMs(join(path, name))));
}

/**
 * @param {string} program
 * @param {string[]} words
 * @param {string} cwd
 * @returns {Promise<{ status: number | null; output: string }>}
 */
function run(program, words, cwd) {
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      cwd,
      // A test may have started the server, and its NODE_ENV would build React for development.
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    // At the usual priority: with a low one, the build stood still beside the work of others, and a first start took minutes.
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
    child.on("error", (error) => resolve({ status: null, output: error.message }));
    child.on("close", (status) => resolve({ status, output: output.trim() }));
  });
}
