import type { z } from "zod";
import type { Account } from "../../../shared/responses/account/account.ts";
import type { AccountKey } from "../../../shared/responses/account/keys.ts";
import type { accountUsage } from "../../../shared/responses/account/usage.ts";
import type { Webhook } from "../../../shared/responses/account/webhooks.ts";
import { formatRelative } from "../format/dates.ts";
import { formatCount, formatShare } from "../format/numbers.ts";
import { asSentence } from "../format/sentence.ts";
import { isExpiringSoon } from "../keys/expiry.ts";

type Usage = z.infer<typeof accountUsage>;

/** Something that its owner should look at, and where. */
export interface Alert {
  /** Changes when it is news again. */
  id: string;
  tone: "warning" | "bad";
  title: string;
  detail: string;
  href: string;
  /** Name of the link. */
  action: string;
  /** How several of its kind are told in one line; absent where there is only one. */
  several?: { title: (count: number) => string; href: string; action: string };
  /** What it adds to such a line. */
  item?: string;
}

/** A line of the list: one alert, or all of a kind. */
export interface Attention extends Pick<Alert, "tone" | "title" | "detail" | "href" | "action"> {
  ids: readonly string[];
}

/** Share of the quota from which it is told. */
export const warningShare = 0.8;

/** Errors of a day that are told: at least so many, and so large a share of the requests. */
const leastErrors = 10;
const leastErrorShare = 0.05;
/** Days before today that today's errors are compared with, and how many times their share is a rise. */
const comparedDays = 7;
const rise = 2;

/** What is looked at. Undefined what is not known. */
interface Known {
  account?: Account | undefined;
  keys?: AccountKey[] | undefined;
  webhooks?: Webhook[] | undefined;
  usage?: Usage | undefined;
}

/** Finds the things that need the account's owner in what is known, the most urgent first. */
export function findAlerts({ account, keys = [], webhooks = [], usage }: Known, now = Date.now()): Alert[] {
  const found = [
    ...webhooks.flatMap(webhookAlerts),
    ...(account === undefined ? [] : quotaAlerts(account, now)),
    ...(usage === undefined ? [] : errorAlerts(usage, now)),
    ...keys.filter((key) => isExpiringSoon(key, now)).map((key) => keyAlert(key, now)),
  ];
  return found.toSorted((one, other) => Number(other.tone === "bad") - Number(one.tone === "bad"));
}

const listed = new Intl.ListFormat("en-US", { type: "conjunction" });
/** Limit of the alerts that are named in one line. */
const namedAlerts = 5;

/** Makes lines of alerts: those of one kind are one line, with their number. */
export function linesOf(alerts: readonly Alert[]): Attention[] {
  const kinds = new Map<Alert["several"] | string, Alert[]>();
  for (const alert of alerts) {
    const kind = alert.several ?? alert.id;
    kinds.set(kind, [...(kinds.get(kind) ?? []), alert]);
  }
  return [...kinds.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const ids = group.map(({ id }) => id);
    const { several } = first;
    if (several === undefined || group.length === 1) return [{ ...first, ids }];
    const items = group.flatMap(({ item }) => item ?? []);
    const others = items.length - namedAlerts;
    const named = others > 0 ? [...items.slice(0, namedAlerts), `${formatCount(others)} more`] : items;
    return [
      { ...several, tone: first.tone, title: several.title(group.length), detail: `${listed.format(named)}.`, ids },
    ];
  });
}

const ofWebhooks = { href: "/webhooks", action: "Open the webhooks" };
const disabledWebhooks = { title: (count: number) => `${formatCount(count)} webhooks are disabled`, ...ofWebhooks };
const failingWebhooks = { title: (count: number) => `${formatCount(count)} webhooks are failing`, ...ofWebhooks };
const expiringKeys = {
  title: (count: number) => `${formatCount(count)} keys expire soon`,
  href: "/keys",
  action: "Open the keys",
};

