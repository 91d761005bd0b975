// @ts-check
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { callerPath } from "../caller-path.mjs";

/** The server's message that it answers requests, and that its demo is complete. */
export const readyMessage = "ready";

const dayMs = 86_400_000;
/** Time between two looks whether a run is due: a timer of a day would not count a laptop's sleep. */
const lookMs = 60_000;
/** Wait after a run that failed. */
const retryMs = 3_600_000;
/** Name of the file with the time of the last run, and the data folder that it was for. */
const lastRunName = ".last-run";

/**
 * @typedef {object} RunEntry What is to be logged of a run.
 * @property {"info" | "error"} level
 * @property {string} [command]
 * @property {string} message
 */

/**
 * Reads `DOCUMENTS_DIR`, and makes the folder in one that exists.
 *
 * @param {string | undefined} text
 * @returns {{ folder?: string; problem?: string }} neither where it is not set.
 */
export function readDocumentsFolder(text) {
  if (text === undefined || text === "") return {};
  const folder = resolve(callerPath(text));
  try {
    if (!existsSync(folder)) mkdirSync(folder);
    if (!statSync(folder).isDirectory()) return { problem: `DOCUMENTS_DIR must be a folder, and ${folder} is a file.` };
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return { folder };
  } catch (error) {
    return { problem: `DOCUMENTS_DIR must be a folder that can be written: ${/** @type {Error} */ (error).message}.` };
  }
}

/**
 * Fetches and loads the documents of current opportunities once a day: one command at a time. A day counts from the end of a run. The folder has the time, so a restart does not run again.
 *
 * @param {object} options
 * @param {string} options.folder
 * @param {string} options.dataFolder of the database that the documents go to.
 * @param {(action: "fetch" | "load", folder: string) => import("./command.mjs").Command} options.start
 * @param {(entry: RunEntry) => void} options.report
 * @param {() => number} [options.now]
 */
export function createDailyDocuments({ folder, dataFolder, start, report, now = Date.now }) {
  /** @type {import("./command.mjs").Command | undefined} */
  let running;
  let isRunning = false;
  let isStopped = false;
  let failedMs = Number.NEGATIVE_INFINITY;

  async function run() {
    for (const action of /** @type {const} */ (["fetch", "load"])) {
      running = start(action, folder);
      const { isDone, output } = await running.ended;
      running = undefined;
      if (isStopped) return;
      report({ level: isDone ? "info" : "error", command: action, message: output.split("\n").join("; ") });
      if (!isDone) {
        failedMs = now();
        return;
      }
    }
    writeFileSync(join(folder, lastRunName), `${new Date(now()).toISOString()} ${dataFolder}\n`);
  }

  async function runIfDue() {
    if (isRunning || isStopped || now() - failedMs < retryMs || !isDue(readLastRun(folder, dataFolder), now())) return;
    isRunning = true;
    try {
      await run();
    } catch (error) {
      failedMs = now();
      report({ level: "error", message: String(error) });
    } finally {
      isRunning = false;
    }
  }

  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  return {
    /** Runs both commands where they are due, and looks again each minute. A second call changes nothing. */
    begin() {
      if (timer !== undefined) return;
      timer = setInterval(runIfDue, lookMs).unref();
      const lastMs = readLastRun(folder, dataFolder);
      if (isDue(lastMs, now())) void runIfDue();
      else report({ level: "info", message: `last run at ${new Date(lastMs).toISOString()}; the next is a day later` });
    },
    runIfDue,
    /** Tells the command that runs to end, and begins no other. */
    stop() {
      isStopped = true;
      running?.stop();
    },
    /** Ends the command that runs at once, with all that it started. */
    kill() {
      isStopped = true;
      running?.kill();
    },
  };
}

/**
 * Whether a day has passed. A time to come is of a wrong clock.
 *
 * @param {number} lastMs NaN where there was no run.
 * @param {number} nowMs
 */
function isDue(lastMs, nowMs) {
  return !(lastMs <= nowMs && nowMs - lastMs < dayMs);
}

/**
 * @param {string} folder
 * @param {string} dataFolder
 * @returns NaN where there was no run for this data folder.
 */
function readLastRun(folder, dataFolder) {
  try {
    const [, time = "", of] = /^(\S+) (.+)$/m.exec(readFileSync(join(folder, lastRunName), "utf8")) ?? [];
    return of === dataFolder ? Date.parse(time) : Number.NaN;
  } catch {
    return Number.NaN;
  }
}
