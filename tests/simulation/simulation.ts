import { vi } from "vitest";
import { createAccount } from "../../accounts/accounts.ts";
import { type Connection, queryOne } from "../../database/connection.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { dispatch } from "../../functions/dispatch/dispatcher.ts";
import type { ClaimedDelivery, RpcClient, Rpcs } from "../../shared/database/rpc.ts";
import { silentLog } from "../../shared/log/log.ts";
import { createSecretBox, generateSecret, generateSecretsKey } from "../../shared/webhooks/secret-box.ts";
import { openEmptyDatabase } from "../support/service.ts";
import { grant } from "../webhooks/webhook-service.ts";
import { Chance } from "./chance.ts";
import { rpcsOf, setClock, simulate } from "./database.ts";
import { type Behaviour, behaviours, Receivers } from "./receivers.ts";

export interface SimulationOptions {
  seed: number;
  /** Days that pass, before all receivers are well again and the rest is sent. */
  days: number;
  /** Changes the database before it is used: a planted bug. */
  plant?(connection: Connection): Promise<void>;
}

/** What a run saw. */
export interface SimulationResult {
  /** Broken promises, in words; none is expected. */
  faults: string[];
  attempts: number;
  crashes: number;
  deliveries: number;
}

/** An endpoint as the simulation knows it. */
interface Endpoint {
  id: string;
  path: string;
  /** Whether its receiver is always right in the end, so that each event must reach it. */
  isSteady: boolean;
  isPaused: boolean;
  /** When its owner deleted it. */
  deletedAt?: number;
  /** When a 410 of it was recorded, until its owner starts it again. */
  goneAt?: number;
}

/** A dispatcher of the simulation. */
interface Process {
  state: "running" | "done" | "killed";
  /** Deliveries that it has claimed and not begun to send: they are signed outside of this thread. */
  signing: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How often a scheduler starts a dispatcher, and how long one begins attempts. */
const startEveryMs = 10_000;
const budgetMs = 20_000;
/** Share of calls at which the process that makes them ends. */
const crashShare = 0.004;
/** The schedule of retries in seconds, as the settings have it. */
const schedule = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Waits vary by a fifth. */
const leastWait = 0.8;
const leaseMs = 60_000;

/**
 * Runs the dispatcher with the real SQL, while time, the network and chance are simulated. Dispatchers are killed at any call, receivers fail in
 * every way, owners pause, delete and restart webhooks, and time passes without a dispatcher. It ends at the first broken promise. A seed gives the
 * same run again.
 */
export async function runSimulation({ seed, days, plant }: SimulationOptions): Promise<SimulationResult> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"], now: Date.UTC(2026, 0, 5, 12) });
  const connection = pgliteConnection(await openEmptyDatabase());
  try {
    await simulate(connection, seed);
    await plant?.(connection);
    const chance = new Chance(seed);
    const simulation = new Simulation(connection, chance, seed);
    await simulation.run(days);
    return simulation.result();
  } finally {
    vi.useRealTimers();
    await connection.close();
  }
}

class Simulation {
  readonly #faults: string[] = [];
  readonly #endpoints: Endpoint[] = [];
  readonly #receivers: Receivers;
  readonly #secrets = createSecretBox(generateSecretsKey());
  readonly #rpcs: RpcClient;
  /** Events that a steady endpoint must get, by its path. */
  readonly #expected = new Map<string, Set<string>>();
  /** When a claim of each attempt was answered, by endpoint, event and number. */
  readonly #claims = new Map<string, number>();
  /** Body of the first attempt by endpoint and event. */
  readonly #bodies = new Map<string, string>();
  #loads = 0;
  #processes: Process[] = [];
  /** Calls of the database under way. */
  #underWay = 0;
  #crashes = 0;
  #isCalm = false;
  #accountId = "";
  #records = 0;

  constructor(
    private readonly connection: Connection,
    private readonly chance: Chance,
    seed: number,
  ) {
    this.#receivers = new Receivers(seed);
    this.#rpcs = rpcsOf(connection);
  }

