import type { RpcClient } from "../database/rpc.ts";
import { maxPartWaitMs } from "../overload/concurrency-limit.ts";
import type { StreamPermit } from "../overload/stream-limit.ts";

/** How long a client may take until it reads on: a part is some 100 KB. */
export const maxReadPauseMs = 60_000;

/** How long a permit is held while a part is made: the longest wait for a permit, and the database. */
const partLeaseMs = maxPartWaitMs + 30_000;
/** By how much a permit outlasts the timer that gives it back, which may be late. */
const timerGraceMs = 5_000;

/**
 * Answer whose body is made while it is read. It has a permit among the answers that may be open at a time, from before its first call to the
 * database until it ends: when it was read, when its client leaves, when making it fails, or when its client has not read for `maxReadPauseMs`. Then
 * what it keeps in memory goes, too.
 */
export class AnswerStream {
  /** RPC client for calls while the body is sent. */
  readonly database: RpcClient;
  readonly #permit: StreamPermit;
  readonly #end = new AbortController();
  #text: AsyncGenerator<string> | undefined;
  #pauseTimer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param permit is given back at the end.
   * @param database makes the RPC client. The signal ends its waits.
   * @param warn logs that the answer broke off.
   */
  constructor(
    permit: StreamPermit,
    database: (signal: AbortSignal) => RpcClient,
    private readonly warn: (warning: string) => void,
  ) {
    this.#permit = permit;
    this.database = database(this.#end.signal);
  }

  /** Whether the body was made, which then ends the stream. */
  get isSent(): boolean {
    return this.#text !== undefined;
  }

  /** Makes the body. No part of it is made before it is asked for. */
  send(text: AsyncGenerator<string>): ReadableStream<Uint8Array> {
    this.#text = text;
    const encoder = new TextEncoder();
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => this.#waitForReader(controller),
        pull: async (controller) => {
          clearTimeout(this.#pauseTimer);
          this.#permit.renew(partLeaseMs);
          const { done, value } = await this.#makePart(text);
          if (this.#end.signal.aborted) return;
          if (done === true) {
            this.#permit.close();
            controller.close();
          } else {
            controller.enqueue(encoder.encode(value));
            this.#waitForReader(controller);
          }
        },
        cancel: () => this.close(),
      },
      { highWaterMark: 0 },
    );
  }

  /** Ends the stream. Its permit is free when nothing is being made for it any more. */
  async close(): Promise<void> {
    clearTimeout(this.#pauseTimer);
    this.#end.abort();
    if (this.#text !== undefined) await this.#text.return(undefined);
    this.#permit.close();
  }

  /** Logs why the answer breaks off, and makes the error that ends it. A client that has left is not told. */
  breakOff(reason: string): Error {
    if (!this.#end.signal.aborted) this.warn(`an answer broke off after it had begun: ${reason}`);
    return new Error(reason);
  }

  async #makePart(text: AsyncGenerator<string>): Promise<IteratorResult<string>> {
    try {
      return await text.next();
    } catch (error) {
      this.#permit.close();
      throw error;
    }
  }

  #waitForReader(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#permit.renew(maxReadPauseMs + timerGraceMs);
    this.#pauseTimer = setTimeout(() => {
      controller.error(this.breakOff(`its client has not read for ${maxReadPauseMs / 1_000} s`));
      void this.close();
    }, maxReadPauseMs);
  }
}
