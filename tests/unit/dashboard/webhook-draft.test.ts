import { expect, test } from "vitest";
import { formatWait } from "../../../dashboard/src/format/dates.ts";
import { changesOf, draftOf, formOf } from "../../../dashboard/src/webhooks/draft.ts";
import type { Webhook } from "../../../shared/responses/account/webhooks.ts";

const webhook: Webhook = {
  id: "8f14e45f-ceea-467f-a0e6-f3b0c44298f0",
  url: "https://hooks.example.org/funding",
  description: "",
  events: ["grant.created", "grant.updated"],
  filters: { grants: "", contracts: "states=OH" },
  deadline_days: [30, 7],
  expand: [],
  updated_fields: ["deadline_date", "deadline_at"],
  state: "active",
  disabled_reason: null,
  failures_in_a_row: 0,
  failing_since: null,
  previous_secret_expires_at: null,
  created_at: "2026-11-20T16:43:30.000Z",
  updated_at: "2026-11-20T16:43:30.000Z",
};
const form = formOf(webhook);

test("a form that nobody touched changes nothing, whatever it does not show", () => {
  expect(changesOf(webhook, draftOf(form, webhook))).toEqual({});
});

test("a change of one part is sent alone", () => {
  expect(changesOf(webhook, draftOf({ ...form, description: "Water" }, webhook))).toEqual({ description: "Water" });
});

test("an empty query is the list's defaults or no filter, as is chosen", () => {
  const withGrants = (grants: typeof form.filters.grants) =>
    draftOf({ ...form, filters: { ...form.filters, grants } }, webhook).filters;
  expect(withGrants({ query: " ", hasDefaults: true })).toEqual({ grants: "", contracts: "states=OH" });
  expect(withGrants({ query: "", hasDefaults: false })).toEqual({ contracts: "states=OH" });
  expect(withGrants({ query: " search=water ", hasDefaults: false })).toEqual({
    grants: "search=water",
    contracts: "states=OH",
  });
});

test("what was typed for a dataset without events is not sent, and what the webhook has for it stays", () => {
  const typed = { ...form.filters, contracts: { query: "states=nowhere", hasDefaults: false } };
  expect(draftOf({ ...form, filters: typed, days: "never" }, webhook)).toMatchObject({
    filters: webhook.filters,
    deadline_days: webhook.deadline_days,
  });
});

test("fields of updates are all, those of deadlines, or those that are chosen", () => {
  expect(form.updates).toBe("deadline");
  const fields = (updates: typeof form.updates) =>
    draftOf({ ...form, updates, chosenFields: ["status"] }, webhook).updated_fields;
  expect([fields("all"), fields("deadline"), fields("chosen")]).toEqual([
    [],
    ["deadline_date", "deadline_at"],
    ["status"],
  ]);
});

test("an attempt that is due is due now, and not just now", () => {
  expect([formatWait(0), formatWait(30), formatWait(300)]).toEqual([
    "due now",
    "in less than a minute",
    "in 5 minutes",
  ]);
});
