import type { RpcFailure } from "../database/rpc.ts";

/** Limit of a caller's concurrent streamed answers. */
export const maxStreamsPerCaller = 4;
/** Limit of concurrent streamed answers of all callers. Each keeps a page of records: some 2 MB of a Worker's 128. */
const maxStreams = 32;
/** How long a permit is held until its answer begins: longer than any request waits for a permit and for the database. */
const requestLeaseMs = 60_000;

/** Permit of a streamed answer. */
export interface StreamPermit {
  /** Counts the answer as being sent, for this time from now on. */
  renew(leaseMs: number): void;
  /** Releases the permit. Calling it twice is harmless. */
  close(): void;
}

/** Permit of an answer that is too short for a limit. */
export const unlimitedPermit: StreamPermit = { renew: () => undefined, close: () => undefined };

/** The limit that is reached: the caller's own, or that of all callers. */
export type StreamRefusal = "caller" | "all";

/** Failures of a call that was not made, because too many streamed answers are open: the caller's own, or all callers'. */
export const tooManyStreams = {
  caller: streamFailure("STREAMS_OF_KEY", `this key has ${maxStreamsPerCaller} streamed answers open`),
  all: streamFailure("STREAMS", "too many streamed answers are open"),
};

function streamFailure(code: string, message: string): RpcFailure {
  return { code, message, details: null, hint: null };
}

interface Permit {
  caller: string;
  isSent: boolean;
  expiresAt: number;
}

/**
 * Limit of the answers that are made while they are sent, in one isolate or process. An answer keeps records in memory for as long as its client
 * takes to read it, so clients that open many and read none would fill the memory in which everybody's requests are answered.
 *
 * A caller is a text, as for `ConcurrencyLimit`. Requests whose answer has not begun count for their caller alone: made-up keys take nothing from
 * those that exist.
 */
export class StreamLimit {
  readonly #permits = new Set<Permit>();

  constructor(
    private readonly perCaller = maxStreamsPerCaller,
    private readonly total = maxStreams,
  ) {}

  /** Takes a permit for an answer, before the work for it begins. @returns the limit that is reached where none is free. */
  open(caller: string): StreamPermit | StreamRefusal {
    const now = performance.now();
    let own = 0;
    let sent = 0;
    for (const permit of this.#permits) {
      // Its Worker was stopped when its client left, without releasing the permit.
      if (permit.expiresAt <= now) this.#permits.delete(permit);
      else {
        if (permit.caller === caller) own += 1;
        if (permit.isSent) sent += 1;
      }
    }
    if (own >= this.perCaller) return "caller";
    if (sent >= this.total) return "all";
    return this.#add({ caller, isSent: false, expiresAt: now + requestLeaseMs });
  }

  #add(permit: Permit): StreamPermit {
    let isClosed = false;
    this.#permits.add(permit);
    return {
      renew: (leaseMs) => {
        if (isClosed) return;
        permit.isSent = true;
        permit.expiresAt = performance.now() + leaseMs;
        this.#permits.add(permit);
      },
      close: () => {
        isClosed = true;
        this.#permits.delete(permit);
      },
    };
  }
}