  result(): SimulationResult {
    return {
      faults: this.#faults,
      attempts: this.#receivers.arrivals.length,
      crashes: this.#crashes,
      deliveries: new Set(this.#receivers.arrivals.map(({ path, eventId }) => `${path} ${eventId}`)).size,
    };
  }

  async run(days: number): Promise<void> {
    await createAccount(this.connection, "owner@example.org", "developer");
    const { id } = await queryOne<{ id: string }>(this.connection, "select id from funding.accounts");
    this.#accountId = id;
    await this.connection.execute(`
      -- Most gaps are longer than a scheduler's, and are time that passed for the dispatcher.
      update funding.settings set value = '86400' where name = 'webhook_clock_step_seconds';
      -- A dispatcher that waits for an answer looks for work twenty times a second.
      update funding.settings set value = '1' where name = 'webhook_timeout_seconds'`);
    for (const isSteady of [true, true, true, false, false, false]) await this.#addEndpoint(isSteady);
    const ends = Date.now() + days * day;
    let nextChange = Date.now();
    while (Date.now() < ends && this.#faults.length === 0) {
      const nextWork = await this.#nextWork();
      const next = Math.min(ends, nextChange, nextWork ?? Number.POSITIVE_INFINITY);
      if (next > Date.now()) await vi.advanceTimersByTimeAsync(next - Date.now());
      await setClock(this.connection);
      if (next >= nextChange) {
        await this.#change();
        nextChange = Date.now() + this.chance.pick([2_000, minute, 10 * minute, 3 * hour, 8 * hour]);
      }
      await this.#dispatchFor(this.chance.pick([1, 1, 2]));
      await this.#checkNothingIsStuck();
    }
    if (this.#faults.length === 0) await this.#end();
  }

  /** All receivers are well, and dispatchers live, until nothing is left to send. */
  async #end(): Promise<void> {
    this.#isCalm = true;
    for (const { path } of this.#endpoints) this.#receivers.behaviour.set(path, "ok");
    for (const endpoint of this.#endpoints) {
      if (endpoint.isPaused && endpoint.deletedAt === undefined) await this.#update(endpoint, { state: "active" });
    }
    const ends = Date.now() + 8 * day;
    for (
      let next = await this.#nextWork();
      next !== undefined && next < ends && this.#faults.length === 0;
      next = await this.#nextWork()
    ) {
      await vi.advanceTimersByTimeAsync(Math.max(1_000, next - Date.now()));
      await this.#dispatchFor(1);
    }
    await this.#checkNothingIsStuck();
    this.#checkArrivals();
  }

  /** When there may be work for a dispatcher; undefined when nothing waits. */
  async #nextWork(): Promise<number | undefined> {
    await setClock(this.connection);
    const { seconds } = await queryOne<{ seconds: number | null }>(
      this.connection,
      `select extract(epoch from min(moment) - funding.dispatch_now())::double precision as seconds from (
         select greatest(delivery.due_at, endpoint.retry_at) as moment
         from funding.webhook_deliveries as delivery join funding.webhook_endpoints as endpoint on endpoint.id = delivery.endpoint_id
         where delivery.state = 'pending' and delivery.claimed_until is null and endpoint.state = 'active'
         union all select claimed_until from funding.webhook_deliveries where claimed_until is not null
         union all select coalesce(fan_out_after, funding.dispatch_now()) from funding.events where fanned_out_at is null
         union all select funding.dispatch_now() from funding.webhook_recoveries) as waiting`,
    );
    // At least a second, for work that was begun and waits until others have had their turn.
    return seconds === null ? undefined : Date.now() + Math.max(1_000, seconds * 1_000 + 1);
  }

  /** Something that owners, importers or receivers do. */
  async #change(): Promise<void> {
    const endpoint = this.chance.pick(this.#endpoints.filter(({ deletedAt }) => deletedAt === undefined));
    switch (this.chance.integer(0, 11)) {
      case 0:
        if (endpoint.isSteady) return;
        await this.#call("delete_webhook", endpoint);
        endpoint.deletedAt = Date.now();
        return this.#addEndpoint(false);
      case 1:
        await this.#update(endpoint, { state: endpoint.isPaused ? "active" : "paused" });
        return;
      case 2:
        return this.#restartDisabled();
      case 3:
        return this.#recover(endpoint);
      case 4:
      case 5:
        this.#misbehave(endpoint);
        return this.#load(this.chance.integer(1, 12));
      case 6:
        return vi.advanceTimersByTimeAsync(this.chance.pick([hour, day, 2 * day])).then(() => undefined);
      default:
        return this.#load(this.chance.integer(1, 12));
    }
  }

  async #addEndpoint(isSteady: boolean): Promise<void> {
    const id = this.chance.uuid();
    const endpoint = { id, path: `/${this.#endpoints.length}`, isSteady, isPaused: false };
    const webhook = {
      id,
      url: `http://127.0.0.1${endpoint.path}`,
      description: "",
      events: ["grant.created", "grant.updated"],
      filters: {},
      deadline_days: [7],
      secret: await this.#secrets.seal(generateSecret(), id),
    };
    await this.connection.query("select funding.create_webhook($1, $2::jsonb)", [
      this.#accountId,
      JSON.stringify(webhook),
    ]);
    this.#endpoints.push(endpoint);
    this.#expected.set(endpoint.path, new Set());
    if (!isSteady) this.#misbehave(endpoint);
  }

