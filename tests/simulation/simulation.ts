import { vi } from "vitest";
import { createAccount } from "../../database/accounts/accounts.ts";
import { type Connection, queryOne } from "../../database/connection.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { tablesToVacuum, vacuum } from "../../database/vacuum.ts";
import { createSecretBox, generateSecret, generateSecretsKey } from "../../shared/webhooks/secret-box.ts";
import { openEmptyDatabase } from "../support/service.ts";
import { grant } from "../webhooks/webhook-service.ts";
import { Chance } from "./chance.ts";
import { setClock, simulate } from "./database.ts";
import { Dispatchers } from "./dispatchers.ts";
import { type Endpoint, Invariants } from "./invariants.ts";
import { type Behaviour, behaviours, Receivers } from "./receivers.ts";

export interface SimulationOptions {
  seed: number;
  /** Days that pass, before all receivers are well again and the rest is sent. */
  days: number;
  /** Changes the database before it is used: a planted bug. */
  plant?(connection: Connection): Promise<void>;
}

/** Result of a run. */
export interface SimulationResult {
  /** Broken promises, in words, and how things stood then; none is expected. */
  faults: string[];
  attempts: number;
  crashes: number;
  deliveries: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const longestPause = 20 * day;
/** Of a run that is longer, each such part is reported, and followed by a vacuum. */
const reportedPart = 10 * day;

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
  readonly #invariants: Invariants;
  readonly #dispatchers: Dispatchers;
  readonly #receivers: Receivers;
  readonly #secrets = createSecretBox(generateSecretsKey());
  #loads = 0;
  #accountId = "";
  #records = 0;

  constructor(
    private readonly connection: Connection,
    private readonly chance: Chance,
    private readonly seed: number,
  ) {
    this.#receivers = new Receivers(seed);
    this.#invariants = new Invariants(connection);
    this.#dispatchers = new Dispatchers(connection, chance, this.#receivers, this.#secrets, this.#invariants);
  }

