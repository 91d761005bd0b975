import * as z from "zod";
import type { Check, Outcome } from "./probe.ts";
import { addByEndpoint, bucketCount, type CountsByEndpoint, countsBetween } from "./response-times.ts";

/** Days that a history has, the current one included. */
export const keptDays = 90;
/** Length of a slot, and slots of a day. A day keeps one letter for each slot. */
export const slotMinutes = 5;
export const slotsOfDay = (24 * 60) / slotMinutes;

/** Letters of the slots by outcome: of several checks, the worst. A slot without a check is unknown. */
export const slotLetters = { unknown: "-", ready: "u", "not-ready": "d", unreachable: "x" } as const;
type SlotLetter = (typeof slotLetters)[keyof typeof slotLetters];
const worseLast: readonly SlotLetter[] = ["-", "u", "d", "x"];

const minuteMs = 60_000;
/** Longest time between two readings of counters on different days at which their difference is still counted. */
const maximumGapMs = 60 * minuteMs;
/** Longest time before the last reading at which another counts as that of a simultaneous run, and not of a clock that was set back. */
const simultaneousMs = 5 * minuteMs;

const moment = z.iso.datetime();
const name = z.string().min(1).max(60);
const counts = z.array(z.int().min(0)).length(bucketCount);
const byEndpoint = z.array(z.strictObject({ endpoint: name, counts })).max(40);

/** The file's form. */
export const historySchema = z.strictObject({
  format: z.literal(1),
  base_url: z.url(),
  /** The last check. */
  latest: z.strictObject({
    at: moment,
    outcome: z.enum(["ready", "not-ready", "unreachable"]),
    detail: z.string().max(1_000).nullable(),
    response_ms: z.int().min(0).nullable(),
  }),
  /** The last reading of metrics, and why there was none at the last check. */
  metrics: z.strictObject({
    read_at: moment.nullable(),
    problem: z.string().max(1_000).nullable(),
    counters: byEndpoint,
    data_as_of: z.array(z.strictObject({ dataset: name, at: moment })).max(40),
  }),
  /** Requests of the last hour, by the reading that found them. */
  recent: z.array(z.strictObject({ at: moment, counts: byEndpoint })).max(1_000),
  /** Days with a check, in order. */
  days: z
    .array(z.strictObject({ day: z.iso.date(), slots: z.string().regex(/^[-udx]{288}$/), counts: byEndpoint }))
    .max(keptDays),
});

export type History = z.infer<typeof historySchema>;
export type Day = History["days"][number];

type StoredCounts = z.infer<typeof byEndpoint>;

/** Returns a history with one more check. Without a history, begins one. */
export function addCheck(history: History | undefined, baseUrl: string, check: Check): History {
  const at = check.at.toISOString();
  const today = at.slice(0, 10);
  const latestDay = new Date(check.at.getTime() + simultaneousMs).toISOString().slice(0, 10);
  const metrics = nextMetrics(history, check);
  const found = newCounts(history, check);
  const known = history?.days ?? [];
  const before = known.find(({ day }) => day === today) ?? emptyDay(today);
  const day: Day = {
    ...before,
    slots: withOutcome(before.slots, slotOf(check.at), check.outcome),
    counts: storedCounts(addByEndpoint([countsMap(before.counts), found.ofDay])),
  };
  const isLatest = history === undefined || history.latest.at <= at || isFuture(history.latest.at, check.at);
  return {
    format: 1,
    base_url: baseUrl,
    latest: isLatest
      ? { at, outcome: check.outcome, detail: check.detail ?? null, response_ms: check.responseMs ?? null }
      : history.latest,
    metrics,
    recent: [
      ...(history?.recent ?? []).filter((one) => isWithinHour(one.at, check.at)),
      ...(found.ofHour.size === 0 ? [] : [{ at, counts: storedCounts(found.ofHour) }]),
    ].slice(-1_000),
    // Later days are of a clock that was ahead, but for a run at the same time around midnight. Old days go by their number and not
    // by the clock: one that is ahead for a moment must not take all of them.
    days: [...known.filter((one) => one.day !== today && one.day <= latestDay), day]
      .toSorted((one, other) => (one.day < other.day ? -1 : 1))
      .slice(-keptDays),
  };
}

/** Whether a moment of the history is of a clock that was ahead of this check's. */
function isFuture(moment: string, now: Date): boolean {
  return Date.parse(moment) - now.getTime() > simultaneousMs;
}

function isWithinHour(moment: string, now: Date): boolean {
  const age = now.getTime() - Date.parse(moment);
  return age < 60 * minuteMs && age >= -simultaneousMs;
}

/** Number of a moment's slot in its day. */
export function slotOf(moment: Date): number {
  return Math.floor((moment.getUTCHours() * 60 + moment.getUTCMinutes()) / slotMinutes);
}

function emptyDay(day: string): Day {
  return { day, slots: slotLetters.unknown.repeat(slotsOfDay), counts: [] };
}

function withOutcome(slots: string, slot: number, outcome: Outcome): string {
  const rank = (letter: string) => worseLast.indexOf(letter as SlotLetter);
  const before = slots.charAt(slot);
  const letter = slotLetters[outcome];
  return rank(letter) > rank(before) ? slots.slice(0, slot) + letter + slots.slice(slot + 1) : slots;
}

/** Requests since the last reading: those for the day's counts, and those for the last hour's. */
function newCounts(
  history: History | undefined,
  { at, metrics }: Check,
): { ofDay: CountsByEndpoint; ofHour: CountsByEndpoint } {
  const nothing = { ofDay: new Map(), ofHour: new Map() };
  const readAt = history?.metrics.read_at ?? null;
  if (history === undefined || readAt === null || metrics === undefined) return nothing;
  const gapMs = at.getTime() - Date.parse(readAt);
  if (gapMs <= 0) return nothing;
  const isOneDay = readAt.slice(0, 10) === at.toISOString().slice(0, 10);
  const increase = countsBetween(countsMap(history.metrics.counters), metrics.counters);
  const isShort = gapMs <= maximumGapMs;
  return { ofDay: isShort || isOneDay ? increase : new Map(), ofHour: isShort ? increase : new Map() };
}

function nextMetrics(history: History | undefined, { at, metrics, metricsProblem }: Check): History["metrics"] {
  const before = history?.metrics ?? { read_at: null, problem: null, counters: [], data_as_of: [] };
  if (metrics === undefined) return { ...before, problem: metricsProblem ?? null };
  // A run at the same time was quicker: its counters are the later ones.
  const leadMs = before.read_at === null ? -1 : Date.parse(before.read_at) - at.getTime();
  if (leadMs >= 0 && leadMs <= simultaneousMs) return { ...before, problem: null };
  return {
    read_at: at.toISOString(),
    problem: null,
    counters: storedCounts(metrics.counters),
    data_as_of: [...metrics.dataAges].map(([dataset, ageSeconds]) => ({
      dataset,
      at: new Date(Math.max(0, at.getTime() - ageSeconds * 1_000)).toISOString(),
    })),
  };
}

/** Counts of the file as a map. */
export function countsMap(stored: StoredCounts): CountsByEndpoint {
  return new Map(stored.map(({ endpoint, counts }) => [endpoint, counts]));
}

function storedCounts(counts: CountsByEndpoint): StoredCounts {
  return [...counts].map(([endpoint, of]) => ({ endpoint, counts: [...of] })).slice(0, 40);
}
