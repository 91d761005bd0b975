import { createHttpMailer } from "../../functions/dispatch/mail/http-mailer.ts";
import { type Mailer, readSender, type Sender } from "../../functions/dispatch/mail/mailer.ts";
import { isLoopback } from "../webhooks/endpoint-url.ts";

/** Mail settings of a deployment, and how it sends. */
export type MailPlatform =
  | {
      isSetUp: true;
      mailer: Mailer;
      sender: Sender;
      /** Address of the API, up to and including `/functions/v1`. */
      apiUrl: string;
      /** Address of the dashboard, without a slash at its end. */
      dashboardUrl: string;
      /** Mails at a time. */
      concurrency: number;
    }
  | {
      isSetUp: false;
      /** Fault of the settings; undefined where there are no settings. */
      fault?: string;
    };

/** Platform that sends no mail. */
export const withoutMail: MailPlatform = { isSetUp: false };

export interface MailPlatformOptions {
  concurrency: number;
  /** Creates the mailer of an SMTP server; undefined where the platform has no sockets. */
  smtp?: ((url: URL, sender: Sender) => Mailer) | undefined;
  /** Mailer where the operator has set none, with its sender. */
  fallback?: { mailer: (sender: Sender) => Mailer; sender: Sender };
  /** Addresses where the operator has set none. */
  apiUrl?: string | undefined;
  dashboardUrl?: string | undefined;
}

/**
 * Reads a deployment's mail settings: `MAIL_SMTP_URL`, or `MAIL_HTTP_URL` and `MAIL_HTTP_TOKEN`; `MAIL_FROM`; `PUBLIC_API_URL` and
 * `DASHBOARD_URL` (docs/operate/install.md). Where they are wrong, no mail is sent, and `fault` says why.
 */
export function createMailPlatform(
  variable: (name: string) => string | undefined,
  options: MailPlatformOptions,
): MailPlatform {
  try {
    return readSettings(variable, options) ?? withoutMail;
  } catch (error) {
    if (error instanceof SettingError) return { isSetUp: false, fault: error.message };
    throw error;
  }
}

class SettingError extends Error {}

function readSettings(
  variable: (name: string) => string | undefined,
  { concurrency, smtp, fallback, ...defaults }: MailPlatformOptions,
): MailPlatform | undefined {
  const [smtpUrl, httpUrl, from] = [variable("MAIL_SMTP_URL"), variable("MAIL_HTTP_URL"), variable("MAIL_FROM")];
  if (smtpUrl === undefined && httpUrl === undefined && fallback === undefined) return undefined;
  if (smtpUrl !== undefined && httpUrl !== undefined) {
    throw new SettingError("MAIL_SMTP_URL and MAIL_HTTP_URL are both set: set one of them");
  }
  const sender = from === undefined ? undefined : readSender(from);
  if (from !== undefined && sender === undefined) {
    throw new SettingError("MAIL_FROM must be an address, or a name and an address: Funding <digests@example.org>");
  }
  const dashboardUrl = variable("DASHBOARD_URL") ?? defaults.dashboardUrl;
  const addresses = {
    apiUrl: readAddress("PUBLIC_API_URL", variable("PUBLIC_API_URL") ?? defaults.apiUrl),
    dashboardUrl: readAddress("DASHBOARD_URL", dashboardUrl),
    concurrency,
  };
  if (smtpUrl === undefined && httpUrl === undefined && fallback !== undefined) {
    const known = sender ?? fallback.sender;
    return { isSetUp: true, mailer: fallback.mailer(known), sender: known, ...addresses };
  }
  if (sender === undefined) throw new SettingError("MAIL_FROM is not set: the address that mails come from");
  if (httpUrl !== undefined) {
    const url = readUrl("MAIL_HTTP_URL", httpUrl, ["https:"]);
    if (url.username !== "" || url.password !== "") {
      throw new SettingError("MAIL_HTTP_URL has a user or password, which fetch does not send: set MAIL_HTTP_TOKEN");
    }
    const mailer = createHttpMailer({ url, sender, token: variable("MAIL_HTTP_TOKEN") });
    return { isSetUp: true, mailer, sender, ...addresses };
  }
  if (smtp === undefined) {
    throw new SettingError("MAIL_SMTP_URL needs sockets, which this platform does not have: set MAIL_HTTP_URL");
  }
  const mailer = smtp(readUrl("MAIL_SMTP_URL", smtpUrl ?? "", ["smtp:", "smtps:"]), sender);
  return { isSetUp: true, mailer, sender, ...addresses };
}

/** Reads an address that mails link to. Mail programs unsubscribe over https alone (RFC 8058). */
function readAddress(name: string, text: string | undefined): string {
  if (text === undefined) throw new SettingError(`${name} is not set, which mails link to`);
  return readUrl(name, text, ["https:"]).href.replace(/\/+$/, "");
}

/** Reads a URL, whose text is not repeated: it may have a password. Plain http is for this machine alone. */
function readUrl(name: string, text: string, protocols: readonly string[]): URL {
  const url = URL.parse(text);
  const isAllowed = url !== null && (protocols.includes(url.protocol) || (url.protocol === "http:" && isLoopback(url)));
  if (!isAllowed || url.hostname === "") {
    throw new SettingError(
      `${name} must be a URL that begins with ${protocols.map((each) => `${each}//`).join(" or ")}`,
    );
  }
  if (!isPercentEncoded(url.username + url.password)) {
    throw new SettingError(`${name} has a user or password that is not percent-encoded: a % is %25`);
  }
  return url;
}

function isPercentEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