  /** New records and changes of old ones. Every steady endpoint must hear of them. */
  async #load(count: number): Promise<void> {
    const records = Array.from({ length: count }, () => {
      const isNew = this.#records === 0 || this.chance.happens(0.6);
      const number = isNew ? ++this.#records : this.chance.integer(1, this.#records);
      return {
        number,
        record: grant({ source_id: `record-${number}`, title: `Record ${number}, version ${this.#loads}` }),
      };
    });
    const byNumber = new Map(records.map(({ number, record }) => [number, record]));
    const before = await queryOne<{ count: number }>(
      this.connection,
      "select count(*)::int as count from funding.events",
    );
    await this.connection.query("select funding.upsert_records('grants', $1::jsonb)", [
      JSON.stringify([...byNumber.values()]),
    ]);
    const events = await this.connection.query<{ id: string }>(
      "select id from funding.events order by created_at desc limit (select count(*) - $1 from funding.events)",
      [before.count],
    );
    for (const { path, isSteady } of this.#endpoints) {
      for (const { id } of isSteady ? events : []) this.#expected.get(path)?.add(id);
    }
    this.#loads += 1;
  }

  #misbehave(endpoint: Endpoint): void {
    // Behind a 410 is a promise of its own, that nothing comes after it.
    const possible: readonly Behaviour[] = endpoint.isSteady
      ? ["ok", "slow", "flaky", "ok"]
      : [...behaviours, "gone", "gone"];
    this.#receivers.behaviour.set(endpoint.path, this.chance.pick(possible));
  }

  async #update(endpoint: Endpoint, changes: { state: string }): Promise<void> {
    const { state } = await queryOne<{ state: string }>(
      this.connection,
      "select state from funding.webhook_endpoints where id = $1",
      [endpoint.id],
    );
    // Only its owner's wish starts a disabled one: see `#restartDisabled`.
    if (state === "disabled") return;
    await this.#call("update_webhook", endpoint, JSON.stringify(changes));
    endpoint.isPaused = changes.state === "paused";
  }

  async #restartDisabled(): Promise<void> {
    for (const endpoint of this.#endpoints) {
      const disabled = await this.connection.query(
        "select from funding.webhook_endpoints where id = $1 and state = 'disabled'",
        [endpoint.id],
      );
      if (disabled.length === 0) continue;
      if (endpoint.isSteady) this.#faults.push(`${endpoint.path} was disabled, though its receiver is well in the end`);
      this.#receivers.behaviour.set(endpoint.path, "ok");
      await this.#call("update_webhook", endpoint, '{"state": "active"}');
      delete endpoint.goneAt;
      endpoint.isPaused = false;
    }
  }

  async #recover(endpoint: Endpoint): Promise<void> {
    const since = new Date(Date.now() - this.chance.pick([hour, day, 10 * day])).toISOString();
    await this.#call("recover_webhook", endpoint, since, new Date().toISOString()).catch((error: { code?: string }) => {
      // One is under way.
      if (error.code !== "PT409") throw error;
    });
  }

  #call(name: string, { id }: Endpoint, ...values: unknown[]): Promise<unknown> {
    const places = values.map((_, index) => `, $${index + 3}`).join("");
    return this.connection.query(`select funding.${name}($1, $2${places})`, [this.#accountId, id, ...values]);
  }

  /** Starts dispatchers as a scheduler does, until one ends by itself: none was killed, and nothing was left to do. */
  async #dispatchFor(atOnce: number): Promise<void> {
    let isDone = false;
    for (let turn = 0; !isDone && turn < 50; turn++) {
      const running = Array.from({ length: atOnce }, () => this.#startDispatcher());
      const started = Date.now();
      while (running.some(({ state }) => state === "running")) {
        await this.#settle();
        if (running.every(({ state }) => state !== "running")) break;
        await vi.advanceTimersToNextTimerAsync();
        if (Date.now() - started > 5 * minute) {
          this.#faults.push("a dispatcher did not end");
          return;
        }
      }
      isDone = running.some(({ state }) => state === "done");
      const left = startEveryMs - (Date.now() - started);
      if (!isDone && left > 0) await vi.advanceTimersByTimeAsync(left);
    }
    if (!isDone) this.#faults.push("no dispatcher ended by itself in 50 runs");
  }

  /** Lets everything run that waits for no timer, so that time passes between the same two steps in each run. */
  async #settle(): Promise<void> {
    this.#processes = this.#processes.filter(({ state }) => state === "running");
    const isBusy = () =>
      this.#underWay > 0 || this.#processes.some(({ state, signing }) => state === "running" && signing > 0);
    for (let calm = 0; calm < 10; calm = isBusy() ? 0 : calm + 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #startDispatcher(): Process {
    const process: Process = { state: "running", signing: 0 };
    this.#processes.push(process);
    const never = new Promise<never>(() => undefined);
    /** Kills the process before or after what it does, or at neither. */
    const perilous = async <Result>(work: () => Promise<Result>, chance = this.chance): Promise<Result> => {
      if (process.state !== "running") return never;
      const isKilled = !this.#isCalm && chance.happens(crashShare);
      const isAfter = chance.happens(0.5);
      if (isKilled) {
        this.#crashes += 1;
        process.state = "killed";
        if (!isAfter) return never;
      }
      const result = await work();
      return process.state === "running" ? result : never;
    };
    const database: RpcClient = {
      call: (name, parameters) =>
        perilous(async () => {
          this.#underWay += 1;
          try {
            const outcome = await this.#rpcs.call(name, parameters);
            if (outcome.ok && name === "claim_deliveries") {
              const { deliveries } = outcome.value as Rpcs["claim_deliveries"]["result"];
              process.signing += deliveries.length;
              await this.#checkFairness(deliveries);
            }
            if (outcome.ok) this.#note(name, parameters, outcome.value);
            else this.#faults.push(`${name}: ${outcome.failure.code} ${outcome.failure.message}`);
            return outcome;
          } finally {
            this.#underWay -= 1;
          }
        }),
    };
    const webhooks = {
      secrets: this.#secrets,
      transport: {
        send: (request: Parameters<Receivers["send"]>[0]) => {
          process.signing -= 1;
          return perilous(() => this.#receivers.send(request), this.#receivers.chanceOf(request));
        },
      },
      dispatchSecret: undefined,
      concurrency: 8,
      allowLoopback: true,
    };
    dispatch({ database, webhooks, log: silentLog, budgetMs }).then(
      () => {
        if (process.state === "running") process.state = "done";
      },
      (error) => {
        this.#faults.push(`a dispatcher failed: ${String(error)}`);
        process.state = "killed";
      },
    );
    return process;
  }

  /** Notes what the answers of RPCs tell. */
  #note<Name extends keyof Rpcs>(name: Name, parameters: Rpcs[Name]["arguments"], value: unknown): void {
    if (name === "claim_deliveries") {
      for (const delivery of (value as { deliveries: ClaimedDelivery[] }).deliveries) this.#noteClaim(delivery);
    }
    if (name === "finish_deliveries") {
      const { results } = parameters as unknown as { results: { endpoint_id: string; status?: number }[] };
      for (const { endpoint_id, status } of results) {
        const endpoint = this.#endpoints.find(({ id }) => id === endpoint_id);
        if (endpoint !== undefined && status === 410) endpoint.goneAt ??= Date.now();
      }
    }
  }

  #noteClaim({ endpoint_id, event_id, attempt, url, data }: ClaimedDelivery): void {
    const endpoint = this.#endpoints.find(({ id }) => id === endpoint_id);
    const label = `event ${event_id} to ${new URL(url).pathname}, attempt ${attempt}`;
    const name = `${endpoint_id} ${event_id} ${attempt}`;
    if (this.#claims.has(name)) this.#faults.push(`${label}: claimed twice`);
    this.#claims.set(name, Date.now());
    if (endpoint?.deletedAt !== undefined) this.#faults.push(`${label}: claimed after the webhook was deleted`);
    if (endpoint?.goneAt !== undefined && endpoint.goneAt < Date.now()) {
      this.#faults.push(`${label}: claimed after a 410`);
    }
    const body = JSON.stringify(data);
    const first = this.#bodies.get(`${endpoint_id} ${event_id}`) ?? body;
    if (first !== body) this.#faults.push(`${label}: another body than the first time`);
    this.#bodies.set(`${endpoint_id} ${event_id}`, first);
    if (endpoint?.isSteady === true) this.#checkWait(endpoint_id, event_id, attempt, label);
  }

  /** An attempt comes no sooner than the schedule says, whether the one before failed or was lost. Those of other endpoints may be asked for. */
  #checkWait(endpointId: string, eventId: string, attempt: number, label: string): void {
    const before = this.#claims.get(`${endpointId} ${eventId} ${attempt - 1}`);
    if (before === undefined) return;
    const least = leastWait * (schedule[attempt - 2] ?? 0) * 1_000;
    if (Date.now() - before < least - 1) {
      this.#faults.push(`${label}: came ${(Date.now() - before) / 1_000} s after the one before, not ${least / 1_000}`);
    }
  }

  /**
   * Of the endpoints that are well, none has more under way than another that could have had the next claim. A second dispatcher's claims
   * could come between a claim and this look.
   */
  async #checkFairness(claimed: readonly ClaimedDelivery[]): Promise<void> {
    if (claimed.length === 0 || this.#processes.filter(({ state }) => state === "running").length > 1) return;
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
    if (unfair !== undefined) this.#faults.push(`${unfair.ahead} was given more than ${unfair.behind}, which waits`);
  }

  /**
   * With a dispatcher that has just ended by itself, nothing is due, and no claim has outlived its lease. Claims of one that was killed may be all
   * that their endpoint can have at once: what else is due for it waits until their lease ends.
   */
  async #checkNothingIsStuck(): Promise<void> {
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
      [leaseMs / 1_000],
    );
    for (const { path, what } of stuck) this.#faults.push(`a delivery to ${path} is ${what} for more than a lease`);
    const waiting = await this.connection.query(
      "select from funding.events where fanned_out_at is null and created_at < funding.wall_clock() - interval '1 minute' limit 1",
    );
    if (waiting.length > 0) this.#faults.push("an event waits for its fan-out for more than a minute");
  }

  #checkArrivals(): void {
    const arrived = new Set(
      this.#receivers.arrivals.filter(({ hasArrived }) => hasArrived).map(({ path, eventId }) => `${path} ${eventId}`),
    );
    for (const [path, events] of this.#expected) {
      for (const id of events)
        if (!arrived.has(`${path} ${id}`)) this.#faults.push(`event ${id} never came to ${path}`);
    }
  }
}
