import type { Socket } from "node:net";
import type { AnswerSpool, SpoolFailure } from "./answer-spool.ts";

/**
 * Sends a client its answers as fast as it reads them. The database never waits for a reader: it writes an answer whole,
 * in the midst of which nothing else can run in this process, and what the socket does not take stays in the spool.
 */
export class AnswerWriter {
  #isSending = false;
  #isEnding = false;
  #last: Buffer | undefined;
  #isClosed = false;
  #progress: (() => void)[] = [];

  constructor(
    private readonly socket: Socket,
    private readonly spool: AnswerSpool,
  ) {
    socket.on("drain", () => this.#notify());
    socket.on("close", () => {
      this.#isClosed = true;
      if (!this.#isSending) this.spool.close();
      this.#notify();
    });
  }

  /** Bytes that the client's side has not taken. */
  get unsentBytes(): number {
    return this.spool.bytes + this.socket.writableLength;
  }

  /** Keeps a copy of bytes for `flush`. @returns why it could not be kept, or undefined. */
  write(bytes: Uint8Array): SpoolFailure | undefined {
    return this.#isClosed ? undefined : this.spool.push(bytes);
  }

  /** Takes back bytes that were written since the last `flush`. */
  drop(count: number): void {
    this.spool.drop(count);
  }

  /** Begins to send what was written. */
  flush(): void {
    if (this.#isSending || this.#isClosed) return;
    this.#isSending = true;
    void this.#send();
  }

  /** Ends the connection when everything is sent, with `last` behind it, for which there is always room. */
  end(last?: Buffer): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#last = last;
    this.flush();
  }

  /** Resolves when no more than `bytes` are unsent, or when the connection is gone. */
  async drained(bytes: number): Promise<void> {
    while (this.unsentBytes > bytes && !this.#isClosed) await this.#nextProgress();
  }

  async #send(): Promise<void> {
    try {
      while (!this.#isClosed && this.spool.bytes > 0) {
        const bytes = await this.spool.shift();
        if (bytes === undefined || this.#isClosed) break;
        this.socket.write(bytes);
        this.#notify();
        while (this.socket.writableNeedDrain && !this.#isClosed) await this.#nextProgress();
      }
    } catch {
      this.socket.destroy();
    }
    this.#isSending = false;
    if (this.#isEnding && !this.socket.writableEnded) {
      if (this.#last !== undefined) this.socket.write(this.#last);
      this.socket.end();
    }
    if (this.#isClosed) this.spool.close();
  }

  #nextProgress(): Promise<void> {
    return new Promise((resolve) => this.#progress.push(resolve));
  }

  #notify(): void {
    const waiting = this.#progress;
    this.#progress = [];
    for (const resolve of waiting) resolve();
  }
}
