import type { Sender } from "../../../shared/mail/sender.ts";
import { bodySentOnce } from "../body-sent-once.ts";
import type { Mail, Mailer, MailOutcome } from "./mailer.ts";

export interface HttpMailerOptions {
  url: URL;
  /** Sent as `Authorization: Bearer TOKEN`; undefined where the service wants none. */
  token: string | undefined;
  sender: Sender;
}

/**
 * Creates a mailer that posts each mail as JSON, `{ from, to, subject, text, html, headers }`: the form of Resend's `POST /emails`, which
 * others take too. The service makes Message-ID and Date. `Idempotency-Key` is the mail's own Message-ID, the same for each attempt, so that a
 * service that knows the header sends none twice.
 */
export function createHttpMailer({ url, token, sender }: HttpMailerOptions): Mailer {
  const from = sender.name === "" ? sender.address : `${quoteName(sender.name)} <${sender.address}>`;
  return {
    async send({ messageId, to, subject, text, html, headers }: Mail, timeoutMs: number): Promise<MailOutcome> {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const response = await fetch(url, {
          method: "POST",
          redirect: "manual",
          signal,
          headers: {
            "Content-Type": "application/json",
            "User-Agent": "Funding-Opportunities-Digests/1",
            "Idempotency-Key": messageId.slice(1, -1),
            ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          },
          body: bodySentOnce(JSON.stringify({ from, to: [to], subject, text, html, headers })),
        });
        void response.body?.cancel().catch(() => undefined);
        return outcomeOf(response);
      } catch (error) {
        const message = signal.aborted ? "the mail service did not answer in time" : (error as Error).message;
        return { outcome: isConnectFailure(error) ? "failed" : "unknown", message };
      }
    },
  };
}

/** Statuses by which a service says that it does not take this mail: the address or the content is wrong. */
const refusals = [400, 413, 422];

/** Statuses by which Cloudflare says that it had no connection to the service (none, or no TLS), so that the service has no request. */
const unconnected = [521, 523, 525, 526];

function outcomeOf({ status, headers }: Response): MailOutcome {
  if (status >= 200 && status <= 299) return { outcome: "sent" };
  const message = `the mail service answered ${status}`;
  if (status === 429) return { outcome: "busy", message, waitMs: waitMs(headers.get("retry-after")) };
  if (refusals.includes(status)) return { outcome: "refused", message };
  // 409: another request with the same key is under way, or was sent with another text. From 500 on, the service may have failed after it took the mail.
  const isUnknown = status === 409 || (status >= 500 && !unconnected.includes(status)) || status === 0;
  return { outcome: isUnknown ? "unknown" : "failed", message };
}

/** Wait that a service asks for, in seconds or until a moment: a minute at most, a tenth of a second at least, one second where it asks for none. */
function waitMs(retryAfter: string | null): number {
  const seconds = /^\d+$/.test(retryAfter ?? "")
    ? Number(retryAfter)
    : (Date.parse(retryAfter ?? "") - Date.now()) / 1000;
  return Number.isNaN(seconds) ? 1_000 : Math.min(60_000, Math.max(100, seconds * 1_000));
}

/** Whether no connection came about, so that nothing was sent: by Node's code for it, or in Deno's words. */
function isConnectFailure(error: unknown): boolean {
  const { message, cause } = error as Error & { cause?: { code?: string } };
  const code = cause?.code ?? "";
  return (
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_.*|ERR_SSL_.*|ERR_TLS_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/.test(
      code,
    ) || /client error \(Connect\)/.test(message)
  );
}

/** A name in quotes, as an address header needs it where it has a dot or a comma. */
function quoteName(name: string): string {
  return `"${name.replaceAll(/["\\]/g, "\\$&")}"`;
}
