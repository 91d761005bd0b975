import type { Sender } from "../../../shared/mail/sender.ts";
import { type MailFault, type MailService, readMailSettings } from "../../../shared/mail/settings.ts";
import { createHttpMailer } from "./http-mailer.ts";
import type { Mailer } from "./mailer.ts";

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
  | MailFault;

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

/** Creates the mail platform of a deployment's settings. Where they are wrong, no mail is sent, and `fault` says why. */
export function createMailPlatform(
  variable: (name: string) => string | undefined,
  { concurrency, smtp, fallback, apiUrl, dashboardUrl }: MailPlatformOptions,
): MailPlatform {
  const settings = readMailSettings(variable, {
    hasSockets: smtp !== undefined,
    ownSender: fallback?.sender,
    apiUrl,
    dashboardUrl,
  });
  if (!settings.isSetUp) return settings;
  const { service, ...others } = settings;
  const mailer = createMailer(service, others.sender, { smtp, own: fallback?.mailer });
  return { ...others, mailer, concurrency };
}

/** @throws where the platform does not have what the service needs, which its settings have been checked for. */
function createMailer(
  service: MailService,
  sender: Sender,
  { smtp, own }: { smtp: MailPlatformOptions["smtp"]; own: ((sender: Sender) => Mailer) | undefined },
): Mailer {
  if (service.kind === "http") return createHttpMailer({ url: service.url, token: service.token, sender });
  const mailer = service.kind === "smtp" ? smtp?.(service.url, sender) : own?.(sender);
  if (mailer === undefined) throw new Error(`this platform sends no mail by ${service.kind}`);
  return mailer;
}
