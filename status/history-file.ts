import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { removedOnSignal } from "../cli/removed-on-signal.ts";
import { unfinishedName } from "../local/unfinished.ts";
import { type History, historySchema } from "./history.ts";
import { HistoryError } from "./history-error.ts";

/** How long a run waits for another one to write, and after how long that one is given up for dead. Writing takes milliseconds. */
const maxWaitMs = 10_000;
const staleMs = 60_000;

/**
 * Reads the history in a file, or undefined where there is no such file.
 *
 * @throws {HistoryError} when it is no history, or another deployment's: it is not overwritten.
 */
export async function readHistory(path: string, baseUrl: string): Promise<History | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const history = parseHistory(path, text);
  if (history.base_url !== baseUrl) {
    throw new HistoryError(
      `${path} is the history of ${history.base_url}, not of ${baseUrl}. Each deployment needs its own.`,
    );
  }
  return history;
}

function parseHistory(path: string, text: string): History {
  const advice = "Nothing was written. Restore the file, or move it away to begin a new history.";
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HistoryError(`${path} is not JSON: it is damaged or cut short. ${advice}`);
  }
  const parsed = historySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "its form" : issue.path.join(".");
  throw new HistoryError(
    `${path} is not a status history: ${place} is wrong (${issue?.message ?? "unknown"}). ${advice}`,
  );
}

/** Writes a file whole or not at all: a reader sees the old one or the new one. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = unfinishedName(path);
  removedOnSignal.add(unfinished);
  try {
    await writeFile(unfinished, text);
    const file = await open(unfinished, "r+");
    await file.sync().finally(() => file.close());
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
    removedOnSignal.delete(unfinished);
  }
}

/**
 * Does work while no other run does: a folder beside the file is the lock. One that a killed run left is taken after a minute.
 *
 * @throws {HistoryError} when another run holds the lock for ten seconds.
 */
export async function withLock<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  const lock = `${path}.lock`;
  const until = performance.now() + maxWaitMs;
  while (!(await acquire(lock))) {
    if (performance.now() > until)
      throw new HistoryError(`Another run is writing ${path}: ${lock} is there. Nothing was written.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  removedOnSignal.add(lock);
  try {
    return await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
    removedOnSignal.delete(lock);
  }
}

async function acquire(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
  // Either way: the clock may have been set back since.
  if (Math.abs(Date.now() - mtimeMs) > staleMs) {
    const taken = `${lock}.${crypto.randomUUID()}`;
    await rename(lock, taken).then(
      () => rm(taken, { recursive: true, force: true }),
      () => undefined,
    );
  }
  return false;
}
