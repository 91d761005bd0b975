import { describe, expect, test } from "vitest";
import { addCheck, type History, historySchema, keptDays, slotOf } from "../../../status/history.ts";
import type { Check, Outcome } from "../../../status/probe.ts";
import { bucketCount } from "../../../status/response-times.ts";
import { summarize } from "../../../status/summary.ts";

const baseUrl = "https://api.example.org/functions/v1";

/** A check; with a number, one that read that many requests of up to a millisecond so far. */
function check(at: string, outcome: Outcome = "ready", requests?: number): Check {
  const counts = [requests ?? 0, ...new Array<number>(bucketCount - 1).fill(0)];
  const metrics = { counters: new Map([["grants-api", counts]]), dataAges: new Map([["grants", 3_600]]) };
  return {
    at: new Date(at),
    outcome,
    detail: outcome === "ready" ? undefined : "Not ready: x.",
    responseMs: outcome === "unreachable" ? undefined : 20,
    metrics: requests === undefined ? undefined : metrics,
    metricsProblem: undefined,
  };
}

/** History of these checks, each step of which can be read back from its file. */
function historyOf(...checks: Check[]): History {
  let history: History | undefined;
  for (const each of checks)
    history = historySchema.parse(JSON.parse(JSON.stringify(addCheck(history, baseUrl, each))));
  if (history === undefined) throw new Error("no checks");
  return history;
}

const lettersOf = (history: History, day: string) =>
  history.days.find((one) => one.day === day)?.slots.replaceAll("-", "");
const requestsOf = (history: History, day: string) =>
  history.days.find((one) => one.day === day)?.counts.find(({ endpoint }) => endpoint === "grants-api")?.counts[0] ?? 0;

describe("a day", () => {
  test("has what each of its slots found, the worst of several checks, in any order", () => {
    const history = historyOf(
      check("2026-11-26T00:00:00Z"),
      check("2026-11-26T00:07:00Z", "unreachable"),
      check("2026-11-26T00:09:59Z"),
      check("2026-11-26T23:59:59Z", "not-ready"),
    );
    const { slots } = history.days[0] ?? { slots: "" };
    expect([slots.slice(0, 4), slots.at(-1), slots.length]).toEqual(["ux--", "d", 288]);
  });

  test("ends at midnight UTC", () => {
    const history = historyOf(check("2026-11-25T23:59:59Z", "not-ready"), check("2026-11-26T00:00:00Z"));
    expect(history.days.map(({ day }) => day)).toEqual(["2026-11-25", "2026-11-26"]);
    expect(history.days[0]?.slots.at(-1)).toBe("d");
    expect(history.days[1]?.slots.charAt(slotOf(new Date("2026-11-26T00:00:00Z")))).toBe("u");
  });

  test("goes after ninety", () => {
    const start = Date.parse("2026-01-01T12:00:00Z");
    const checks = Array.from({ length: keptDays + 5 }, (_, day) =>
      check(new Date(start + day * 86_400_000).toISOString()),
    );
    const history = historyOf(...checks);
    expect(history.days).toHaveLength(keptDays);
    expect(history.days[0]?.day).toBe("2026-01-06");
  });
});

describe("a clock", () => {
  test("that was years ahead for one check takes no day away, and its own day goes", () => {
    const history = historyOf(
      check("2026-11-25T12:00:00Z"),
      check("2036-01-01T12:00:00Z"),
      check("2026-11-26T12:00:00Z"),
    );
    expect(history.days.map(({ day }) => day)).toEqual(["2026-11-25", "2026-11-26"]);
    expect(history.latest.at).toBe("2026-11-26T12:00:00.000Z");
  });

  test("that was set back counts no request twice, and none below zero", () => {
    const history = historyOf(
      check("2026-11-26T12:00:00Z", "ready", 100),
      check("2026-11-26T12:05:00Z", "ready", 110),
      check("2026-11-26T11:00:00Z", "ready", 120),
      check("2026-11-26T11:05:00Z", "ready", 125),
    );
    expect(requestsOf(history, "2026-11-26")).toBe(15);
  });

  test("of a second run at the same time changes neither the last check nor the counters", () => {
    const quick = historyOf(check("2026-11-26T00:00:00Z", "ready", 0), check("2026-11-26T00:00:02Z", "ready", 30));
    const history = addCheck(quick, baseUrl, check("2026-11-25T23:59:59Z", "not-ready", 20));
    expect(history.latest.outcome).toBe("ready");
    expect(history.metrics).toEqual(quick.metrics);
    expect([lettersOf(history, "2026-11-25"), lettersOf(history, "2026-11-26")]).toEqual(["d", "u"]);
    expect(requestsOf(addCheck(history, baseUrl, check("2026-11-26T00:05:00Z", "ready", 33)), "2026-11-26")).toBe(33);
  });
});

