import { describe, expect, test } from "vitest";
import { findAlerts, linesOf } from "../../../dashboard/src/overview/attention.ts";
import { endPutOff, putOff, readPutOff } from "../../../dashboard/src/overview/put-off.ts";
import { newSince } from "../../../dashboard/src/overview/visit.ts";

const now = Date.parse("2026-11-26T12:00:00Z");

type Facts = Parameters<typeof findAlerts>[0];
const findAttention = (known: Facts, at: number) => linesOf(findAlerts(known, at));

/** An account that nothing is wrong with, but for what is given. */
function facts({
  quota = {},
  keys = [],
  webhooks = [],
  days = [],
}: {
  quota?: object;
  keys?: object[];
  webhooks?: object[];
  days?: object[];
}): Facts {
  const quiet = { requests: 0, client_errors: 0, server_errors: 0 };
  const key = { name: "sync", status: "active", expires_at: null, replaced_by: null };
  const webhook = {
    id: "1",
    url: "https://hooks.example.org/a",
    description: "",
    state: "active",
    disabled_reason: null,
    failures_in_a_row: 0,
  };
  return {
    account: { quota: { limit: 100, used: 10, remaining: 90, ...quota } },
    keys: keys.map((given) => ({ ...key, ...given })),
    webhooks: webhooks.map((given) => ({ ...webhook, ...given })),
    usage: { days: days.map((given) => ({ ...quiet, ...given })) },
  } as unknown as Facts;
}

const titlesOf = (given: Parameters<typeof facts>[0]) => findAttention(facts(given), now).map(({ title }) => title);

