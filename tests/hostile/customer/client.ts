import type { Report } from "../report.ts";
import type { Server } from "../server.ts";
import { sleep } from "../time.ts";

/** An answer, right or an error of the customer's, must be there by then, and so must a 503. */
export const answerMs = 30_000;
/** A broken connection is judged when the end of the server must have been noticed. */
const noticeMs = 3_000;

/** An answer as the customer has it. */
export interface Answer {
  status: number;
  headers: Headers;
  body: string;
}

/** A request of the customer. */
export interface Asked {
  kind: string;
  /** After the origin. */
  path: string;
  init: RequestInit;
}

/** Sends the customer's requests. Each has a connection of its own, so that a connection that breaks is always this request's. */
export class Client {
  readonly #http = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });

  constructor(
    readonly origin: string,
    readonly server: Server,
    readonly report: Report,
  ) {}

  /**
   * Sends a request.
   *
   * @returns the answer; undefined where it is a 503 as it should be, or the server was down. All else is a violation.
   */
  async ask({ kind, path, init }: Asked): Promise<Answer | undefined> {
    const started = performance.now();
    const shown = `${init.method ?? "GET"} ${path}`;
    try {
      const options = { ...init, client: this.#http, signal: AbortSignal.timeout(answerMs) };
      const response = await fetch(this.origin + path, options);
      const answer = { status: response.status, headers: response.headers, body: await response.text() };
      this.report.answer(kind, performance.now() - started);
      if (answer.status < 500) return answer;
      if (answer.status === 503) this.#judgeRefusal(kind, answer, shown);
      else this.report.violation(`${kind}: ${answer.status} ${answer.body.slice(0, 300)}`, shown);
    } catch (error) {
      const ended = performance.now();
      if ((error as Error).name === "TimeoutError") {
        this.report.count(kind, "no answer");
        this.report.violation(`${kind}: no answer in ${answerMs / 1000} s`, shown);
        return undefined;
      }
      await sleep(noticeMs);
      if (this.server.wasDown(started, ended)) this.report.count(kind, "server down");
      else this.report.violation(`${kind}: the connection broke, and the server was up: ${causeOf(error)}`, shown);
    }
    return undefined;
  }

  close(): void {
    this.#http.close();
  }

  #judgeRefusal(kind: string, { headers, body }: Answer, shown: string): void {
    this.report.refusal(kind);
    const isProblem = headers.get("content-type")?.startsWith("application/problem+json") === true;
    if (!isProblem) this.report.violation(`${kind}: a 503 that is no problem: ${body.slice(0, 200)}`, shown);
    if (!/^[1-9]\d*$/.test(headers.get("retry-after") ?? "")) {
      this.report.violation(`${kind}: 503 without Retry-After: ${body.slice(0, 300)}`, shown);
    }
  }
}

/** The last cause of an error of `fetch`: the system's words. */
function causeOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause === undefined ? String(error) : causeOf(cause);
}