describe("requests", () => {
  test("of the first reading are older than the history", () => {
    expect(requestsOf(historyOf(check("2026-11-26T12:00:00Z", "ready", 9_000)), "2026-11-26")).toBe(0);
  });

  test("between readings an hour apart count on the later day, and not where more lies between them", () => {
    const late = historyOf(check("2026-11-25T23:50:00Z", "ready", 10), check("2026-11-26T00:20:00Z", "ready", 15));
    expect(requestsOf(late, "2026-11-26")).toBe(5);
    const days = historyOf(check("2026-11-23T12:00:00Z", "ready", 10), check("2026-11-26T12:00:00Z", "ready", 9_000));
    expect(requestsOf(days, "2026-11-26")).toBe(0);
  });

  test("of the last hour are forgotten after it; a failed reading loses none", () => {
    const history = historyOf(
      check("2026-11-26T10:00:00Z", "ready", 10),
      check("2026-11-26T10:05:00Z", "ready", 30),
      check("2026-11-26T11:20:00Z", "unreachable"),
      check("2026-11-26T11:25:00Z", "ready", 40),
    );
    expect(requestsOf(history, "2026-11-26")).toBe(30);
    expect(summarize(history).responseTimes).toEqual([
      { endpoint: "grants-api", hour: undefined, day: { ms: 0.95, isMore: false } },
    ]);
  });
});

test("an outage goes on over an hour without a check, and not over more, or over a check that was well", () => {
  const times = ["08:00", "09:00", "11:00", "11:05", "11:10"];
  const checks = times.map((time) => check(`2026-11-26T${time}:00Z`, time === "11:05" ? "ready" : "unreachable"));
  const { outages } = summarize(historyOf(...checks, check("2026-11-26T11:15:00Z")));
  expect(outages.map(({ minutes }) => minutes)).toEqual([5, 5, 65]);
});

test("a summary has ninety days, what is unknown among them, and outages across midnight as one", () => {
  const summary = summarize(
    historyOf(
      check("2026-11-20T12:00:00Z"),
      check("2026-11-25T23:50:00Z", "not-ready"),
      check("2026-11-25T23:55:00Z", "unreachable"),
      check("2026-11-26T00:00:00Z", "unreachable"),
      check("2026-11-26T00:05:00Z"),
      check("2026-11-26T00:10:00Z", "unreachable"),
    ),
  );
  expect(summary.days).toHaveLength(keptDays);
  expect(summary.days.map(({ known }) => known).filter((known) => known > 0)).toEqual([1, 2, 3]);
  expect([summary.ready, summary.known, summary.elapsed]).toEqual([2, 6, 5 * 288 + 147]);
  expect(summary.firstDay).toEqual(new Date("2026-11-20T12:00:00Z"));
  expect(summary.outages).toEqual([
    {
      from: new Date("2026-11-26T00:10:00Z"),
      to: new Date("2026-11-26T00:15:00Z"),
      isOngoing: true,
      minutes: 5,
      isUnreachable: true,
    },
    {
      from: new Date("2026-11-25T23:50:00Z"),
      to: new Date("2026-11-26T00:05:00Z"),
      isOngoing: false,
      minutes: 15,
      isUnreachable: false,
    },
  ]);
});
