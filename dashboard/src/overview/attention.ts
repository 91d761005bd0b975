import type { z } from "zod";
import type { Account } from "../../../shared/responses/account/account.ts";
import type { AccountKey } from "../../../shared/responses/account/keys.ts";
import type { accountUsage } from "../../../shared/responses/account/usage.ts";
import type { Webhook } from "../../../shared/responses/account/webhooks.ts";
import { formatRelative } from "../format/dates.ts";
import { formatCount, formatShare } from "../format/numbers.ts";
import { isExpiringSoon } from "../keys/expiry.ts";

type Usage = z.infer<typeof accountUsage>;

/** Something that its owner should look at, and where. */
export interface Attention {
  tone: "warning" | "bad";
  title: string;
  detail: string;
  href: string;
  /** Name of the link. */
  action: string;
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
export function findAttention({ account, keys = [], webhooks = [], usage }: Known, now = Date.now()): Attention[] {
  const found = [
    ...webhooks.flatMap(webhookAttention),
    ...(account === undefined ? [] : quotaAttention(account)),
    ...(usage === undefined ? [] : errorAttention(usage)),
    ...keys.filter((key) => isExpiringSoon(key, now)).map((key) => keyAttention(key, now)),
  ];
  return found.toSorted((one, other) => Number(other.tone === "bad") - Number(one.tone === "bad"));
}

function webhookAttention({ id, url, state, disabled_reason, failures_in_a_row }: Webhook): Attention[] {
  const link = { href: `/webhooks/${id}`, action: "Open the webhook" };
  const name = URL.parse(url)?.host ?? url;
  if (state === "disabled") {
    return [
      {
        tone: "bad",
        title: `The webhook to ${name} is disabled`,
        detail: disabled_reason ?? "It is sent nothing.",
        ...link,
      },
    ];
  }
  if (state !== "active" || failures_in_a_row === 0) return [];
  const detail =
    failures_in_a_row === 1
      ? "Its last attempt failed."
      : `Its last ${formatCount(failures_in_a_row)} attempts failed.`;
  return [{ tone: "warning", title: `The webhook to ${name} is failing`, detail, ...link }];
}

function quotaAttention({ quota: { limit, used, remaining } }: Account): Attention[] {
  if (limit <= 0 || used < limit * warningShare) return [];
  const link = { href: "/usage", action: "See the usage" };
  if (remaining === 0) {
    return [
      { tone: "bad", title: "Today’s quota is used up", detail: "Requests get 429 until midnight UTC.", ...link },
    ];
  }
  const detail = `${formatCount(used)} of ${formatCount(limit)} requests.`;
  return [{ tone: "warning", title: `${formatShare(used, limit)} of today’s quota is used`, detail, ...link }];
}

function errorAttention({ days }: Usage): Attention[] {
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
      tone: status === "5xx" ? "bad" : "warning",
      title: isFirst ? "Many requests fail" : "Errors are rising",
      detail: `${formatShare(errors, today.requests)} of today’s requests failed${ofBefore}.`,
      href: `/requests?status=${status}`,
      action: "See the requests",
    },
  ];
}

function keyAttention({ name, expires_at }: AccountKey, now: number): Attention {
  return {
    tone: "warning",
    title: `The key “${name}” expires ${formatRelative(expires_at ?? "", now)}`,
    detail: "Rotate it, and give the new one to what uses it.",
    href: "/keys",
    action: "Open the keys",
  };
}
