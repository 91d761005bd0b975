// @ts-check
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The server's sign of life, each second. */
export const aliveMessage = "alive";

/** Exit status after a fault that a server cannot outlive. */
const faultStatus = 70;
/** Processor time without a sign of life after which a server is ended. A statement of the database blocks the server while it runs. */
const defaultLimitSeconds = 600;
/** Processor time without a sign of life that is reported. */
const warningSeconds = 60;
/** Seconds without a sign of life after which a server that was told to stop is ended. */
const stopSeconds = 30;
/** Clock ticks of a second in /proc. */
const ticksPerSecond = 100;

/**
 * Ends a server whose thread is blocked for good: nothing inside it could notice.
 *
 * What counts is the processor time that it has used since its last sign of life, not the time by a clock. So a laptop that sleeps, a stopped process,
 * a clock that jumps and a busy machine end nothing. Nor does an upgrade, however long: watching begins at the first sign of life.
 *
 * @param {import("node:child_process").ChildProcess} server sends `aliveMessage` each second.
 * @param {number} limitSeconds 0: it is never ended, unless it was told to stop.
 * @param {(line: string) => void} report
 */
export function watch(server, limitSeconds, report) {
  let hasBegun = false;
  let isAlive = false;
  let isStopping = false;
  let isReported = false;
  let hasEnded = false;
  let quietSeconds = 0;
  let usedAtLastSign = 0;

  const timer = setInterval(() => {
    if (!hasBegun) return;
    if (isAlive) {
      isAlive = isReported = false;
      quietSeconds = 0;
      usedAtLastSign = usedSeconds(server.pid ?? 0) ?? 0;
      return;
    }
    quietSeconds += 1;
    // A timer ticks at most once a second: where the system does not say, the ticks are the measure.
    const used = usedSeconds(server.pid ?? 0);
    const blockedSeconds = Math.round(used === undefined ? quietSeconds : used - usedAtLastSign);
    if (isStopping && quietSeconds >= Math.min(stopSeconds, limitSeconds || stopSeconds)) {
      end("The server was told to stop, and its thread is blocked.");
    } else if (limitSeconds > 0 && blockedSeconds >= limitSeconds) {
      end(`The server's thread is blocked: it has used ${blockedSeconds} s of processor time, and answered nothing.`);
    } else if (blockedSeconds >= warningSeconds && !isReported) {
      isReported = true;
      report(
        `The server has answered nothing for ${blockedSeconds} s of processor time: the database is at one statement.`,
      );
    }
  }, 1_000);
  timer.unref();

  /** @param {string} reason */
  function end(reason) {
    report(
      `${reason} It is ended. What was answered is stored: start again (docs/embedded.md, "When the server ends").`,
    );
    clearInterval(timer);
    hasEnded = true;
    server.kill("SIGKILL");
  }

  return {
    /** The server gave a sign of life. */
    notice() {
      hasBegun = isAlive = true;
    },
    /** The server was told to stop. */
    expectEnd() {
      isStopping = true;
    },
    /** Exit status where the server was ended here. */
    status: () => (hasEnded ? faultStatus : undefined),
  };
}

/**
 * Processor time that a process has used, in seconds; undefined where the system does not say.
 *
 * @param {number} pid
 */
function usedSeconds(pid) {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      // The program's name, in brackets, may have spaces.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
    }
    if (process.platform === "win32") return undefined;
    // [days-]hours:minutes:seconds
    const text = execFileSync("ps", ["-o", "time=", "-p", String(pid)], { encoding: "utf8" }).trim();
    const [seconds = 0, minutes = 0, hours = 0, days = 0] = text.split(/[-:]/).reverse().map(Number);
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
  } catch {
    return undefined;
  }
}

/**
 * Reads `WATCHDOG_SECONDS`.
 *
 * @param {string | undefined} text
 * @returns {number | undefined} undefined where it is no number of seconds.
 */
export function readLimitSeconds(text) {
  if (text === undefined || text === "") return defaultLimitSeconds;
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
