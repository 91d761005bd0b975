import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { metricFamilies } from "../../functions/metrics/metric-families.ts";
import { prometheusText } from "../../functions/metrics/prometheus.ts";
import type { Runtime } from "../../shared/runtime.ts";
import { addCheck, type History, historySchema, slotMinutes } from "../../status/history.ts";
import { readMetrics } from "../../status/metrics.ts";
import { type Check, probe } from "../../status/probe.ts";
import { type PublicStatus, publicStatusOf } from "../../status/public.ts";

/** Time between two checks. */
const checkMs = slotMinutes * 60_000;
/** Offset of a check within its slot, so that no slot is without one. */
const offsetMs = 10_000;
/** Age up to which an answer is given again: strangers must not read the counters with every request. */
const freshMs = 5_000;
const fileName = "status-history.json";

/** History of a server's own checks. */
export interface StatusHistory {
  /** Current public status; undefined before the first check. */
  current(): Promise<PublicStatus | undefined>;
  /** Stops checking. The result of a check under way is dropped: the server that it asks is stopping. */
  stop(): void;
}

/**
 * Checks this server while it runs, as `npm run status` checks a deployment, and keeps the last 90 days in the data folder. A server that is not
 * running checks nothing: such times are unknown, and never counted as well.
 *
 * @param folder the data folder.
 * @param baseUrl this server's address, up to and including `/functions/v1`.
 */
export function startStatusHistory(
  runtime: Pick<Runtime, "database" | "log">,
  folder: string,
  baseUrl: string,
): StatusHistory {
  const path = join(folder, fileName);
  const stopped = new AbortController();
  const { signal } = stopped;
  const warn = (error: unknown) => runtime.log.write("error", { function: "status-history", error: String(error) });
  let history = readStatusHistory(path, warn);
  void (async () => {
    while (!signal.aborted) {
      try {
        const next = addCheck(history, baseUrl, await checkServer(runtime, baseUrl));
        if (signal.aborted) return;
        history = next;
        writeWhole(path, JSON.stringify(next));
      } catch (error) {
        warn(error);
      }
      const left = checkMs - ((Date.now() - offsetMs) % checkMs);
      await sleep(left, undefined, { signal }).catch(() => undefined);
    }
  })();

  let answer: { at: number; status: Promise<PublicStatus | undefined> } | undefined;
  return {
    current() {
      if (answer === undefined || performance.now() - answer.at > freshMs) {
        answer = { at: performance.now(), status: summarizeNow(runtime, baseUrl, history) };
      }
      return answer.status;
    },
    stop: () => stopped.abort(),
  };
}

/** Sums up a history with the requests since its last check, which the file gets only with the next one. */
async function summarizeNow(
  runtime: Pick<Runtime, "database">,
  baseUrl: string,
  history: History | undefined,
): Promise<PublicStatus | undefined> {
  if (history === undefined) return undefined;
  const metrics = await readCounters(runtime).catch(() => undefined);
  if (metrics === undefined) return publicStatusOf(history, slotMinutes);
  const { outcome } = history.latest;
  const { recent, days } = addCheck(history, baseUrl, { at: new Date(), outcome, metrics, ...unknownDetail });
  // The slots stay those of the checks: this reading did not ask whether the API is ready.
  const countsOf = (day: string) => days.find((other) => other.day === day)?.counts ?? [];
  const counted = history.days.map((day) => ({ ...day, counts: countsOf(day.day) }));
  return publicStatusOf({ ...history, recent, days: counted }, slotMinutes);
}

const unknownDetail = { detail: undefined, responseMs: undefined, metricsProblem: undefined };

/** Asks the server over HTTP whether it is ready, as everybody does, and the database for its counters. */
async function checkServer(runtime: Pick<Runtime, "database">, baseUrl: string): Promise<Check> {
  const check = await probe({ baseUrl, metricsSecret: undefined });
  try {
    return { ...check, metrics: await readCounters(runtime) };
  } catch (error) {
    return { ...check, metricsProblem: String(error) };
  }
}

/** The counters of `/metrics`, by the same text, so that both count alike. */
async function readCounters({ database }: Pick<Runtime, "database">) {
  const outcome = await database.call("get_metrics", {});
  if (!outcome.ok) throw new Error(`${outcome.failure.code} ${outcome.failure.message}`);
  return readMetrics(prometheusText(metricFamilies(outcome.value)));
}

/** Reads the history of earlier runs. A file that is damaged is moved away, so that a new history begins. */
function readStatusHistory(path: string, warn: (error: unknown) => void): History | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") warn(error);
    return undefined;
  }
  try {
    return historySchema.parse(JSON.parse(text));
  } catch {
    renameSync(path, `${path}.damaged`);
    warn(`${path} is no status history: it was moved to ${path}.damaged, and a new one begins`);
    return undefined;
  }
}

/** Writes a file whole or not at all. It has numbers of requests, which are for nobody else on the machine. */
function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.unfinished`, text, { mode: 0o600 });
  renameSync(`${path}.unfinished`, path);
}
