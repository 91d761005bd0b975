import type { Socket } from "node:net";
import type { AnswerSpool, SpoolFailure } from "./answer-spool.ts";

/**
 * Sends answers to a client as fast as it reads them. The database never waits for a reader: it writes each answer in one
 * piece, which blocks the process meanwhile, and bytes that the socket does not accept stay in the spool.
 */
export class AnswerWriter {
  #isSending = false;
  #isEnding = false;
  #last: Buffer | undefined;
  #isClosed = false;
  #progressWaiters: (() => void)[] = [];

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

  /** Bytes that the operating system's socket has not accepted yet. */
  get unsentBytes(): number {
    return this.spool.bytes + this.socket.writableLength;
  }

  /** Spools a copy of the bytes for `flush`. @returns why that failed, or undefined. */
  write(bytes: Uint8Array): SpoolFailure | undefined {
    return this.#isClosed ? undefined : this.spool.push(bytes);
  }

  /** Removes the last `count` bytes written since the last `flush`. */
  drop(count: number): void {
    this.spool.drop(count);
  }

  /** Starts to send the spooled bytes. */
  flush(): void {
    if (this.#isSending || this.#isClosed) return;
    this.#isSending = true;
    void this.#send();
  }

  /** Ends the connection once everything is sent. `last` is sent at the end, also when the spool is full. */
  end(last?: Buffer): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#last = last;
    this.flush();
  }

  /** Backpressure: resolves when at most `bytes` are unsent, or when the connection is closed. */
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
    return new Promise((resolve) => this.#progressWaiters.push(resolve));
  }

  #notify(): void {
    const waiters = this.#progressWaiters;
    this.#progressWaiters = [];
    for (const resolve of waiters) resolve();
  }
}
