import { percentile } from "../../bench/statistics.ts";
import type { Connection } from "../../database/connection.ts";
import { createCallers, createLimitedCaller } from "./callers.ts";
import { closedLoop, openLoop } from "./drive.ts";
import { Ledger, settledUsage, type Taken } from "./ledger.ts";
import { type MemoryUse, watchMemory } from "./memory.ts";
import { prepareMix } from "./mix.ts";
import type { Stack } from "./stacks.ts";

/** Figures of one phase. Times are in milliseconds. */
export interface PhaseFigures {
  phase: string;
  /** Answers a second, less those of 503. */
  answered_per_second: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
  /** 503s a second, and how long they took. */
  refused_per_second: number;
  refused_p95_ms: number;
}

export interface LoadReport {
  stack: Stack["name"];
  seconds: number;
  /** Requests under way at a time at saturation. */
  connections: number;
  phases: PhaseFigures[];
  /** Until a second's p95 stayed near that of before; undefined when it did not. */
  recovered_after_seconds: number | undefined;
  quotas: { served: number; refused: number }[];
  /** MiB when the load had begun, at the end of it, and at most. */
  memory: { begun: MemoryUse; ended: MemoryUse; most: MemoryUse };
  faults: [string, number][];
}

const connectionSteps = [2, 4, 8, 16, 32];
/** Of what a stack can do, at a calm time. */
const calmShare = 0.25;

/** Saturation, twice that, and calm: each phase's answers and counts are held against what is right. */
export async function runPhases(stack: Stack, connection: Connection, seconds: number): Promise<LoadReport> {
  const callers = await createCallers(connection);
  let limited = await createLimitedCaller(connection, 100);
  const mix = await prepareMix(stack.baseUrl, connection, callers, () => limited);
  const faults = new Map<string, number>();
  const quotas: LoadReport["quotas"] = [];
  const phases: PhaseFigures[] = [];

  /** Runs one phase with a ledger and a quota of its own. */
  const phase = async (name: string, quota: number, drive: (send: () => Promise<Taken>) => Promise<unknown>) => {
    limited = await createLimitedCaller(connection, quota);
    const everybody = [...callers.developers, callers.free, limited];
    const before = await settledUsage(connection, everybody);
    const ledger = new Ledger();
    const start = performance.now();
    await drive(() => ledger.send(stack.baseUrl, mix.next()));
    const figures = figuresOf(name, ledger.taken, (performance.now() - start) / 1000);
    await ledger.holdAgainstUsage(connection, everybody, before);
    quotas.push(ledger.holdAgainstQuota(limited));
    for (const [fault, count] of ledger.faults) faults.set(fault, (faults.get(fault) ?? 0) + count);
    return { ledger, figures };
  };

  const calmSeconds = Math.min(10, seconds);
  await phase("warm up", 50, (send) => closedLoop(send, 4, calmSeconds / 2));
  let connections = 2;
  let rate = 0;
  for (const step of connectionSteps) {
    let reached = 0;
    await phase(`${step} connections`, 50, async (send) => {
      reached = await closedLoop(send, step, Math.min(5, seconds / 4));
    });
    if (reached > rate * 1.03) [connections, rate] = [step, reached];
  }
  const calm = await phase("calm, before", 50, (send) => openLoop(send, rate * calmShare, calmSeconds / 2));
  phases.push(calm.figures);

  let quietFrom = 0;
  const memory = watchMemory(stack.pids);
  const quota = Math.ceil(rate * seconds * 0.06 * 0.4);
  const saturated = await phase("saturation", quota, async (send) => {
    rate = await closedLoop(send, connections, seconds);
  });
  const twice = await phase("twice as much", quota, (send) => openLoop(send, rate * 2, seconds));
  memory.stop();
  // Reading the usage gave the service a rest: the load comes back for a moment, and calm follows on its heels.
  const after = await phase("calm, after", 50, async (send) => {
    await openLoop(send, rate * 2, calmSeconds / 2);
    quietFrom = performance.now();
    await openLoop(send, rate * calmShare, calmSeconds);
  });
  phases.push(saturated.figures, twice.figures);
  const quiet = after.ledger.taken.filter(({ at }) => at >= quietFrom);
  phases.push(figuresOf("calm, after", quiet, calmSeconds));

  const [begun = {}] = memory.readings.slice(Math.floor(memory.readings.length / 10));
  return {
    stack: stack.name,
    seconds,
    connections,
    phases,
    recovered_after_seconds: recovery(quiet, quietFrom, calm.figures.p95_ms, calmSeconds),
    quotas: quotas.filter(({ refused }) => refused > 0),
    memory: { begun, ended: memory.readings.at(-1) ?? {}, most: most(memory.readings) },
    faults: [...faults],
  };
}

function figuresOf(phase: string, taken: readonly Taken[], seconds: number): PhaseFigures {
  const times = (wanted: (status: number) => boolean) =>
    taken.filter(({ status }) => wanted(status)).map(({ ms }) => ms);
  const answered = times((status) => status !== 503);
  const refused = times((status) => status === 503);
  const at = (list: number[], share: number) => (list.length === 0 ? 0 : percentile(list, share));
  return {
    phase,
    answered_per_second: answered.length / seconds,
    p50_ms: at(answered, 0.5),
    p95_ms: at(answered, 0.95),
    p99_ms: at(answered, 0.99),
    refused_per_second: refused.length / seconds,
    refused_p95_ms: at(refused, 0.95),
  };
}

/** Seconds until every later second's p95 is at most twice what it was before, or 25 ms more, and nothing is refused. */
function recovery(taken: readonly Taken[], from: number, usualMs: number, seconds: number): number | undefined {
  const bound = Math.max(2 * usualMs, usualMs + 25);
  let recovered: number | undefined;
  for (let second = Math.floor(seconds) - 1; second >= 0; second--) {
    const within = taken.filter(({ at }) => Math.floor((at - from) / 1000) === second);
    const isUsual =
      within.every(({ status }) => status !== 503) &&
      (within.length === 0 ||
        percentile(
          within.map(({ ms }) => ms),
          0.95,
        ) <= bound);
    if (!isUsual) return recovered;
    recovered = second;
  }
  return recovered;
}

function most(readings: readonly MemoryUse[]): MemoryUse {
  const names = Object.keys(readings[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, Math.max(...readings.map((use) => use[name] ?? 0))]));
}
