import {
  countsMap,
  type Day,
  type History,
  keptDays,
  slotLetters,
  slotMinutes,
  slotOf,
  slotsOfDay,
} from "./history.ts";
import { addByEndpoint, addCounts, type Quantile, quantile } from "./response-times.ts";

/** A day as the page shows it. */
export interface DaySummary {
  date: Date;
  /** Slots with a check, and those among them in which every check found the API ready. */
  known: number;
  ready: number;
  p95: Quantile | undefined;
}

/** Time in which every check failed, by slots. Up to an hour without a check may lie between two of them. */
export interface Outage {
  from: Date;
  to: Date;
  /** Whether the last check was part of it. */
  isOngoing: boolean;
  minutes: number;
  /** Whether every check found no answer at all. */
  isUnreachable: boolean;
}

export interface Summary {
  /** The last 90 days, oldest first; days without a check are there, with 0 known slots. */
  days: readonly DaySummary[];
  known: number;
  ready: number;
  /** Slots from the first check to the last. */
  elapsed: number;
  firstDay: Date;
  /** Newest first. */
  outages: readonly Outage[];
  /** p95 by endpoint, of the last hour and of the UTC day; the busiest of the day first. */
  responseTimes: readonly { endpoint: string; hour: Quantile | undefined; day: Quantile | undefined }[];
  /** p95 of all requests together. */
  allResponseTimes: { hour: Quantile | undefined; day: Quantile | undefined };
}

const dayMs = 86_400_000;
const slotMs = slotMinutes * 60_000;

/** Sums up a history for its page, as of its last check. */
export function summarize(history: History): Summary {
  const now = new Date(history.latest.at);
  const today = startOfDay(now.toISOString().slice(0, 10));
  const byDate = new Map(history.days.map((day) => [startOfDay(day.day), day]));
  const dates = Array.from({ length: keptDays }, (_, index) => today - (keptDays - 1 - index) * dayMs);
  const days = dates.map((date) => summarizeDay(date, byDate.get(date)));
  const slots = dates.map((date) => byDate.get(date)?.slots ?? slotLetters.unknown.repeat(slotsOfDay)).join("");
  const first = slots.search(/[^-]/);
  const last = (keptDays - 1) * slotsOfDay + slotOf(now);
  const sum = (numberOf: (day: DaySummary) => number) => days.reduce((total, day) => total + numberOf(day), 0);
  return {
    days,
    known: sum(({ known }) => known),
    ready: sum(({ ready }) => ready),
    elapsed: last - first + 1,
    firstDay: new Date((dates[0] ?? today) + first * slotMs),
    outages: findOutages(slots, dates[0] ?? today, history.latest.outcome === "ready" ? undefined : last),
    responseTimes: responseTimes(history, byDate.get(today)),
    allResponseTimes: {
      hour: quantile(addCounts(history.recent.flatMap((one) => one.counts.map(({ counts }) => counts))), 0.95),
      day: days.at(-1)?.p95,
    },
  };
}

function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function summarizeDay(date: number, day: Day | undefined): DaySummary {
  const letters = [...(day?.slots ?? "")].filter((letter) => letter !== slotLetters.unknown);
  return {
    date: new Date(date),
    known: letters.length,
    ready: letters.filter((letter) => letter === slotLetters.ready).length,
    p95: quantile(addCounts((day?.counts ?? []).map(({ counts }) => counts)), 0.95),
  };
}

/** @param failingSlot slot of the last check, where that failed. */
function findOutages(slots: string, start: number, failingSlot: number | undefined): Outage[] {
  return [...slots.matchAll(/[dx](?:-{0,12}[dx])*/g)].toReversed().map(({ 0: letters, index }) => ({
    from: new Date(start + index * slotMs),
    to: new Date(start + (index + letters.length) * slotMs),
    isOngoing: index + letters.length - 1 === failingSlot,
    minutes: letters.length * slotMinutes,
    isUnreachable: !letters.includes(slotLetters["not-ready"]),
  }));
}

function responseTimes({ recent }: History, today: Day | undefined): Summary["responseTimes"] {
  const hour = addByEndpoint(recent.map(({ counts }) => countsMap(counts)));
  const day = countsMap(today?.counts ?? []);
  const requests = (endpoint: string) => (day.get(endpoint) ?? []).reduce((total, count) => total + count, 0);
  return [...new Set([...day.keys(), ...hour.keys()])]
    .toSorted((one, other) => requests(other) - requests(one) || one.localeCompare(other))
    .map((endpoint) => ({
      endpoint,
      hour: quantile(hour.get(endpoint) ?? [], 0.95),
      day: quantile(day.get(endpoint) ?? [], 0.95),
    }));
}
