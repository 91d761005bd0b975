import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Sender } from "../../../shared/mail/sender.ts";
import type { Mail, Mailer, MailOutcome } from "./mailer.ts";

/**
 * Creates the mailer of an SMTP server. `smtps:` is TLS from the start (port 465); `smtp:` begins in clear and changes to TLS (port 587),
 * without which a password is sent to this machine alone. Each mail has a connection of its own.
 *
 * @param url `smtps://USER:PASSWORD@HOST:PORT`; a user or password with special characters is percent-encoded.
 */
export function createSmtpMailer(url: URL, sender: Sender): Mailer {
  const credentials =
    url.username === ""
      ? undefined
      : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  const secure = url.protocol === "smtps:";
  const isOwn = ownNames.includes(url.hostname);
  return {
    async send(mail, timeoutMs) {
      // Loaded with the first mail, and only where mail goes by SMTP.
      const loaded = await import("nodemailer/lib/smtp-connection").catch((error: unknown) => String(error));
      if (typeof loaded === "string") return { outcome: "failed", message: loaded };
      const { default: Connection } = loaded;
      let message: Uint8Array;
      try {
        message = await composeMessage(mail, sender);
      } catch (error) {
        return { outcome: "refused", message: `the mail could not be written: ${String(error)}` };
      }
      const connection = new Connection({
        host: url.hostname.replace(/^\[|\]$/g, ""),
        port: Number(url.port) || (secure ? 465 : 587),
        secure,
        requireTLS: credentials !== undefined && !isOwn,
        // A mail server on this machine seldom has a certificate that others would trust.
        ignoreTLS: isOwn && !secure,
        // The machine's own name stays private.
        name: domainOf(sender.address),
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        dnsTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        socketCloseTimeout: 1_000,
      });
      return sendOver(connection, { message, from: sender.address, to: mail.to }, credentials, timeoutMs);
    },
  };
}

/** Names of this machine: nobody else can read connections to it. */
const ownNames = ["127.0.0.1", "localhost", "[::1]"];

/** The domain of an address. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

/** Writes a mail as its message (RFC 5322), with CRLF at the ends of its lines. */
export async function composeMessage({ to, ...mail }: Mail, sender: Sender): Promise<Uint8Array> {
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const composer = new MailComposer({
    from: sender,
    to: { name: "", address: to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    date: mail.date,
    headers: { ...mail.headers },
    newline: "\r\n",
    // Every part of it is given here: nothing is read from a path or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** `responseCode` is that of the server's answer, where there was one. */
type SmtpError = Error & { responseCode?: number | undefined; command?: string | undefined };

async function sendOver(
  connection: SMTPConnection,
  { message, from, to }: { message: Uint8Array; from: string; to: string },
  credentials: object | undefined,
  timeoutMs: number,
): Promise<MailOutcome> {
  // Whether the server asked for the message. Before that, nothing is sent, even if the connection breaks.
  let hasBegun = false;
  // Nodemailer only calls `pipe` of a stream, once the server has asked for the message. A real stream would be imported by the Worker, too.
  const body = {
    pipe(target: { end(message: Uint8Array): unknown }) {
      hasBegun = true;
      target.end(message);
    },
  } as unknown as Parameters<SMTPConnection["send"]>[1];
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("the mail server did not answer in time")), timeoutMs);
      const done = (error?: SmtpError | null) => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve();
      };
      const then = (next: () => void) => (error?: SmtpError | null) => (error ? done(error) : next());
      const send = () => connection.send({ from, to: [to] }, body, done);
      connection.on("error", done);
      connection.connect(then(credentials === undefined ? send : () => connection.login({ credentials }, then(send))));
    });
    connection.quit();
    return { outcome: "sent" };
  } catch (error) {
    const failure = failureOf(error as SmtpError, hasBegun);
    // Servers repeat the address, which must not be logged.
    return { ...failure, message: failure.message.replaceAll(to, "(the address)") };
  } finally {
    connection.close();
  }
}

/**
 * Outcome of a failed attempt. An answer of the server is certain: from 500 on, to the recipient or the message, the server refuses this
 * mail; after any other, a later attempt may succeed. Without an answer, the outcome depends on whether the message had begun.
 */
function failureOf({ message, responseCode, command }: SmtpError, hasBegun: boolean) {
  if (responseCode === undefined && hasBegun) return { outcome: "unknown" as const, message };
  const isRefusal = (responseCode ?? 0) >= 500 && (command === "RCPT TO" || (command === "DATA" && hasBegun));
  return { outcome: isRefusal ? ("refused" as const) : ("failed" as const), message };
}
