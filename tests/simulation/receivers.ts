import type { OutgoingRequest, ReceivedAnswer } from "../../functions/dispatch/transport.ts";
import { TransportError } from "../../functions/dispatch/transport.ts";
import { Chance } from "./chance.ts";

/** Behaviours of a receiver on a request. */
export const behaviours = [
  "ok",
  "slow",
  "answer lost",
  "error",
  "busy",
  "redirect",
  "refuses",
  "hangs",
  "flaky",
  "gone",
] as const;
export type Behaviour = (typeof behaviours)[number];

/** A request that reached its receiver, or was on its way there. */
export interface Arrival {
  /** Path of the endpoint's URL. */
  path: string;
  eventId: string;
  body: string;
  /** When the attempt began, in milliseconds. */
  at: number;
  /** Whether the sender was told of a success. */
  isSuccess: boolean;
  /** Whether the receiver has the event. */
  hasArrived: boolean;
}

/** An attempt to send an event to a receiver. */
export interface Attempt {
  number: number;
  chance: Chance;
}

/** Times that a flaky receiver fails with an event, at most: in the end it is well. */
const flakyMaximum = 4;

/** Receivers without a network: each path has a behaviour, which may change. */
export class Receivers {
  readonly arrivals: Arrival[] = [];
  readonly behaviour = new Map<string, Behaviour>();
  /** Attempts so far, by path and event. */
  readonly #attempts = new Map<string, number>();

  constructor(private readonly seed: number) {}

  /**
   * Begins an attempt, which has a chance of its own: those that begin at the same moment come in any order. It counts also when its process is
   * killed before it sends, or the next attempt would be killed as well, and so would all others.
   */
  begin({ url, headers }: OutgoingRequest): Attempt {
    const name = `${url.pathname} ${headers["webhook-id"]}`;
    const number = (this.#attempts.get(name) ?? 0) + 1;
    this.#attempts.set(name, number);
    return { number, chance: Chance.of(this.seed, `${name} ${number}`) };
  }

  async send({ url, headers, body, timeoutMs }: OutgoingRequest, { number, chance }: Attempt): Promise<ReceivedAnswer> {
    const path = url.pathname;
    const arrival = {
      path,
      eventId: headers["webhook-id"] ?? "",
      body,
      at: Date.now(),
      isSuccess: false,
      hasArrived: false,
    };
    this.arrivals.push(arrival);
    const behaviour = this.behaviour.get(path) ?? "ok";
    const flaky = number <= flakyMaximum ? chance.pick(["ok", "ok", "error", "refuses"] as const) : "ok";
    switch (behaviour === "flaky" ? flaky : behaviour) {
      case "ok":
        await elapse(chance.integer(1, 40));
        break;
      case "slow":
        await elapse(chance.integer(200, timeoutMs - 1));
        break;
      case "answer lost":
        arrival.hasArrived = true;
        await elapse(timeoutMs);
        throw new TransportError("timeout", "no answer in time");
      case "hangs":
        await elapse(timeoutMs);
        throw new TransportError("timeout", "no answer in time");
      case "refuses":
        throw new TransportError("connection", "refused");
      case "error":
        return answer(500);
      case "busy":
        return answer(503, { "retry-after": String(chance.integer(1, 7_200)) });
      case "redirect":
        return answer(302, { location: "https://elsewhere.example/" });
      case "gone":
        return answer(410);
    }
    arrival.hasArrived = true;
    arrival.isSuccess = true;
    return answer(200);
  }
}

function answer(status: number, headers: Record<string, string> = {}): ReceivedAnswer {
  return { status, headers, body: "" };
}

function elapse(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
