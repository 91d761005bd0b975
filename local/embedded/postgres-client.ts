import type { Socket } from "node:net";
import type { AnswerSpool, SpoolFailure } from "./answer-spool.ts";
import { AnswerWriter } from "./answer-writer.ts";
import {
  BackendReader,
  type FrontendMessage,
  FrontendReader,
  fatalError,
  startupPacket,
  withoutCopyFromClient,
} from "./postgres-protocol.ts";
import type { Release, SessionLock } from "./session.ts";

/** Bytes of queued messages above which reading from the client pauses. */
const maximumQueuedBytes = 1024 * 1024;
/** Unsent bytes of earlier answers above which the next message of a client outside a transaction has to wait. */
const maximumUnreadBytes = 1024 * 1024;

const failures: Record<SpoolFailure, { code: string; message: string }> = {
  full: {
    code: "53400",
    message:
      "The answer is longer than the embedded database can hold for a client. Read less at a time, for example with a cursor.",
  },
  disk: { code: "53100", message: "The answer could not be stored until it is read: the disk is full or failed." },
};

/** State and limits that all clients share. */
export interface ClientContext {
  lock: SessionLock;
  /** Idle time of a client that holds the session, after which its connection is ended. */
  maximumIdleMs: number;
  /** Whether exactly one client is connected. */
  isOnlyClient(): boolean;
}

/** A queued step: the start of the session, then the client's messages. */
type QueuedMessage = { kind: "startup" } | FrontendMessage;

/** Session of an authenticated client. Answers its messages one after the other, in order. */
export class PostgresClient {
  #input = new FrontendReader();
  #output = new BackendReader();
  #queued: QueuedMessage[] = [];
  #queuedBytes = 0;
  #work: Promise<void> | undefined;
  /** Releases the session lock, which is held from the first message of a query until ReadyForQuery says "idle". */
  #release: Release | undefined;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #writer: AnswerWriter;
  #ended = new AbortController();

  constructor(
    private readonly socket: Socket,
    spool: AnswerSpool,
    private readonly context: ClientContext,
  ) {
    this.#writer = new AnswerWriter(socket, spool);
  }

  /** Opens the session: sends AuthenticationOk and the database's settings. */
  start(): void {
    this.#queue({ kind: "startup" });
  }

  receive(data: Buffer): void {
    for (const message of this.#input.push(data)) this.#queue(message);
  }

  /** The client closed its sending side. It may still read. */
  receiveEnd(): void {
    this.#queue({ kind: "message", type: "X", bytes: Buffer.alloc(0) });
  }

  /** Cleans the shared session after the client's connection closed. Calling it again is harmless. */
  async cleanUp(): Promise<void> {
    this.#ended.abort();
    this.#queued = [];
    await this.#work;
    await this.#rollBack();
    if (!this.context.isOnlyClient()) return;
    // Only without other clients: they may still use their prepared statements and settings.
    const release = await this.context.lock.acquire(this);
    try {
      await this.context.lock.database.exec("discard all");
    } finally {
      release();
    }
  }

  #queue(message: QueuedMessage): void {
    if (this.#ended.signal.aborted) return;
    this.#queued.push(message);
    this.#queuedBytes += sizeOf(message);
    // Backpressure: the client is read from again when its queue is shorter.
    if (this.#queuedBytes > maximumQueuedBytes) this.socket.pause();
    this.#startAnswering();
  }

  #startAnswering(): void {
    if (this.#work !== undefined || this.#queued.length === 0) return;
    clearTimeout(this.#idleTimer);
    this.#work = this.#answerAll()
      .then(() => (this.#ended.signal.aborted ? this.#rollBack() : undefined))
      .catch(() => {
        this.socket.destroy();
      })
      .finally(() => {
        this.#work = undefined;
        if (this.#release !== undefined && !this.#ended.signal.aborted) this.#watchIdle();
        this.#startAnswering();
      });
  }

  async #answerAll(): Promise<void> {
    for (;;) {
      // The holder of the session is answered at once, also when it does not read: waiting for it would block everybody.
      if (this.#release === undefined) await this.#writer.drained(maximumUnreadBytes);
      const message = this.#queued.shift();
      if (message === undefined || this.#ended.signal.aborted) break;
      await this.#answer(message);
      this.#queuedBytes -= sizeOf(message);
      this.#writer.flush();
      if (this.socket.isPaused() && this.#queuedBytes <= maximumQueuedBytes) this.socket.resume();
    }
  }

  async #answer(message: QueuedMessage): Promise<void> {
    switch (message.kind) {
      case "startup":
        return this.#execute(startupPacket);
      case "invalid":
        return this.#end(fatalError(message.error.code, message.error.message));
      case "message":
        if (message.type === "X") return this.#end();
        // Left over from a refused COPY.
        if ("dcf".includes(message.type)) return;
        return this.#execute(withoutCopyFromClient(message.type, message.bytes));
    }
  }

  async #execute(message: Buffer): Promise<void> {
    const { lock } = this.context;
    this.#release ??= await lock.acquire(this, { signal: this.#ended.signal });
    let status: string | undefined;
    let failure: SpoolFailure | undefined;
    let isDone = false;
    await lock.database.runExclusive(() =>
      lock.database.execProtocolRawStream(message, {
        // The bytes are a view of the database's memory, which it reuses at once.
        onRawData: (bytes) => {
          if (isDone || failure !== undefined) return;
          const unfinishedBytes = this.#output.unfinishedBytes;
          status = this.#output.push(bytes) ?? status;
          failure = this.#writer.write(bytes);
          if (failure !== undefined) this.#writer.drop(unfinishedBytes);
        },
      }),
    );
    isDone = true;
    if (failure !== undefined) {
      const { code, message } = failures[failure];
      this.#end(fatalError(code, message));
    } else if (status === "idle") {
      this.#releaseSession();
    }
  }

  /** Ends a client that holds the session and sends nothing: everybody else waits for it. */
  #watchIdle(): void {
    const { maximumIdleMs } = this.context;
    this.#idleTimer = setTimeout(() => {
      const text = `The embedded database has one session, and it was kept for ${maximumIdleMs / 1000} s without a message.`;
      this.#end(fatalError("25P03", text));
      this.#work = this.#rollBack()
        .catch(() => {
          this.socket.destroy();
        })
        .finally(() => {
          this.#work = undefined;
        });
    }, maximumIdleMs);
  }

  /** Ignores further messages, and ends the connection once the client has read everything. */
  #end(last?: Buffer): void {
    this.#ended.abort();
    this.#queued = [];
    this.#writer.end(last);
    // Reads on, to notice when the client closes.
    this.socket.resume();
  }

  async #rollBack(): Promise<void> {
    clearTimeout(this.#idleTimer);
    if (this.#release === undefined) return;
    try {
      // Twice: after an error in the extended protocol, Postgres skips everything up to the next Sync, so also the first.
      await this.context.lock.database.exec("rollback");
      await this.context.lock.database.exec("rollback");
    } finally {
      this.#releaseSession();
    }
  }

  #releaseSession(): void {
    this.#release?.();
    this.#release = undefined;
  }
}

function sizeOf(message: QueuedMessage): number {
  return message.kind === "message" ? message.bytes.length : 0;
}
