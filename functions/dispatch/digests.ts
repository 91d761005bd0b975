import { generateKey, hashKey } from "../../shared/auth/key.ts";
import type { ClaimedDigest } from "../../shared/database/rpc.ts";
import type { LogLevel } from "../../shared/log/log.ts";
import { isPlainAddress } from "../../shared/mail/sender.ts";
import { callOrThrow, failureError } from "./call.ts";
import { writeDigest } from "./digest-message.ts";
import { isServerFault, type WorkContext } from "./endpoint-work.ts";
import type { Mail, Mailer, MailOutcome } from "./mail/mailer.ts";
import type { MailPlatform } from "./mail/platform.ts";

/** Time from one look for digests that are due to the next, in milliseconds, and after a failure. */
const pollMs = { due: 5_000, failed: 30_000 };
/** Longest wait for a busy mail service within a look. After a longer one the next look goes on, so that a run ends in time. */
const longestBusyMs = 2_000;
/** Time limit of an attempt. Its claim (`funding.digest_lease`) lasts four times as long. */
const attemptMs = 30_000;
/** Waits before a result that could not be written is written again, in milliseconds. Afterwards it is dropped, and the mail counts as sent. */
const writeAgainMs = [500, 2_000, 5_000];

type SetUpMail = Extract<MailPlatform, { isSetUp: true }>;

/**
 * Sends the digests that are due, beside the dispatcher's other work, which does not wait for it. A digest is claimed in a
 * transaction of its own before it is sent, so that none is sent twice.
 */
export class Digests {
  #underWay: Promise<void> | undefined;
  #nextPoll = 0;
  #hasToldFault = false;
  /** Set when the mail service says that it is busy: time until which nothing is sent. Mails are then sent one at a time until the look is over. */
  #busyUntil: number | undefined;

  constructor(
    private readonly context: WorkContext,
    private readonly mail: MailPlatform,
    /** Time limit of an attempt, in milliseconds. */
    private readonly timeoutMs = attemptMs,
  ) {}

  /** Looks for digests that are due, if it is time and none are under way. Returns at once, and never throws. */
  run(): void {
    const { mail } = this;
    if (!mail.isSetUp) {
      this.#tellFault(mail.fault);
      return;
    }
    if (this.#underWay !== undefined || performance.now() < this.#nextPoll) return;
    this.#nextPoll = performance.now() + pollMs.due;
    this.#underWay = this.#sendAll(mail)
      .catch((error: unknown) => {
        this.#log("error", { error: String(error) });
        this.#nextPoll = performance.now() + pollMs.failed;
      })
      .finally(() => {
        this.#underWay = undefined;
      });
  }

  /** Resolves when no attempt is under way. */
  async settled(): Promise<void> {
    await this.#underWay;
  }

  async #sendAll(mail: SetUpMail): Promise<void> {
    this.#busyUntil = undefined;
    if (!(await this.#sendNext(mail))) return;
    const senders = Array.from({ length: mail.concurrency }, async (_, index) => {
      while (!this.context.isOver() && (index === 0 || this.#busyUntil === undefined)) {
        const wait = (this.#busyUntil ?? 0) - performance.now();
        if (wait > longestBusyMs) {
          this.#nextPoll = performance.now() + wait;
          return;
        }
        if (wait > 0) await sleep(wait);
        if (!(await this.#sendNext(mail))) return;
      }
    });
    const failures = (await Promise.allSettled(senders)).filter((sender) => sender.status === "rejected");
    if (failures[0] !== undefined) throw failures[0].reason;
  }

  /** Claims and sends one digest. @returns whether one was due. */
  async #sendNext(mail: SetUpMail): Promise<boolean> {
    const { database } = this.context;
    const { saved_search_id, is_left_out } = await callOrThrow(database, "next_digest", {});
    if (saved_search_id === null) return false;
    if (is_left_out) {
      this.#log("error", { saved_search_id, error: "the digest could not be claimed for five times, and is left out" });
      return true;
    }
    const token = generateKey("fo_mail_");
    const outcome = await database.call("claim_digest", { saved_search_id, token_hash: await hashKey(token) });
    if (!outcome.ok) {
      const error = failureError("claim_digest", outcome.failure);
      if (isServerFault(outcome.failure)) throw error;
      // It is chosen again later, after the others.
      this.#log("error", { saved_search_id, error: error.message });
      return true;
    }
    const claimed = outcome.value;
    if (claimed.outcome === "claimed") await this.#send(claimed, token, mail);
    else if (claimed.outcome === "failed") this.#log("error", { saved_search_id, error: claimed.message ?? "" });
    else if (claimed.outcome === "unreachable") this.#log("warning", { saved_search_id, digest: "unreachable" });
    return true;
  }

  async #send(
    digest: ClaimedDigest,
    token: string,
    { mailer, sender, apiUrl, dashboardUrl }: SetUpMail,
  ): Promise<void> {
    const saved_search_id = digest.search.id;
    const result = await this.#attempt(digest, token, mailer, { sender, apiUrl, dashboardUrl });
    if (result.outcome === "busy") this.#busyUntil = performance.now() + result.waitMs;
    const state = await this.#finish(digest, result.outcome);
    const level = state === "sent" ? "info" : state === "waiting" ? "warning" : "error";
    this.#log(level, {
      saved_search_id,
      digest: state ?? result.outcome,
      records: digest.count,
      attempt: digest.attempt,
      error: "message" in result ? result.message : undefined,
    });
  }

  /** Makes one attempt. Its outcome is `unknown` where the mailer does not end in time, or throws. */
  async #attempt(
    digest: ClaimedDigest,
    token: string,
    mailer: Mailer,
    options: Pick<SetUpMail, "sender" | "apiUrl" | "dashboardUrl">,
  ): Promise<MailOutcome> {
    if (!isPlainAddress(digest.recipient)) return { outcome: "refused", message: "the address is not a plain one" };
    let message: Mail;
    try {
      message = writeDigest(digest, { ...options, token, now: new Date() });
    } catch (error) {
      return { outcome: "refused", message: `the mail could not be written: ${String(error)}` };
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const deadline = new Promise<MailOutcome>((resolve) => {
      const late: MailOutcome = { outcome: "unknown", message: "the mailer did not end in time" };
      // Later than the mailer's own limit, which may know more.
      timer = setTimeout(resolve, this.timeoutMs * 1.2, late);
    });
    try {
      return await Promise.race([mailer.send(message, this.timeoutMs), deadline]);
    } catch (error) {
      return { outcome: "unknown", message: String(error) };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Writes a result. @returns the mail's state; undefined where it could not be written, null where it decided nothing. */
  async #finish({ search, due_at, attempt }: ClaimedDigest, outcome: string): Promise<string | null | undefined> {
    const parameters = { saved_search_id: search.id, due_at, attempt, outcome };
    for (const wait of [...writeAgainMs, undefined]) {
      const written = await this.context.database.call("finish_digest", parameters);
      if (written.ok) return written.value.state;
      this.#log("error", { saved_search_id: search.id, error: `finish_digest: ${written.failure.message}` });
      if (wait !== undefined) await sleep(wait);
    }
    return undefined;
  }

  #tellFault(fault: string | undefined): void {
    if (fault === undefined || this.#hasToldFault) return;
    this.#hasToldFault = true;
    this.#log("error", { error: `no digests are sent: ${fault}` });
  }

  #log(level: LogLevel, fields: Record<string, string | number | undefined>): void {
    this.context.log.write(level, { function: "dispatch", ...fields });
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
