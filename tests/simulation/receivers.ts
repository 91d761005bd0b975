import type { OutgoingRequest, ReceivedAnswer, Transport } from "../../shared/webhooks/transport.ts";
import { TransportError } from "../../shared/webhooks/transport.ts";
import { Chance } from "./chance.ts";

/** What a receiver does with a request. */
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

/** Receivers without a network: each path has a behaviour, which may change. */
export class Receivers implements Transport {
  readonly arrivals: Arrival[] = [];
  readonly behaviour = new Map<string, Behaviour>();

  constructor(private readonly seed: number) {}

  /** Chance of the next request: requests that begin at the same moment come in any order. */
  chanceOf({ url, headers }: OutgoingRequest): Chance {
    const name = `${url.pathname} ${headers["webhook-id"]}`;
    return Chance.of(
      this.seed,
      `${name} ${this.arrivals.filter((known) => `${known.path} ${known.eventId}` === name).length}`,
    );
  }

  async send(request: OutgoingRequest): Promise<ReceivedAnswer> {
    const { url, headers, body, timeoutMs } = request;
    const chance = this.chanceOf(request);
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
    switch (behaviour === "flaky" ? chance.pick(["ok", "ok", "error", "refuses"] as const) : behaviour) {
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
