import type { Socket } from "node:net";
import type { AnswerSpool, SpoolFailure } from "./answer-spool.ts";
import { AnswerWriter } from "./answer-writer.ts";
import {
  BackendReader,
  type FrontendMessage,
  FrontendReader,
  fatalError,
  negotiateProtocolVersion,
  type ProtocolError,
  startupPacket,
  withoutCopyFromClient,
} from "./postgres-protocol.ts";
import type { Release, SessionLock } from "./session.ts";

/** Bytes of complete messages that wait for their turn before no more is read from the client. */
const maximumWaitingBytes = 1024 * 1024;
/** Unread bytes of earlier answers with which a client outside a transaction may still go on. */
const maximumUnreadBytes = 1024 * 1024;

const failures: Record<SpoolFailure, { code: string; message: string }> = {
  full: {
    code: "53400",
    message:
      "The answer is longer than the embedded database keeps for a client. Ask for less at a time, for example with a cursor.",
  },
  disk: { code: "53100", message: "The answer could not be kept until it is read: the disk is full or broken." },
};

/** What clients share. */
export interface ClientSurroundings {
  lock: SessionLock;
  /** How long a client may hold the session and send nothing, in milliseconds. */
  maximumIdleMs: number;
  /** Whether no other client is connected. */
  isAlone(): boolean;
}

/** One client's side of the conversation. Its messages are answered one after the other, in order. */
export class PostgresClient {
  #input = new FrontendReader();
  #output = new BackendReader();
  #waiting: FrontendMessage[] = [];
  #waitingBytes = 0;
  #work: Promise<void> | undefined;
  /** Held from the first message of an exchange until the session is idle again. */
  #release: Release | undefined;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #writer: AnswerWriter;
  #gone = new AbortController();

  constructor(
    private readonly socket: Socket,
    spool: AnswerSpool,
    private readonly surroundings: ClientSurroundings,
  ) {
    this.#writer = new AnswerWriter(socket, spool);
  }

  receive(data: Buffer): void {
    for (const message of this.#input.push(data)) this.#queue(message);
  }

  /** The client sends nothing more, but may read on. */
  receiveEnd(): void {
    this.#queue({ kind: "message", type: "X", bytes: Buffer.alloc(0) });
  }

  /** Undoes what a client that goes away left in the shared session. Harmless when it is called again. */
  async leave(): Promise<void> {
    this.#gone.abort();
    this.#waiting = [];
    await this.#work;
    await this.#undo();
    if (!this.surroundings.isAlone()) return;
    // Another client may still be using its own prepared statements and settings.
    const release = await this.surroundings.lock.acquire(this);
    try {
      await this.surroundings.lock.database.exec("discard all");
    } finally {
      release();
    }
  }

  #queue(message: FrontendMessage): void {
    if (this.#gone.signal.aborted) return;
    this.#waiting.push(message);
    this.#waitingBytes += sizeOf(message);
    if (this.#waitingBytes > maximumWaitingBytes) this.socket.pause();
    this.#start();
  }

  #start(): void {
    if (this.#work !== undefined || this.#waiting.length === 0) return;
    clearTimeout(this.#idleTimer);
    this.#work = this.#answerAll()
      .then(() => (this.#gone.signal.aborted ? this.#undo() : undefined))
      .catch(() => {
        this.socket.destroy();
      })
      .finally(() => {
        this.#work = undefined;
        if (this.#release !== undefined && !this.#gone.signal.aborted) this.#watchIdle();
        this.#start();
      });
  }

  async #answerAll(): Promise<void> {
    for (;;) {
      // Who holds the session goes on to the end of the exchange: waiting for its reader would keep everybody waiting.
      if (this.#release === undefined) await this.#writer.drained(maximumUnreadBytes);
      const message = this.#waiting.shift();
      if (message === undefined || this.#gone.signal.aborted) break;
      await this.#answer(message);
      this.#waitingBytes -= sizeOf(message);
      this.#writer.flush();
      if (this.socket.isPaused() && this.#waitingBytes <= maximumWaitingBytes) this.socket.resume();
    }
  }

  async #answer(message: FrontendMessage): Promise<void> {
    switch (message.kind) {
      case "encryption":
        // Refused; the client goes on in the clear.
        this.#writer.write(Buffer.from("N"));
        return;
      case "startup":
        if (message.minorVersion > 0) this.#writer.write(negotiateProtocolVersion);
        return this.#execute(startupPacket);
      case "cancel":
        // A statement that runs cannot be reached. The client waits for the end of this connection.
        return this.#end();
      case "wrong":
        // Without a code it is a browser or a port scanner, for whom there is no answer.
        return this.#end(lastWords(message.error));
      case "message":
        if (message.type === "X") return this.#end();
        // Left over from a copy that was refused.
        if ("dcf".includes(message.type)) return;
        return this.#execute(withoutCopyFromClient(message.type, message.bytes));
    }
  }

  async #execute(message: Buffer): Promise<void> {
    const { lock } = this.surroundings;
    this.#release ??= await lock.acquire(this, { signal: this.#gone.signal });
    let status: string | undefined;
    let failure: SpoolFailure | undefined;
    let isOver = false;
    await lock.database.runExclusive(() =>
      lock.database.execProtocolRawStream(message, {
        // The bytes are a view of the database's own memory, which it uses again at once.
        onRawData: (bytes) => {
          if (isOver || failure !== undefined) return;
          const unfinishedBytes = this.#output.unfinishedBytes;
          status = this.#output.push(bytes) ?? status;
          failure = this.#writer.write(bytes);
          if (failure !== undefined) this.#writer.drop(unfinishedBytes);
        },
      }),
    );
    isOver = true;
    if (failure !== undefined) {
      const { code, message } = failures[failure];
      this.#end(fatalError(code, message));
    } else if (status === "idle") {
      this.#finish();
    }
  }

  /** A client that keeps the session keeps everybody waiting. */
  #watchIdle(): void {
    const { maximumIdleMs } = this.surroundings;
    this.#idleTimer = setTimeout(() => {
      const text = `The embedded database has one session, and it was kept for ${maximumIdleMs / 1000} s without a message.`;
      this.#end(fatalError("25P03", text));
      this.#work = this.#undo()
        .catch(() => {
          this.socket.destroy();
        })
        .finally(() => {
          this.#work = undefined;
        });
    }, maximumIdleMs);
  }

  /** Takes no more messages, and ends the connection when the client has read everything. */
  #end(last?: Buffer): void {
    this.#gone.abort();
    this.#waiting = [];
    this.#writer.end(last);
    // Reading goes on, so that the client's going is noticed.
    this.socket.resume();
  }

  async #undo(): Promise<void> {
    clearTimeout(this.#idleTimer);
    if (this.#release === undefined) return;
    try {
      // Twice: after an error in the extended protocol, the first is skipped, with all up to the Sync behind it.
      await this.surroundings.lock.database.exec("rollback");
      await this.surroundings.lock.database.exec("rollback");
    } finally {
      this.#finish();
    }
  }

  #finish(): void {
    this.#release?.();
    this.#release = undefined;
  }
}

function lastWords({ code, message }: ProtocolError): Buffer | undefined {
  return code === undefined ? undefined : fatalError(code, message);
}

function sizeOf(message: FrontendMessage): number {
  return message.kind === "message" ? message.bytes.length : 0;
}
