import type { Socket } from "node:net";

/** Limits of the connections of an HTTP server. Seconds are those in which the process runs: none pass while the database blocks it. */
export interface ConnectionLimits {
  /** Connections at a time. The process may have at least twice as many files open. */
  connections: number;
  /** Connections of one address at a time. */
  connectionsOfAddress: number;
  /** From the connection to the end of the first request's head. */
  headSeconds: number;
  /** From the head to the end of the body. */
  bodySeconds: number;
  /** Between two requests. */
  idleSeconds: number;
  /** For which a client may read nothing of its answer. */
  unreadSeconds: number;
}

/** Event that a connection waits for. */
type Phase = "head" | "body" | "answer" | "idle";

interface State {
  phase: Phase;
  /** Seconds in the phase, or since the client has read something. */
  seconds: number;
  /** Requests that are not answered: of several, all but the first wait. */
  requests: number;
  /** Bytes sent, when that was last looked at. */
  bytesWritten: number;
  address: string;
}

/** Seconds for which a client has read nothing of its answer, after which it makes room for a new one. */
const stalledSeconds = 2;

/**
 * Connections of an HTTP server. Beyond the limits, one whose client does nothing makes room, first of those that wait for a request, and of them the one
 * that has waited longest; where there is none, the new one is refused. So sockets that do nothing keep nobody out.
 */
export class Connections {
  #states = new Map<Socket, State>();
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(private readonly limits: ConnectionLimits) {
    // An interval ticks once after a pause of any length, so that a request that came meanwhile is read before its time is over.
    this.#timer = setInterval(() => this.#closeOverdue(), 1_000);
  }

  /** Takes a new connection. @returns whether there is room for it. */
  accept(socket: Socket): boolean {
    const address = socket.remoteAddress ?? "";
    const ofAddress = [...this.#states].filter(([, state]) => state.address === address);
    if (ofAddress.length >= this.limits.connectionsOfAddress && !this.#makeRoom(ofAddress)) return false;
    if (this.#states.size >= this.limits.connections && !this.#makeRoom([...this.#states])) return false;
    this.#states.set(socket, { phase: "head", seconds: 0, requests: 0, bytesWritten: 0, address });
    socket.once("close", () => this.#states.delete(socket));
    return true;
  }

  /** The head of a request has come. */
  beginRequest(socket: Socket, hasBody: boolean): void {
    const state = this.#states.get(socket);
    if (state === undefined) return;
    state.requests += 1;
    enter(state, hasBody ? "body" : "answer");
  }

  /** The body of a request has come, or is not waited for. */
  endBody(socket: Socket): void {
    const state = this.#states.get(socket);
    if (state?.phase === "body") enter(state, "answer");
  }

  /** A request is answered, or its client has left. */
  endRequest(socket: Socket): void {
    const state = this.#states.get(socket);
    if (state === undefined) return;
    state.requests -= 1;
    if (state.requests === 0) enter(state, "idle");
  }

  /** Closes the connections without a request. The others are closed with their answers. */
  closeIdle(): void {
    for (const [socket, { requests }] of this.#states) if (requests === 0) socket.destroy();
  }

  /** Stops the timer. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #makeRoom(among: [Socket, State][]): boolean {
    // Of several that have waited as long, the one that was opened first: a client whose head is on its way has just come.
    const longest = (phases: readonly Phase[], seconds: number) =>
      among
        .filter(([, state]) => phases.includes(state.phase) && state.seconds >= seconds)
        .reduce<[Socket, State] | undefined>(
          (one, other) => (one && one[1].seconds >= other[1].seconds ? one : other),
          undefined,
        );
    const [socket] =
      longest(["idle"], 0) ??
      longest(["head"], 1) ??
      longest(["head", "body"], 0) ??
      longest(["answer"], stalledSeconds) ??
      [];
    if (socket === undefined) return false;
    this.#states.delete(socket);
    socket.destroy();
    return true;
  }

  #closeOverdue(): void {
    for (const [socket, state] of this.#states) {
      state.seconds += 1;
      if (state.phase === "answer" && (socket.writableLength === 0 || socket.bytesWritten !== state.bytesWritten)) {
        state.seconds = 0;
        state.bytesWritten = socket.bytesWritten;
      }
      if (state.seconds <= this.#limitOf(state.phase)) continue;
      // A client that sends slowly is told; one that waits or does not read would not see it.
      if (state.phase === "head" || state.phase === "body") socket.end(timedOut);
      socket.destroySoon();
      if (state.phase === "answer") socket.destroy();
    }
  }

  #limitOf(phase: Phase): number {
    const { headSeconds, bodySeconds, idleSeconds, unreadSeconds } = this.limits;
    return { head: headSeconds, body: bodySeconds, idle: idleSeconds, answer: unreadSeconds }[phase];
  }
}

function enter(state: State, phase: Phase): void {
  state.phase = phase;
  state.seconds = 0;
}

/** Answers that are sent without a request. */
export const timedOut = plainAnswer(408, "Request Timeout", "The request took too long to arrive.");
export const tooManyConnections = plainAnswer(
  503,
  "Service Unavailable",
  "Too many connections are open. Try again in a few seconds.",
  ["Retry-After: 5"],
);
// As HTTP libraries answer what is no HTTP: without a word.
export const badRequest = plainAnswer(400, "Bad Request");
export const headTooLarge = plainAnswer(431, "Request Header Fields Too Large");

function plainAnswer(status: number, title: string, detail?: string, headers: string[] = []): string {
  const body = detail === undefined ? "" : JSON.stringify({ type: "about:blank", title, status, detail });
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    ...headers,
    ...(body === "" ? [] : ["Content-Type: application/problem+json"]),
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
