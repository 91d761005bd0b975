import { spawn } from "node:child_process";
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";

/** What the build is made of, from the project's folder. */
const sources = ["dashboard", "shared", "packages", "package-lock.json"];

/**
 * Builds the dashboard if its sources are newer than its last build. It takes seconds, beside a start that works on
 * something else; `npm ci` and all that need no page never wait for it.
 *
 * The new build takes the old one's place whole, so that whoever reads it meanwhile, and another start at the same
 * moment, see one or the other.
 *
 * @param root the project's folder. The build goes to `dashboard/dist` there.
 * @returns why it is not up to date, or undefined when it is. Never rejects.
 */
export async function buildDashboard(root: string): Promise<string | undefined> {
  try {
    return await buildIfStale(root);
  } catch (error) {
    return String(error);
  }
}

async function buildIfStale(root: string): Promise<string | undefined> {
  const built = join(root, "dashboard/dist");
  if (!existsSync(join(root, "dashboard/index.html"))) return undefined;
  if (newest(join(built, "index.html")) >= Math.max(...sources.map((source) => newest(join(root, source))))) {
    return undefined;
  }
  const vite = join(root, "node_modules/vite/bin/vite.js");
  if (!existsSync(vite))
    return "Vite is not installed; npm ci installs it, unless told to leave out what is for development";

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

/** When a file, or the latest file below a folder, was changed, in Unix milliseconds; 0 when there is none. */
function newest(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  const names = readdirSync(path).filter((name) => name !== "node_modules" && name !== "dist" && !name.startsWith("."));
  return Math.max(0, ...names.map((name) => newest(join(path, name))));
}

function run(program: string, words: string[], cwd: string): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      cwd,
      // Whoever starts the server may be a test, whose NODE_ENV would build React for development.
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    // The start beside it loads a database with the same cores, and is waited for.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", (error) => resolve({ status: null, output: error.message }));
    child.on("close", (status) => resolve({ status, output: output.trim() }));
  });
}
