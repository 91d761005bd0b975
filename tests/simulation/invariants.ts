import type { Connection } from "../../database/connection.ts";
import type { ClaimedDelivery, Rpcs } from "../../shared/database/rpc.ts";
import { setClock } from "./database.ts";
import type { Receivers } from "./receivers.ts";

/** An endpoint as the simulation knows it. */
export interface Endpoint {
  id: string;
  path: string;
  /** Whether its receiver is always right in the end, so that each event must reach it. */
  isSteady: boolean;
  /** When its owner paused it, until it is started again. */
  pausedAt?: number;
  /** When its owner deleted it. */
  deletedAt?: number;
  /** When a 410 of it was recorded, until its owner starts it again. */
  goneAt?: number;
}

/** The schedule of retries in seconds, as the settings have it. */
const schedule = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Waits vary by a fifth. */
const leastWait = 0.8;
const leaseSeconds = 60;

/** The service's promises about deliveries, checked from the answers to dispatchers and from the rows of the database. */
export class Invariants {
  /** Broken promises, in words. */
  readonly faults: string[] = [];
  readonly endpoints: Endpoint[] = [];
  /** Events that a steady endpoint must get, by its path. */
  readonly expected = new Map<string, Set<string>>();
  /** When a claim of each attempt was answered, by endpoint, event and number. */
  readonly #claims = new Map<string, number>();
  /** Body of the first attempt by endpoint and event. */
  readonly #bodies = new Map<string, string>();

  constructor(private readonly connection: Connection) {}

  /** Notes what the answers of RPCs tell. */
  note<Name extends keyof Rpcs>(name: Name, parameters: Rpcs[Name]["arguments"], value: unknown): void {
    if (name === "claim_deliveries") {
      for (const delivery of (value as { deliveries: ClaimedDelivery[] }).deliveries) this.#noteClaim(delivery);
    }
    if (name === "finish_deliveries") {
      const { results } = parameters as unknown as { results: { endpoint_id: string; status?: number }[] };
      for (const { endpoint_id, status } of results) {
        const endpoint = this.endpoints.find(({ id }) => id === endpoint_id);
        if (endpoint !== undefined && status === 410) endpoint.goneAt ??= Date.now();
      }
    }
  }

  #noteClaim({ endpoint_id, event_id, attempt, url, data }: ClaimedDelivery): void {
    const endpoint = this.endpoints.find(({ id }) => id === endpoint_id);
    const label = `event ${event_id} to ${new URL(url).pathname}, attempt ${attempt}`;
    const name = `${endpoint_id} ${event_id} ${attempt}`;
    if (this.#claims.has(name)) this.faults.push(`${label}: claimed twice`);
    this.#claims.set(name, Date.now());
    if (endpoint?.deletedAt !== undefined) this.faults.push(`${label}: claimed after the webhook was deleted`);
    if (endpoint?.goneAt !== undefined && endpoint.goneAt < Date.now()) {
      this.faults.push(`${label}: claimed after a 410`);
    }
    const body = JSON.stringify(data);
    const first = this.#bodies.get(`${endpoint_id} ${event_id}`) ?? body;
    if (first !== body) this.faults.push(`${label}: another body than the first time`);
    this.#bodies.set(`${endpoint_id} ${event_id}`, first);
    if (endpoint?.isSteady === true) this.#checkWait(endpoint_id, event_id, attempt, label);
  }

