import { openReceiver, type Receiver } from "../../webhooks/receiver.ts";
import type { Report } from "../report.ts";
import { sleep } from "../time.ts";
import type { Catalogue } from "./catalogue.ts";
import { seenIn } from "./lister.ts";

/** The longest wait for deliveries at the end: a delivery of which nothing was heard is made again after the lease of a minute. */
const deliveredMs = 180_000;
const dayMs = 86_400_000;
/** Days before a deadline at which it is announced. */
const leadDays = 7;

/** The receiver of the customer's webhook. Each record is announced once, whatever the clock does, and each deadline once and not too early. */
export class Events {
  private constructor(
    private readonly receiver: Receiver,
    private readonly report: Report,
  ) {}

  static async open(report: Report): Promise<Events> {
    return new Events(await openReceiver(), report);
  }

  /** The webhook to create. */
  get webhook(): object {
    const events = ["contract.created", "contract.deadline_approaching", "grant.deadline_approaching"];
    return { url: this.receiver.url, events, deadline_days: [leadDays] };
  }

  close(): Promise<void> {
    return this.receiver.close();
  }

  /** Waits for the events of all acknowledged records, and judges all events. */
  async judge(catalogue: Catalogue): Promise<void> {
    const deadline = performance.now() + deliveredMs;
    while (this.#missing(catalogue).length > 0 && performance.now() < deadline) await sleep(500);
    const missing = this.#missing(catalogue);
    if (missing.length > 0) {
      const names = missing.slice(0, 10).join(", ");
      this.report.violation(`webhook: no event of ${missing.length} acknowledged records: ${names}`);
    }
    const ids = new Map<string, Set<string>>();
    for (const { payload } of this.receiver.received) {
      const subject = `${payload.event} ${String(payload.data.id)}`;
      ids.set(subject, (ids.get(subject) ?? new Set()).add(payload.id));
      this.report.count(`webhook, ${payload.event}`, "received");
      if (!payload.event.endsWith("deadline_approaching")) continue;
      const days = (Date.parse(String(payload.data.deadline_date)) - Date.now()) / dayMs;
      if (days > leadDays + 1) {
        this.report.violation(`webhook: a deadline was announced ${Math.round(days)} days before it`, subject);
      }
    }
    for (const [subject, { size }] of ids) {
      if (size > 1) this.report.violation(`webhook: ${size} events in place of one`, subject);
    }
  }

  #missing(catalogue: Catalogue): string[] {
    const announced = new Set(
      this.receiver.received
        .filter(({ payload }) => payload.event === "contract.created")
        .map(({ payload }) => seenIn({ title: String(payload.data.title) }).name),
    );
    return catalogue.acknowledged.filter((name) => !announced.has(name));
  }
}