describe("what needs attention", () => {
  test("is nothing where all is well", () => {
    const days = [
      { requests: 100, client_errors: 2 },
      { requests: 100, client_errors: 2 },
    ];
    expect(titlesOf({ keys: [{}], webhooks: [{}, { state: "paused", failures_in_a_row: 3 }], days })).toEqual([]);
    expect(titlesOf({ quota: { limit: -1, used: 1e6, remaining: -1 } })).toEqual([]);
    expect(titlesOf({ quota: { limit: 0, used: 0, remaining: 0 } })).toEqual([]);
  });

  test("is a webhook that is disabled, with its reason, before one that fails", () => {
    const found = findAttention(
      facts({
        webhooks: [{ failures_in_a_row: 3 }, { id: "2", state: "disabled", disabled_reason: "It answered 410." }],
      }),
      now,
    );
    expect(found).toMatchObject([
      {
        tone: "bad",
        title: "The webhook to hooks.example.org is disabled",
        detail: "It answered 410.",
        href: "/webhooks/2",
      },
      { tone: "warning", title: "The webhook to hooks.example.org is failing", detail: "Its last 3 attempts failed." },
    ]);
  });

  test("names a webhook by its description", () => {
    expect(titlesOf({ webhooks: [{ description: "Grants to Slack", failures_in_a_row: 1 }] })).toEqual([
      "The webhook “Grants to Slack” is failing",
    ]);
  });

  test("is one line with a count for all alerts of a kind", () => {
    const expires_at = "2026-11-29T12:00:00.000Z";
    const webhooks = ["a", "b", "c", "d", "e", "f", "g"].map((id) => ({ id, state: "disabled", description: id }));
    const found = findAttention(
      facts({
        webhooks: [...webhooks, { id: "h", failures_in_a_row: 1 }],
        keys: [
          { id: "1", expires_at },
          { id: "2", name: "site", expires_at },
        ],
      }),
      now,
    );
    expect(found).toMatchObject([
      {
        tone: "bad",
        title: "7 webhooks are disabled",
        detail: "“a”, “b”, “c”, “d”, “e”, and 2 more.",
        href: "/webhooks",
      },
      { title: "The webhook to hooks.example.org is failing", href: "/webhooks/h" },
      { title: "2 keys expire soon", detail: "“sync” in 3 days and “site” in 3 days.", href: "/keys" },
    ]);
    expect(found[0]?.ids).toHaveLength(7);
  });

  test("is put off for a day, by each owner for itself, until it is shown again or is another", () => {
    const [first, second] = findAlerts(
      facts({ webhooks: [{ id: "1", state: "disabled" }], quota: { used: 85, remaining: 15 } }),
      now,
    );
    putOff("ann", [first?.id ?? ""], now);
    putOff("ann", [second?.id ?? ""], now + 1);
    expect(readPutOff("ann", now + 60_000)).toEqual(new Set([first?.id, second?.id]));
    expect(readPutOff("bob", now)).toEqual(new Set());
    expect(readPutOff("ann", now + 86_400_000)).toEqual(new Set([second?.id]));
    const [, tomorrow] = findAlerts(
      facts({ webhooks: [{ id: "1", state: "disabled" }], quota: { used: 85, remaining: 15 } }),
      now + 86_400_000,
    );
    expect(tomorrow?.id).not.toBe(second?.id);
    endPutOff("ann", now);
    expect(readPutOff("ann", now)).toEqual(new Set());
  });

  test("is a quota from 80% on", () => {
    expect(titlesOf({ quota: { used: 79, remaining: 21 } })).toEqual([]);
    expect(titlesOf({ quota: { used: 80, remaining: 20 } })).toEqual(["80% of today’s quota is used"]);
    expect(titlesOf({ quota: { used: 100, remaining: 0 } })).toEqual(["Today’s quota is used up"]);
  });

  test("is a key that expires within a week, unless it was replaced or is no longer active", () => {
    const expires_at = "2026-11-29T12:00:00.000Z";
    expect(titlesOf({ keys: [{ expires_at }] })).toEqual(["The key “sync” expires in 3 days"]);
    expect(
      titlesOf({
        keys: [
          { expires_at: "2026-12-04T12:00:00.000Z" },
          { expires_at, replaced_by: "2" },
          { expires_at, status: "revoked" },
        ],
      }),
    ).toEqual([]);
  });

  test("are errors that rise: many of today’s requests, and twice the share of the days before", () => {
    const before = { requests: 1000, client_errors: 30 };
    expect(titlesOf({ days: [before, { requests: 100, client_errors: 10 }] })).toEqual(["Errors are rising"]);
    expect(titlesOf({ days: [before, { requests: 100, client_errors: 5 }] })).toEqual([]);
    expect(titlesOf({ days: [{ requests: 100, client_errors: 50 }] })).toEqual(["Many requests fail"]);
    expect(titlesOf({ days: [before, { requests: 10, client_errors: 9 }] })).toEqual([]);
    expect(
      titlesOf({
        days: [
          { requests: 1000, client_errors: 100 },
          { requests: 100, client_errors: 15 },
        ],
      }),
    ).toEqual([]);
    const [found] = findAttention(facts({ days: [before, { requests: 100, server_errors: 12 }] }), now);
    expect(found).toMatchObject({
      tone: "bad",
      detail: "12% of today’s requests failed, after 3% in the days before.",
      href: "/requests?status=5xx",
    });
  });
});

describe("records are new", () => {
  const seenUntil = "2026-11-25T10:00:00.000Z";
  const minutesAgo = (minutes: number) => now - minutes * 60_000;

  test("since the visit before, which ends after half an hour away", () => {
    expect(newSince({ since: "2026-11-20T00:00:00.000Z", seenUntil, at: minutesAgo(31) }, now)).toBe(seenUntil);
  });

  test("still after a reload within a visit", () => {
    expect(newSince({ since: "2026-11-20T00:00:00.000Z", seenUntil, at: minutesAgo(29) }, now)).toBe(
      "2026-11-20T00:00:00.000Z",
    );
    expect(newSince({ seenUntil, at: minutesAgo(29) }, now)).toBeUndefined();
  });

  test("since the default on the first visit", () => expect(newSince(undefined, now)).toBeUndefined());
});
