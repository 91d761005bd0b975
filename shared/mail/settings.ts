import { isLoopback } from "../webhooks/endpoint-url.ts";
import { readSender, type Sender } from "./sender.ts";

/** Service that mails are given to: an SMTP server, one that takes them over HTTP, or the platform's own. */
export type MailService =
  | { kind: "smtp"; url: URL }
  | { kind: "http"; url: URL; token: string | undefined }
  | { kind: "own" };

/** Mail settings of a deployment. */
export type MailSettings =
  | {
      isSetUp: true;
      service: MailService;
      sender: Sender;
      /** Address of the API, up to and including `/functions/v1`. */
      apiUrl: string;
      /** Address of the dashboard, without a slash at its end. */
      dashboardUrl: string;
    }
  | MailFault;

export interface MailFault {
  isSetUp: false;
  /** Fault of the settings; undefined where there are no settings. */
  fault?: string;
}

/** Mail capabilities and defaults of a platform. */
export interface MailDefaults {
  /** Whether it has sockets, which SMTP needs. */
  hasSockets: boolean;
  /** Sender of its own service, which takes mails where the operator has set none. */
  ownSender?: Sender | undefined;
  /** Addresses where the operator has set none. */
  apiUrl?: string | undefined;
  dashboardUrl?: string | undefined;
}

/**
 * Reads a deployment's mail settings: `MAIL_SMTP_URL`, or `MAIL_HTTP_URL` and `MAIL_HTTP_TOKEN`; `MAIL_FROM`; `PUBLIC_API_URL` and
 * `DASHBOARD_URL` (docs/operate/install.md). Where they are wrong, no mail is sent, and `fault` says why.
 */
export function readMailSettings(variable: (name: string) => string | undefined, defaults: MailDefaults): MailSettings {
  try {
    return readSettings(variable, defaults) ?? { isSetUp: false };
  } catch (error) {
    if (error instanceof SettingError) return { isSetUp: false, fault: error.message };
    throw error;
  }
}

class SettingError extends Error {}

function readSettings(
  variable: (name: string) => string | undefined,
  { hasSockets, ownSender, ...defaults }: MailDefaults,
): MailSettings | undefined {
  const [smtpUrl, httpUrl, from] = [variable("MAIL_SMTP_URL"), variable("MAIL_HTTP_URL"), variable("MAIL_FROM")];
  if (smtpUrl === undefined && httpUrl === undefined && ownSender === undefined) return undefined;
  if (smtpUrl !== undefined && httpUrl !== undefined) {
    throw new SettingError("MAIL_SMTP_URL and MAIL_HTTP_URL are both set: set one of them");
  }
  const given = from === undefined ? undefined : readSender(from);
  if (from !== undefined && given === undefined) {
    throw new SettingError("MAIL_FROM must be an address, or a name and an address: Funding <digests@example.org>");
  }
  const addresses = {
    apiUrl: readAddress("PUBLIC_API_URL", variable("PUBLIC_API_URL") ?? defaults.apiUrl),
    dashboardUrl: readAddress("DASHBOARD_URL", variable("DASHBOARD_URL") ?? defaults.dashboardUrl),
  };
  const isOwn = smtpUrl === undefined && httpUrl === undefined;
  const sender = given ?? (isOwn ? ownSender : undefined);
  if (sender === undefined) throw new SettingError("MAIL_FROM is not set: the address that mails come from");
  if (isOwn) return { isSetUp: true, service: { kind: "own" }, sender, ...addresses };
  if (httpUrl !== undefined) {
    const url = readUrl("MAIL_HTTP_URL", httpUrl, ["https:"]);
    if (url.username !== "" || url.password !== "") {
      throw new SettingError("MAIL_HTTP_URL has a user or password, which fetch does not send: set MAIL_HTTP_TOKEN");
    }
    return {
      isSetUp: true,
      service: { kind: "http", url, token: variable("MAIL_HTTP_TOKEN") },
      sender,
      ...addresses,
    };
  }
  if (!hasSockets) {
    throw new SettingError("MAIL_SMTP_URL needs sockets, which this platform does not have: set MAIL_HTTP_URL");
  }
  const url = readUrl("MAIL_SMTP_URL", smtpUrl ?? "", ["smtp:", "smtps:"]);
  return { isSetUp: true, service: { kind: "smtp", url }, sender, ...addresses };
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