  result(): SimulationResult {
    return {
      faults: this.#invariants.faults,
      attempts: this.#receivers.arrivals.length,
      crashes: this.#dispatchers.crashes,
      deliveries: new Set(this.#receivers.arrivals.map(({ path, eventId }) => `${path} ${eventId}`)).size,
    };
  }

  async run(days: number): Promise<void> {
    await createAccount(this.connection, "owner@example.org", "developer");
    const { id } = await queryOne<{ id: string }>(this.connection, "select id from funding.accounts");
    this.#accountId = id;
    await this.connection.execute(`
      -- Nearly all gaps are longer than a scheduler's, and are time that passed for the dispatcher.
      update funding.settings set value = '86400' where name = 'webhook_clock_step_seconds';
      -- A dispatcher that waits for an answer looks for work twenty times a second.
      update funding.settings set value = '1' where name = 'webhook_timeout_seconds'`);
    for (const isSteady of [true, true, true, false, false, false]) await this.#addEndpoint(isSteady);
    const begins = Date.now();
    const ends = begins + days * day;
    let nextChange = Date.now();
    let nextReport = begins + reportedPart;
    while (Date.now() < ends && this.#invariants.faults.length === 0) {
      const nextWork = await this.#nextWork();
      const next = Math.min(ends, nextChange, nextWork ?? Number.POSITIVE_INFINITY);
      if (next > Date.now()) await vi.advanceTimersByTimeAsync(next - Date.now());
      await setClock(this.connection);
      if (next >= nextChange) {
        await this.#endLongPauses();
        await this.#change();
        nextChange = Date.now() + this.chance.pick([2_000, minute, 10 * minute, 3 * hour, 8 * hour]);
      }
      await this.#dispatchers.run(this.chance.pick([1, 1, 2]));
      await this.#invariants.checkNothingIsStuck();
      if (Date.now() >= nextReport) {
        nextReport += reportedPart;
        // As a server does. Otherwise a day in the tenth month takes many times as long as one in the first.
        await vacuum(this.connection, await tablesToVacuum(this.connection));
        console.log(
          `seed ${this.seed}, day ${Math.floor((Date.now() - begins) / day)} of ${days}: ${this.#receivers.arrivals.length} attempts, ${this.#dispatchers.crashes} crashes`,
        );
      }
    }
    if (this.#invariants.faults.length === 0) await this.#end();
    if (this.#invariants.faults.length > 0) {
      this.#invariants.faults.push(
        `on day ${((Date.now() - begins) / day).toFixed(2)} with seed ${this.seed} (${new Date().toISOString()}); ${this.#dispatchers.describe()}`,
        ...(await this.#invariants.describe(this.#receivers)),
      );
    }
  }

  /** All receivers are well, and dispatchers live, until nothing is left to send. */
  async #end(): Promise<void> {
    this.#dispatchers.isCalm = true;
    for (const { path } of this.#invariants.endpoints) this.#receivers.behaviour.set(path, "ok");
    for (const endpoint of this.#invariants.endpoints) {
      if (endpoint.pausedAt !== undefined && endpoint.deletedAt === undefined) await this.#update(endpoint, "active");
    }
    const ends = Date.now() + 8 * day;
    for (
      let next = await this.#nextWork();
      next !== undefined && next < ends && this.#invariants.faults.length === 0;
      next = await this.#nextWork()
    ) {
      await vi.advanceTimersByTimeAsync(Math.max(1_000, next - Date.now()));
      await this.#dispatchers.run(1);
    }
    await this.#invariants.checkNothingIsStuck();
    await this.#invariants.checkArrivals(this.#receivers);
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

  /** Starts again what has been paused for long. Events are kept for 30 days, and those of a pause are sent after it. */
  async #endLongPauses(): Promise<void> {
    for (const endpoint of this.#invariants.endpoints) {
      const { pausedAt, deletedAt } = endpoint;
      const isLong = pausedAt !== undefined && pausedAt + longestPause < Date.now();
      if (isLong && deletedAt === undefined) await this.#update(endpoint, "active");
    }
  }

  /** Something that owners, importers or receivers do. */
  async #change(): Promise<void> {
    const endpoint = this.chance.pick(this.#invariants.endpoints.filter(({ deletedAt }) => deletedAt === undefined));
    switch (this.chance.integer(0, 11)) {
      case 0:
        if (endpoint.isSteady) return;
        await this.#call("delete_webhook", endpoint);
        endpoint.deletedAt = Date.now();
        return this.#addEndpoint(false);
      case 1:
        await this.#update(endpoint, endpoint.pausedAt === undefined ? "paused" : "active");
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
    const endpoint: Endpoint = { id, path: `/${this.#invariants.endpoints.length}`, isSteady };
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
    this.#invariants.endpoints.push(endpoint);
    this.#invariants.expected.set(endpoint.path, new Set());
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
    for (const { path, isSteady } of this.#invariants.endpoints) {
      for (const { id } of isSteady ? events : []) this.#invariants.expected.get(path)?.add(id);
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

  async #update(endpoint: Endpoint, state: "active" | "paused"): Promise<void> {
    const known = await queryOne<{ state: string }>(
      this.connection,
      "select state from funding.webhook_endpoints where id = $1",
      [endpoint.id],
    );
    // Only its owner's wish starts a disabled one: see `#restartDisabled`.
    if (known.state === "disabled") return;
    await this.#call("update_webhook", endpoint, JSON.stringify({ state }));
    if (state === "active") delete endpoint.pausedAt;
    else endpoint.pausedAt = Date.now();
  }

  async #restartDisabled(): Promise<void> {
    for (const endpoint of this.#invariants.endpoints) {
      const disabled = await this.connection.query(
        "select from funding.webhook_endpoints where id = $1 and state = 'disabled'",
        [endpoint.id],
      );
      if (disabled.length === 0) continue;
      if (endpoint.isSteady)
        this.#invariants.faults.push(`${endpoint.path} was disabled, though its receiver is well in the end`);
      this.#receivers.behaviour.set(endpoint.path, "ok");
      await this.#call("update_webhook", endpoint, '{"state": "active"}');
      delete endpoint.goneAt;
      delete endpoint.pausedAt;
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
}