function webhookAlerts({ id, url, description, state, disabled_reason, failures_in_a_row }: Webhook): Alert[] {
  const link = { href: `/webhooks/${id}`, action: "Open the webhook" };
  const { host, pathname } = URL.parse(url) ?? { host: url, pathname: "" };
  const name = description === "" ? `to ${host}` : `“${description}”`;
  const item = description === "" ? `${host}${pathname}` : `“${description}”`;
  if (state === "disabled") {
    return [
      {
        id: `webhook-disabled ${id}`,
        tone: "bad",
        title: `The webhook ${name} is disabled`,
        detail: asSentence(disabled_reason ?? "It is sent nothing"),
        ...link,
        several: disabledWebhooks,
        item,
      },
    ];
  }
  if (state !== "active" || failures_in_a_row === 0) return [];
  return [
    {
      id: `webhook-failing ${id}`,
      tone: "warning",
      title: `The webhook ${name} is failing`,
      detail:
        failures_in_a_row === 1
          ? "Its last attempt failed."
          : `Its last ${formatCount(failures_in_a_row)} attempts failed.`,
      ...link,
      several: failingWebhooks,
      item,
    },
  ];
}

/** The UTC day: alerts about today are news again tomorrow. */
const dayOf = (now: number) => new Date(now).toISOString().slice(0, 10);

function quotaAlerts({ quota: { limit, used, remaining } }: Account, now: number): Alert[] {
  if (limit <= 0 || used < limit * warningShare) return [];
  const link = { href: "/usage", action: "See the usage" };
  if (remaining === 0) {
    return [
      {
        id: `quota-used ${dayOf(now)}`,
        tone: "bad",
        title: "Today’s quota is used up",
        detail: "Requests get 429 until midnight UTC.",
        ...link,
      },
    ];
  }
  const detail = `${formatCount(used)} of ${formatCount(limit)} requests.`;
  const title = `${formatShare(used, limit)} of today’s quota is used`;
  return [{ id: `quota-near ${dayOf(now)}`, tone: "warning", title, detail, ...link }];
}

function errorAlerts({ days }: Usage, now: number): Alert[] {
  const today = days.at(-1);
  if (today === undefined) return [];
  const errorsOf = (of: typeof days) => of.reduce((sum, day) => sum + day.client_errors + day.server_errors, 0);
  const requestsOf = (of: typeof days) => of.reduce((sum, { requests }) => sum + requests, 0);
  const before = days.slice(-1 - comparedDays, -1);
  const errors = errorsOf([today]);
  const share = errors / Math.max(1, today.requests);
  const shareBefore = errorsOf(before) / Math.max(1, requestsOf(before));
  if (errors < leastErrors || share < leastErrorShare || share < shareBefore * rise) return [];
  const isFirst = requestsOf(before) === 0;
  const ofBefore = isFirst ? "" : `, after ${formatShare(errorsOf(before), requestsOf(before))} in the days before`;
  const status = today.server_errors * 2 > errors ? "5xx" : "4xx";
  return [
    {
      id: `errors-${status} ${dayOf(now)}`,
      tone: status === "5xx" ? "bad" : "warning",
      title: isFirst ? "Many requests fail" : "Errors are rising",
      detail: `${formatShare(errors, today.requests)} of today’s requests failed${ofBefore}.`,
      href: `/requests?status=${status}`,
      action: "See the requests",
    },
  ];
}

function keyAlert({ id, name, expires_at }: AccountKey, now: number): Alert {
  const when = formatRelative(expires_at ?? "", now);
  return {
    id: `key-expiring ${id} ${expires_at}`,
    tone: "warning",
    title: `The key “${name}” expires ${when}`,
    detail: "Rotate it, and give the new one to what uses it.",
    href: "/keys",
    action: "Open the keys",
    several: expiringKeys,
    item: `“${name}” ${when}`,
  };
}
