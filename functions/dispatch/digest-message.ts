import type { ClaimedDigest, DigestRecord } from "../../shared/database/rpc.ts";
import { escapeHtml } from "../../shared/http/escape-html.ts";
import type { Sender } from "../../shared/mail/sender.ts";
import { readableText } from "../saved-searches/text.ts";
import type { Mail } from "./mail/mailer.ts";

export interface DigestMessageOptions {
  sender: Sender;
  /** Address of the API, up to and including `/functions/v1`. */
  apiUrl: string;
  dashboardUrl: string;
  /** Token that unsubscribes. */
  token: string;
  now: Date;
}

/** Writes the mail of a digest. Texts of records and of the owner come into it as one line each, and escaped in its HTML. */
export function writeDigest(digest: ClaimedDigest, options: DigestMessageOptions): Mail {
  const { sender, apiUrl, token, now } = options;
  const content = contentOf(digest, options);
  return {
    // The same for a period, whatever happens: programs show a mail with the same id once.
    messageId: `<digest.${digest.search.id}.${Date.parse(digest.due_at)}@${sender.address.split("@").at(-1)}>`,
    date: now,
    to: digest.recipient,
    subject: `${content.count}: ${content.name}`,
    text: writeText(content),
    html: writeHtml(content),
    headers: {
      "Auto-Submitted": "auto-generated",
      // RFC 8058: a mail program's own button posts to this address.
      "List-Unsubscribe": `<${unsubscribeUrl(apiUrl, token)}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  };
}

/** Unsubscribe address: a GET shows a page that asks, a POST unsubscribes. */
function unsubscribeUrl(apiUrl: string, token: string): string {
  return `${apiUrl}/saved-searches/${token}/unsubscribe`;
}

/** All that a digest says, as lines of text, and its links. */
interface Content {
  name: string;
  /** "3 new grants" */
  count: string;
  records: { title: string; url: string | undefined; lines: string[] }[];
  /** "and 12 more"; undefined where all are here. */
  rest: string | undefined;
  schedule: string;
  searchUrl: string;
  settingsUrl: string;
  unsubscribeUrl: string;
}

function contentOf(digest: ClaimedDigest, { apiUrl, dashboardUrl, token }: DigestMessageOptions): Content {
  const { search, count, is_capped, records } = digest;
  const noun = count === 1 && !is_capped ? search.dataset.slice(0, -1) : search.dataset;
  const rest = count - records.length;
  return {
    name: line(search.name),
    count: `${number(count)}${is_capped ? " or more" : ""} new ${noun}`,
    records: records.map((record) => ({
      title: line(record.title),
      url: webUrl(record.url),
      lines: recordLines(record),
    })),
    rest:
      rest > 0 ? `and ${number(rest)}${is_capped ? " or more" : ""} more` : is_capped ? "and perhaps more" : undefined,
    schedule: scheduleOf(digest),
    searchUrl: `${dashboardUrl}/explorer?dataset=${search.dataset}${search.query === "" ? "" : `&${search.query}`}`,
    settingsUrl: `${dashboardUrl}/saved-searches`,
    unsubscribeUrl: unsubscribeUrl(apiUrl, token),
  };
}

/** Lines about a record: its funder and agencies, its deadline, its amount. */
function recordLines({ funder_name, agency, deadline_date, amount_min, amount_max }: DigestRecord): string[] {
  const organizations = [...(funder_name === null ? [] : [funder_name]), ...agency].map(line);
  const amount = amountOf(amount_min, amount_max);
  return [
    [...new Set(organizations.filter((name) => name !== ""))].join(" · "),
    [
      ...(deadline_date === null ? [] : [`Deadline: ${day(deadline_date)}`]),
      ...(amount === undefined ? [] : [`Amount: ${amount}`]),
    ].join(" · "),
  ].filter((text) => text !== "");
}

function amountOf(least: number | null, most: number | null): string | undefined {
  if (least !== null && most !== null) return least === most ? dollars(most) : `${dollars(least)} to ${dollars(most)}`;
  if (most !== null) return `up to ${dollars(most)}`;
  return least === null ? undefined : `from ${dollars(least)}`;
}

function scheduleOf({ frequency, weekday, hour, time_zone }: ClaimedDigest): string {
  const days =
    frequency === "daily" ? "every day" : `every ${weekday?.replace(/^./, (letter) => letter.toUpperCase())}`;
  return `${days} at ${hour}:00 (${time_zone}), if there is anything new`;
}

function writeText({ name, count, records, rest, schedule, ...links }: Content): string {
  return [
    `${count} for your saved search "${name}"`,
    "",
    ...records.flatMap(({ title, url, lines }, index) => [
      `${index + 1}. ${title}`,
      ...[...lines, ...(url === undefined ? [] : [url])].map((text) => `   ${text}`),
      "",
    ]),
    `${rest === undefined ? "All that it finds" : rest}: ${links.searchUrl}`,
    "",
    "--",
    `You get this ${schedule}.`,
    `Change it: ${links.settingsUrl}`,
    `Unsubscribe: ${links.unsubscribeUrl}`,
    "",
  ].join("\n");
}

function writeHtml({ name, count, records, rest, schedule, ...links }: Content): string {
  return [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(`${count}: ${name}`)}</title></head>`,
    '<body style="font-family: sans-serif; line-height: 1.5; max-width: 40em; margin: 0 auto; padding: 1em">',
    `<p>${escapeHtml(count)} for your saved search <strong>${escapeHtml(name)}</strong></p>`,
    "<ol>",
    ...records.map(({ title, url, lines }) =>
      [
        `<li style="margin-bottom: 1em">${url === undefined ? escapeHtml(title) : anchor(url, title)}`,
        ...lines.map(escapeHtml),
      ]
        .join("<br>")
        .concat("</li>"),
    ),
    "</ol>",
    `<p>${anchor(links.searchUrl, rest === undefined ? "All that it finds" : rest)}</p>`,
    `<hr><p style="font-size: 0.875em">You get this ${escapeHtml(schedule)}.<br>`,
    `${anchor(links.settingsUrl, "Change it")} · ${anchor(links.unsubscribeUrl, "Unsubscribe")}</p>`,
    "</body></html>",
    "",
  ].join("\n");
}

function anchor(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}

/** Marks that change the direction of the text after them. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text as one line. */
function line(text: string): string {
  return readableText(text)
    .replaceAll(directionMarks, "")
    .replaceAll(/[\s\u0085]+/gu, " ")
    .trim();
}

/** A link of the web, with all that could end it encoded; undefined for any other. */
function webUrl(text: string | null): string | undefined {
  const url = text === null ? null : URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return undefined;
  return url.href.replaceAll("'", "%27");
}

const number = (value: number) => new Intl.NumberFormat("en-US").format(value);
const dollars = (value: number) =>
  new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 }).format(value);
/** A date in words; as it is where it cannot be read. */
function day(date: string): string {
  const moment = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(moment.getTime())) return date;
  return new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(moment);
}
