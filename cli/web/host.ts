import type { ReceivedAnswer } from "../../functions/dispatch/transport.ts";
import type { Download, DownloadRequest, NodeTransport } from "../../local/embedded/node-transport.ts";
import { allowsAll, allowsNothing, type Robots, readRobots } from "./robots.ts";

/** What hosts are asked with. */
export interface HostOptions {
  transport: NodeTransport;
  /** States the program, and whom to tell about it. */
  userAgent: string;
  /** Name by which a robots.txt may address the program. */
  program: string;
  /** Pause between two requests to a host, in milliseconds; a longer one where its robots.txt asks for that. */
  pauseMs: number;
  /** Waits. Tests have no time for it. */
  sleep(ms: number): Promise<unknown>;
  /** The clock, in milliseconds. */
  now(): number;
}

const timeoutMs = 20_000;
/** Longest pause and wait that a host is obeyed in; one that asks for more is left for the next run. */
const longestPauseMs = 30_000;
const longestWaitMs = 15 * 60_000;
/** Wait after a 429 that says no time. */
const usualWaitMs = 60_000;

/** An answer as far as it says how long to wait. */
type Answer = Pick<ReceivedAnswer, "status" | "headers">;
/** Sends a request with these headers. */
type Send<Given> = (headers: Record<string, string>) => Promise<Given>;

/** Thrown where a host wants no more requests in this run. */
export class HostClosedError extends Error {}

/** A host, which gets one request at a time, with pauses between them. */
export class Host {
  readonly #options: HostOptions;
  readonly #robots = new Map<string, Promise<Robots>>();
  #last: Promise<unknown> = Promise.resolve();
  #pauseMs: number;
  #notBefore = 0;
  #isClosed = false;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#pauseMs = options.pauseMs;
  }

  /** Whether its robots.txt lets this program ask for an address. Read once. */
  async allows(url: URL): Promise<boolean> {
    let robots = this.#robots.get(url.origin);
    if (robots === undefined) {
      robots = this.#readRobots(url);
      this.#robots.set(url.origin, robots);
    }
    const { allows, pauseMs } = await robots;
    this.#pauseMs = Math.max(this.#pauseMs, Math.min(pauseMs, longestPauseMs));
    return allows(url);
  }

  /** Without an answer it says nothing; a host that fails at it is left alone (RFC 9309). */
  async #readRobots(url: URL): Promise<Robots> {
    const address = new URL("/robots.txt", url);
    let answer: ReceivedAnswer;
    try {
      answer = await this.ask(address, "GET");
    } catch (error) {
      if (error instanceof HostClosedError) throw error;
      return allowsAll;
    }
    if (answer.status >= 500) return allowsNothing;
    return answer.status >= 200 && answer.status < 300
      ? readRobots(answer.body, address, this.#options.program)
      : allowsAll;
  }

  /**
   * Asks for an address, when it is its turn. A host that asks to wait is asked once more after that.
   *
   * @throws {HostClosedError} where it asks for more patience than a run has.
   * @throws {TransportError} where there was no answer.
   */
  ask(url: URL, method: "GET" | "HEAD"): Promise<ReceivedAnswer> {
    const { transport } = this.#options;
    return this.#inTurn((headers) => transport.send({ url, method, body: "", timeoutMs, headers }));
  }

  /** Reads a file, as {@link ask} asks: at most so many bytes, for at most so long. */
  download(url: URL, given: Pick<DownloadRequest, "headers" | "maximumBytes" | "bodyTimeoutMs">): Promise<Download> {
    const { transport } = this.#options;
    return this.#inTurn((headers) =>
      transport.download({ ...given, url, timeoutMs, headers: { ...headers, ...given.headers } }),
    );
  }

  #inTurn<Given extends Answer>(send: Send<Given>): Promise<Given> {
    const asked = this.#last.then(async () => {
      const first = await this.#send(send);
      const waitMs = this.#waitOf(first);
      if (waitMs === undefined) return first;
      this.#notBefore = this.#options.now() + waitMs;
      const second = waitMs > longestWaitMs ? first : await this.#send(send);
      if (this.#waitOf(second) !== undefined) this.#isClosed = true;
      return this.#isClosed ? this.#refuse() : second;
    });
    this.#last = asked.catch(() => undefined);
    return asked;
  }

  #refuse(): never {
    throw new HostClosedError("asks for fewer requests");
  }

  async #send<Given>(send: Send<Given>): Promise<Given> {
    if (this.#isClosed) this.#refuse();
    const { userAgent, sleep, now } = this.#options;
    const early = this.#notBefore - now();
    if (early > 0) await sleep(early);
    try {
      return await send({ "User-Agent": userAgent, Accept: "*/*" });
    } finally {
      this.#notBefore = now() + this.#pauseMs;
    }
  }

  /** How long the host asks to wait; undefined where it does not. */
  #waitOf({ status, headers }: Answer): number | undefined {
    const given = headers["retry-after"];
    if (status !== 429 && (status !== 503 || given === undefined)) return undefined;
    if (given === undefined) return usualWaitMs;
    const ms = /^\d{1,9}$/.test(given) ? Number(given) * 1000 : Date.parse(given) - this.#options.now();
    return Number.isNaN(ms) ? usualWaitMs : Math.max(0, ms);
  }
}
