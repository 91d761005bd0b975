// @ts-check
/**
 * Runs a TypeScript file of this project under Deno, which comes from npm: `node local/deno.mjs FILE ...`.
 *
 * The `deno` package's own launcher does not forward signals, and a server must stop when its parent is told to. So this
 * launcher finds the binary, starts it, and forwards signals.
 */
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { dataFolderPath } from "./caller-path.mjs";
import { buildDashboard } from "./dashboard/build.mjs";
import { denoArguments, denoBinary, openFilesMaximum, serverProgram } from "./deno-command.mjs";
import { startCommand } from "./documents/command.mjs";
import { createDailyDocuments, readDocumentsFolder, readyMessage } from "./documents/daily.mjs";
import { aliveMessage, readLimitSeconds, watch } from "./watchdog.mjs";

const words = process.argv.slice(2);
const isServer = resolve(words[0] ?? "") === serverProgram;

const binary = denoBinary();
if (binary === undefined) {
  console.error("Deno is not installed for this platform: run `npm ci` first.");
  process.exit(1);
}

const limitSeconds = isServer ? readLimitSeconds(process.env.WATCHDOG_SECONDS) : 0;
if (limitSeconds === undefined) {
  console.error(
    `WATCHDOG_SECONDS must be a number of seconds, or 0 for no limit, not "${process.env.WATCHDOG_SECONDS}".`,
  );
  process.exit(1);
}

const { folder: documentsFolder, problem: folderProblem } = readDocumentsFolder(
  isServer ? process.env.DOCUMENTS_DIR : undefined,
);
if (folderProblem !== undefined) {
  console.error(folderProblem);
  process.exit(1);
}

const child = spawn(binary, denoArguments(words), {
  stdio: ["inherit", "inherit", "inherit", ...(isServer ? /** @type {const} */ (["ipc"]) : [])],
  env: {
    ...process.env,
    DENO_NO_UPDATE_CHECK: "1",
    // Deno would ask this machine through a proxy as well.
    NO_PROXY: [process.env.NO_PROXY || process.env.no_proxy, "127.0.0.1,localhost,::1"].filter(Boolean).join(","),
    // The server's permissions name this data folder, so the server must use the same path.
    ...(isServer ? { DATA_DIR: dataFolderPath(), OPEN_FILES_MAXIMUM: openFilesMaximum() } : {}),
  },
});
const watchdog = isServer ? watch(child, limitSeconds, console.error) : undefined;
const documents =
  documentsFolder === undefined
    ? undefined
    : createDailyDocuments({
        folder: documentsFolder,
        dataFolder: dataFolderPath(),
        start: startCommand,
        report: (entry) => child.connected && child.send({ documents: entry }),
      });
// The server has no permission to start programs, so this process builds the dashboard, and brings documents. No message can change a command.
child.on("message", async (message) => {
  if (message === aliveMessage) watchdog?.notice();
  if (message === readyMessage) documents?.begin();
  if (message !== "build-dashboard") return;
  const problem = await buildDashboard(fileURLToPath(new URL("..", import.meta.url)));
  if (child.connected) child.send({ problem });
});
// Ctrl-C in a terminal reaches the child directly; a signal sent to this process alone must be forwarded.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => end(signal));
child.on("exit", (code, signal) => {
  documents?.kill();
  process.exit(signal === null ? (code ?? 1) : (watchdog?.status() ?? 1));
});

// The npm script uses `exec`, so npm's signals reach this process and not a shell. A killed npm (SIGKILL) sends no signal:
// a changed parent id is the only sign. If this process is killed, the server's channel to it closes, at which the server stops.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end("SIGTERM");
  }, 500).unref();
}

/** @param {NodeJS.Signals} signal */
function end(signal) {
  watchdog?.expectEnd();
  documents?.stop();
  child.kill(signal);
}