  /** An attempt comes no sooner than the schedule says, whether the one before failed or was lost. Those of other endpoints may be asked for. */
  #checkWait(endpointId: string, eventId: string, attempt: number, label: string): void {
    const before = this.#claims.get(`${endpointId} ${eventId} ${attempt - 1}`);
    if (before === undefined) return;
    const least = leastWait * (schedule[attempt - 2] ?? 0) * 1_000;
    if (Date.now() - before < least - 1) {
      this.faults.push(`${label}: came ${(Date.now() - before) / 1_000} s after the one before, not ${least / 1_000}`);
    }
  }

  /** Checks after a claim that, of the endpoints that are well, none has more under way than another that could have had the next claim. */
  async checkFairness(claimed: readonly ClaimedDelivery[]): Promise<void> {
    if (claimed.length === 0) return;
    const [unfair] = await this.connection.query<{ ahead: string; behind: string }>(
      `with endpoint as (
         select endpoint.url, endpoint.id = any ($1::uuid[]) as is_claimed,
                count(*) filter (where delivery.claimed_until is not null) as under_way,
                bool_or(delivery.state = 'pending' and delivery.claimed_until is null and delivery.due_at <= funding.dispatch_now()) as is_waiting
         from funding.webhook_endpoints as endpoint join funding.webhook_deliveries as delivery on delivery.endpoint_id = endpoint.id
         where endpoint.state = 'active' and endpoint.failures_in_a_row = 0
         group by endpoint.id
       )
       select ahead.url as ahead, behind.url as behind
       from endpoint as ahead join endpoint as behind on behind.is_waiting and behind.under_way + 1 < ahead.under_way
       where ahead.is_claimed`,
      [claimed.map(({ endpoint_id }) => endpoint_id)],
    );
    if (unfair !== undefined) this.faults.push(`${unfair.ahead} was given more than ${unfair.behind}, which waits`);
  }

  /**
   * Checks that nothing is due, and no claim has outlived its lease, when dispatchers have just found nothing more to do. Claims of one that was
   * killed before may be all that their endpoint can have at once: what else is due for it waits until their lease ends.
   */
  async checkNothingIsStuck(): Promise<void> {
    await setClock(this.connection);
    const stuck = await this.connection.query<{ path: string; what: string }>(
      `select endpoint.url as path, case when delivery.claimed_until is null then 'due' else 'claimed' end as what
       from funding.webhook_deliveries as delivery join funding.webhook_endpoints as endpoint on endpoint.id = delivery.endpoint_id
       where delivery.claimed_until <= funding.dispatch_now() - $1 * interval '1 second'
          or delivery.state = 'pending' and delivery.claimed_until is null and endpoint.state = 'active' and endpoint.failures_in_a_row = 0
             and delivery.due_at < funding.dispatch_now() - $1 * interval '1 second'
             and not exists (
               select from funding.webhook_deliveries as known where known.endpoint_id = endpoint.id and known.claimed_until > funding.dispatch_now())
       limit 3`,
      [leaseSeconds],
    );
    for (const { path, what } of stuck) this.faults.push(`a delivery to ${path} is ${what} for more than a lease`);
    const waiting = await this.connection.query(
      "select from funding.events where fanned_out_at is null and created_at < funding.wall_clock() - interval '1 minute' limit 1",
    );
    if (waiting.length > 0) this.faults.push("an event waits for its fan-out for more than a minute");
  }

  /** Checks that every event has come to each endpoint that must get it. */
  async checkArrivals({ arrivals }: Receivers): Promise<void> {
    const arrived = new Set(
      arrivals.filter(({ hasArrived }) => hasArrived).map(({ path, eventId }) => `${path} ${eventId}`),
    );
    for (const { id: endpointId, path } of this.endpoints) {
      for (const id of this.expected.get(path) ?? []) {
        if (arrived.has(`${path} ${id}`)) continue;
        const [delivery] = await this.connection.query<{ state: string; attempts: number }>(
          "select state, attempts from funding.webhook_deliveries where endpoint_id = $1 and event_id = $2",
          [endpointId, id],
        );
        const how = delivery === undefined ? "no delivery" : `${delivery.state} after ${delivery.attempts} attempts`;
        this.faults.push(`event ${id} never came to ${path} (${how})`);
      }
    }
  }

  /** Tells of each endpoint how it is and what waits for it, for whoever looks for the reason of a fault. */
  async describe({ behaviour }: Receivers): Promise<string[]> {
    const states = await this.connection.query<{ path: string; text: string }>(
      `select substring(endpoint.url from '/\\d+$') as path,
              concat_ws(', ', endpoint.state,
                format('%s failures in a row', endpoint.failures_in_a_row), 'backoff until ' || funding.moment(endpoint.retry_at),
                format('%s claimed', count(*) filter (where delivery.claimed_until is not null)),
                format('%s due', count(*) filter (where delivery.claimed_until is null and delivery.due_at <= funding.dispatch_now())),
                'since ' || funding.moment(min(delivery.due_at) filter (where delivery.claimed_until is null))) as text
       from funding.webhook_endpoints as endpoint
       left join funding.webhook_deliveries as delivery on delivery.endpoint_id = endpoint.id and delivery.state = 'pending'
       group by endpoint.id order by endpoint.url`,
    );
    return states.map(({ path, text }) => `  ${path}, whose receiver is "${behaviour.get(path) ?? "ok"}": ${text}`);
  }
}
