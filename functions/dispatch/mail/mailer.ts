/** E-mail to one person, as text and as HTML. */
export interface Mail {
  /** Message-ID, with its angle brackets: the same for every attempt to send the mail, and no other mail's. */
  messageId: string;
  date: Date;
  /** A plain address: `isPlainAddress`. */
  to: string;
  /** One line. */
  subject: string;
  text: string;
  html: string;
  /** Further headers, whose values are one line of ASCII each. */
  headers: Readonly<Record<string, string>>;
}

/**
 * Outcome of an attempt to send a mail.
 *
 * - `sent`: the mail server or the service has taken it.
 * - `failed`: it was certainly not sent; a later attempt may succeed: the server is not there, refuses the login, or is busy.
 * - `busy`: it was certainly not sent, because too many were sent at once. The next mail is sent after `waitMs`, and this one later.
 * - `refused`: it was certainly not sent, and this mail to this address will not be.
 * - `unknown`: it may have been sent, as after a time limit. It counts as sent.
 */
export type MailOutcome =
  | { outcome: "sent" }
  | { outcome: "busy"; message: string; waitMs: number }
  | {
      outcome: "failed" | "refused" | "unknown";
      /** For the operator's log. */
      message: string;
    };

/** Sends mails: by SMTP, over HTTP, or into a folder. */
export interface Mailer {
  /** Makes one attempt, within a time limit. Never throws. */
  send(mail: Mail, timeoutMs: number): Promise<MailOutcome>;
}
