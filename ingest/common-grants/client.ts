import { setTimeout as wait } from "node:timers/promises";
import { release } from "../../shared/release.ts";
import { InputError } from "../errors.ts";
import { isLoopback } from "./address.ts";

/** Requests for one answer, the first included. */
const mostAttempts = 6;
const requestTimeoutMs = 60_000;
const firstPauseMs = 1_000;
/** Longest wait that a server may ask for; for a longer one, the import ends and is run again. */
const longestWaitMs = 15 * 60_000;
/** A page of 100 opportunities has about 1 MB. */
const mostBytes = 64 * 1024 * 1024;

export const userAgent = `Funding-Opportunities-Import/${release}`;

export interface ClientOptions {
  /** Sent as `X-API-Key`, which the protocol's other implementations take too. */
  key?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Waits. Tests have no time for it. */
  sleep?(ms: number): Promise<unknown>;
  /** Called before a wait, with its reason as a sentence. */
  onWait?(sentence: string): void;
  onBytes?: ((bytes: number) => void) | undefined;
}

/** Returns the JSON at an address. Its server gets one request at a time. */
export type GetJson = (address: URL) => Promise<unknown>;

/** What to do about an answer: read it, ask again, or give up with a predicate about the address. */
type Verdict =
  | { kind: "read" }
  | { kind: "retry"; reason: string; afterMs?: number }
  | { kind: "fail"; reason: string };

/**
 * Returns a client that obeys `Retry-After`, asks again after failures of the server or the network, later each time, and follows no redirect: the
 * key is for the address that was given.
 *
 * @throws {InputError} when no answer that can be read comes. The message is a predicate about the address.
 */
export function createClient({ key, signal, onWait, onBytes, ...options }: ClientOptions = {}): GetJson {
  const sleep = options.sleep ?? ((ms: number) => wait(ms, undefined, signal === undefined ? {} : { signal }));
  return async (address) => {
    if (key !== undefined && address.protocol === "http:" && !isLoopback(address)) {
      throw new InputError("is not encrypted: a key is sent to https:// alone");
    }
    for (let attempt = 1; ; attempt++) {
      const outcome = await attemptOnce(address, { key, signal, onBytes });
      if ("body" in outcome) return outcome.body;
      if (outcome.kind === "fail") throw new InputError(outcome.reason);
      if (attempt === mostAttempts) throw new InputError(`${outcome.reason}, ${mostAttempts} times; try again later`);
      const waitMs = outcome.afterMs ?? pauseMs(attempt);
      if (waitMs > longestWaitMs) {
        throw new InputError(`${outcome.reason}, and wants no request for ${Math.ceil(waitMs / 60_000)} minutes`);
      }
      onWait?.(`${address.host} ${outcome.reason}: asking again in ${Math.ceil(waitMs / 1_000)} s.`);
      await sleep(waitMs);
      signal?.throwIfAborted();
    }
  };
}

/** Backoff: 1, 2, 4 ... seconds, up to a half more or less, so that many clients do not come back together. */
function pauseMs(attempt: number): number {
  return firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random());
}

async function attemptOnce(
  address: URL,
  { key, signal, onBytes }: Pick<ClientOptions, "key" | "signal" | "onBytes">,
): Promise<{ body: unknown } | Exclude<Verdict, { kind: "read" }>> {
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  try {
    const response = await fetch(address, {
      headers: {
        accept: "application/json",
        "user-agent": userAgent,
        ...(key === undefined ? {} : { "x-api-key": key }),
      },
      redirect: "manual",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const verdict = judge(response, key !== undefined);
    if (verdict.kind !== "read") {
      await response.body?.cancel();
      return verdict;
    }
    return { body: parseJson(await readText(response, onBytes)) };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof InputError) throw error;
    if (timeout.aborted) return { kind: "retry", reason: `does not answer within ${requestTimeoutMs / 1_000} s` };
    return { kind: "retry", reason: `cannot be reached (${causeOf(error)})` };
  }
}

function judge({ status, headers }: Response, hasKey: boolean): Verdict {
  if (status === 200) return { kind: "read" };
  // An opaque redirect has the status 0 where the runtime hides it.
  if (status === 0 || (status >= 300 && status < 400)) {
    const target = headers.get("location");
    return {
      kind: "fail",
      reason: `redirects to ${target ?? "another address"}: give the address that answers itself`,
    };
  }
  if (status === 429 || status >= 500) {
    const afterMs = retryAfterMs(headers.get("retry-after"));
    const reason = status === 429 ? "asks for fewer requests (429)" : `fails (${status})`;
    return { kind: "retry", reason, ...(afterMs === undefined ? {} : { afterMs }) };
  }
  if (status === 401 || status === 403) {
    const advice = hasKey
      ? "refuses the key in COMMON_GRANTS_API_KEY"
      : "wants a key: put it into COMMON_GRANTS_API_KEY";
    return { kind: "fail", reason: `${advice} (${status})` };
  }
  if (status === 404) return { kind: "fail", reason: "does not exist (404): give the address before /common-grants" };
  return { kind: "fail", reason: `refuses the request (${status})` };
}

/** Reads `Retry-After`: seconds, or a date. */
export function retryAfterMs(value: string | null, nowMs = Date.now()): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - nowMs);
}

async function readText(response: Response, onBytes?: (bytes: number) => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new InputError(`answers more than ${mostBytes / 1024 / 1024} MB at once`);
    onBytes?.(chunk.length);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const kind = /^\s*</.test(text) ? "a web page" : "something else";
    throw new InputError(`does not answer JSON, but ${kind}: it is no API of CommonGrants`);
  }
}

function causeOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? ((cause as { code?: string }).code ?? cause.message) : message;
}
