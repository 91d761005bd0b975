import { connect, type Socket } from "node:net";
import { sleep } from "../time.ts";

/** A stranger's connection, of which what it receives is not kept. */
export interface Line {
  socket: Socket;
  /** Bytes that have come. */
  received(): number;
  /** The first of them, as text. */
  start(): string;
  /** Resolves when it is closed, by either side. */
  closed: Promise<void>;
}

/**
 * Connects from another address of this machine than the customer's. Connections are closed by `end` at the latest.
 *
 * @returns undefined where the server is not there.
 */
export function open(port: number, localAddress: string, end: AbortSignal): Promise<Line | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, localAddress });
    let received = 0;
    let start = "";
    const closed = new Promise<void>((done) => socket.once("close", () => done()));
    const destroy = () => socket.destroy();
    end.addEventListener("abort", destroy);
    void closed.then(() => {
      end.removeEventListener("abort", destroy);
      resolve(undefined);
    });
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      received += data.length;
      if (start.length < 200) start += data.toString("latin1", 0, 200);
    });
    socket.once("connect", () => resolve({ socket, received: () => received, start: () => start, closed }));
  });
}

/** Waits until so many bytes have come, the connection is closed, or the time is over. */
export async function untilReceived(line: Line, bytes: number, milliseconds: number): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (line.received() < bytes && !line.socket.destroyed && performance.now() < deadline) await sleep(10);
}

/** Connections that strangers leave open, of which there are at most so many: for a further one, the oldest is closed. */
export class OpenLines {
  readonly #lines = new Set<Line>();

  constructor(private readonly most: number) {}

  /** Resolves when the connection is closed. @returns whether it was closed for another one. */
  async keep(line: Line): Promise<boolean> {
    let isReplaced = false;
    this.#lines.add(line);
    const [oldest] = this.#lines;
    if (this.#lines.size > this.most && oldest !== undefined) {
      this.#lines.delete(oldest);
      oldest.socket.destroy();
    }
    await line.closed.then(() => {
      isReplaced = !this.#lines.delete(line);
    });
    return isReplaced;
  }
}

/** How a connection stands: the status of its answer, or closed or open without one. */
export function outcomeOf(line: Line): string {
  const status = /^HTTP\/1\.1 (\d+)/.exec(line.start())?.[1];
  return status ?? (line.socket.destroyed ? "closed" : "open");
}
