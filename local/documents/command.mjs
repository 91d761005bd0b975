// @ts-check
import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { dataFolderPath } from "../caller-path.mjs";

const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** Minutes after which a command begins no further document. */
const minutes = 60;
/** Time after which a command is told to end: the last document and the database take some. */
const limitMs = 70 * 60_000;
/** Time that a command has to end once it is told to. A document is read in at most 20 s. */
const endMs = 30_000;
/** Characters of the output that are kept: its end. */
const maxOutputCharacters = 4_000;
const hasGroups = process.platform !== "win32";

/**
 * @typedef {object} Result How a command ended.
 * @property {boolean} isDone
 * @property {string} output what it printed: on standard output where it is done, on standard error where it failed.
 */

/**
 * @typedef {object} Command A command that runs.
 * @property {Promise<Result>} ended never rejects.
 * @property {() => void} stop tells it to end.
 * @property {() => void} kill ends it at once, with all that it started.
 */

/**
 * Starts `npm run documents -- ACTION` on the database of the server that this process started, at a low priority and in a process group of its own.
 * It ends with this process.
 *
 * @param {"fetch" | "load"} action
 * @param {string} folder
 * @returns {Command}
 */
export function startCommand(action, folder) {
  const words = [action, "--folder", folder, "--minutes", String(minutes)];
  const { DATABASE_URL: _, ...environment } = process.env;
  const child = spawn(process.execPath, [join(root, "local/deno.mjs"), join(root, "cli/documents.ts"), ...words], {
    cwd: root,
    // The launcher of a npm script ends what it runs when its own parent has ended.
    env: { ...environment, DATA_DIR: dataFolderPath(), npm_lifecycle_event: "documents" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: hasGroups,
  });
  const pid = child.pid ?? 0;
  let hasEnded = pid === 0;
  if (!hasEnded) setLowPriority(pid);
  const output = { out: "", err: "" };
  child.stdout.on("data", (piece) => {
    output.out = (output.out + String(piece)).slice(-maxOutputCharacters);
  });
  child.stderr.on("data", (piece) => {
    output.err = (output.err + String(piece)).slice(-maxOutputCharacters);
  });

  const kill = () => {
    if (hasEnded) return;
    try {
      if (hasGroups) process.kill(-pid, "SIGKILL");
      else child.kill("SIGKILL");
    } catch {
      // It has just ended.
    }
  };
  /** @type {NodeJS.Timeout | undefined} */
  let killTimer;
  const stop = () => {
    if (hasEnded || killTimer !== undefined) return;
    killTimer = setTimeout(kill, endMs);
    child.kill("SIGTERM");
  };
  let isTooLong = false;
  const limitTimer = setTimeout(() => {
    isTooLong = true;
    stop();
  }, limitMs);
  const ended = new Promise((settle) => {
    /** @param {Result} result */
    const end = (result) => {
      hasEnded = true;
      clearTimeout(limitTimer);
      clearTimeout(killTimer);
      settle(result);
    };
    child.on("error", (error) => end({ isDone: false, output: error.message }));
    child.on("close", (status) => {
      if (isTooLong) end({ isDone: false, output: `It took more than ${limitMs / 60_000} minutes, and was ended.` });
      else if (status === 0) end({ isDone: true, output: output.out.trim() });
      else end({ isDone: false, output: output.err.trim() || `It ended with ${status}.` });
    });
  });
  return { ended, stop, kill };
}

/**
 * What the process starts inherits its priority.
 *
 * @param {number} pid
 */
function setLowPriority(pid) {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended, or the system has no priorities.
  }
}
