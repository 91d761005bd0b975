/**
 * Runs a TypeScript file of this project under Deno, which comes from npm: `node local/deno.mjs FILE ...`.
 *
 * The `deno` package's own launcher cannot pass signals on, and a server must stop when its parent
 * is told to; so this one finds the binary and stays in between.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Where npm put the binary for this platform. */
function denoBinary() {
  const scope = `${root}node_modules/@deno`;
  const binaries = existsSync(scope)
    ? readdirSync(scope).flatMap((name) => [`${scope}/${name}/deno`, `${scope}/${name}/deno.exe`])
    : [];
  const binary = binaries.find((path) => existsSync(path));
  if (binary === undefined) {
    console.error("Deno is not installed for this platform: run `npm ci` first.");
    process.exit(1);
  }
  return binary;
}

const child = spawn(
  denoBinary(),
  ["run", "--quiet", "--allow-all", "--no-lock", "--no-remote", "--no-prompt", ...process.argv.slice(2)],
  { stdio: "inherit", env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" } },
);
// A terminal's Ctrl-C reaches the child by itself; a signal sent to this process alone does not.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));

// (The npm script says `exec`, so that npm's signals reach this process and not a shell.)
// When npm is killed outright, nobody tells this process; without it, nobody tells the child.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) child.kill("SIGTERM");
  }, 500).unref();
}
