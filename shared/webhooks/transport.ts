/** A POST on its way to a receiver. */
export interface OutgoingRequest {
  url: URL;
  headers: Record<string, string>;
  body: string;
  /** From the first packet to the last byte that is read. */
  timeoutMs: number;
}

/** What a receiver answered. */
export interface ReceivedAnswer {
  status: number;
  headers: Record<string, string>;
  /** The first `maximumAnswerBytes` of the body, as text. */
  body: string;
}

/** The most that is read of an answer: enough for its owner to see what went wrong. */
export const maximumAnswerBytes = 16 * 1024;
/** How long the rest of a body is waited for once the status is there: it decides nothing. */
export const maximumBodyWaitMs = 2_000;

/** Why there was no answer. `address`: the name resolves to where nothing may be sent. */
export type TransportFault = "timeout" | "connection" | "address";

export class TransportError extends Error {
  constructor(
    readonly fault: TransportFault,
    message: string,
  ) {
    super(message);
  }
}

/** Sends requests. What a platform can know of the addresses behind a name is its own; it never follows redirects. */
export interface Transport {
  /** @throws {TransportError} when there is no answer. */
  send(request: OutgoingRequest): Promise<ReceivedAnswer>;
}
