import { vi } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { dispatch } from "../../functions/dispatch/dispatcher.ts";
import type { OutgoingRequest } from "../../functions/dispatch/transport.ts";
import type { RpcClient, Rpcs } from "../../shared/database/rpc.ts";
import { silentLog } from "../../shared/log/log.ts";
import type { SecretBox } from "../../shared/webhooks/secret-box.ts";
import type { Chance } from "./chance.ts";
import { rpcsOf } from "./database.ts";
import type { Invariants } from "./invariants.ts";
import type { Receivers } from "./receivers.ts";

/** A dispatcher of the simulation. */
interface Process {
  /** It is done when it found nothing more to do; it is stopped when its time was over before. */
  state: "running" | "done" | "stopped" | "killed";
  startedAt: number;
  endedAt?: number;
  /** Deliveries that it has claimed and not begun to send: they are signed outside of this thread. */
  signing: number;
}

/** How often a scheduler starts a dispatcher, and how long one begins attempts. */
const startEveryMs = 10_000;
const budgetMs = 20_000;
/** Share of calls at which the process that makes them ends. */
const crashShare = 0.004;
/** Times that dispatchers are started before what is due should have been sent, though most are killed. */
const maximumTurns = 100;

/** Dispatchers, as a scheduler starts them. They are killed at any call. */
export class Dispatchers {
  crashes = 0;
  /** Whether none is killed any more. */
  isCalm = false;
  #processes: Process[] = [];
  /** Those of the last turn. */
  #turn: Process[] = [];
  /** Calls of the database under way. */
  #underWay = 0;
  #lastCall: Promise<void> = Promise.resolve();
  readonly #rpcs: RpcClient;

  constructor(
    connection: Connection,
    private readonly chance: Chance,
    private readonly receivers: Receivers,
    private readonly secrets: SecretBox,
    private readonly invariants: Invariants,
  ) {
    this.#rpcs = rpcsOf(connection);
  }

  /** Starts dispatchers until all that were started together have found nothing more to do. */
  async run(atOnce: number): Promise<void> {
    for (let turn = 0; turn < maximumTurns; turn++) {
      this.#turn = Array.from({ length: atOnce }, () => this.#start());
      const started = Date.now();
      while (this.#turn.some(({ state }) => state === "running")) {
        await this.#settle();
        if (this.#turn.every(({ state }) => state !== "running")) break;
        await vi.advanceTimersToNextTimerAsync();
        if (Date.now() - started > 5 * 60_000) {
          this.invariants.faults.push("a dispatcher did not end");
          return;
        }
      }
      // All of them. One that finds nothing leaves while another holds all the claims that an endpoint may have: one, of an endpoint that is
      // failing. When that one reports its success and is killed right then, or its time is over, the rest is due and nobody's. The next ones
      // that the scheduler starts send it.
      if (this.#turn.every(({ state }) => state === "done")) return;
      const left = startEveryMs - (Date.now() - started);
      if (left > 0) await vi.advanceTimersByTimeAsync(left);
    }
    this.invariants.faults.push(`dispatchers were not done after ${maximumTurns} turns`);
  }

  /** Tells how the last ones ended. */
  describe(): string {
    const each = this.#turn.map(
      ({ state, startedAt, endedAt = Date.now() }) => `${state} after ${endedAt - startedAt} ms`,
    );
    return `the last dispatchers: ${each.join(", ")}`;
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

  #start(): Process {
    const process: Process = { state: "running", startedAt: Date.now(), signing: 0 };
    this.#processes.push(process);
    const end = (state: Process["state"]) => {
      process.state = state;
      process.endedAt = Date.now();
    };
    const never = new Promise<never>(() => undefined);
    /** Kills the process before or after what it does, or at neither. */
    const perilous = async <Result>(work: () => Promise<Result>, chance = this.chance): Promise<Result> => {
      if (process.state !== "running") return never;
      const isKilled = !this.isCalm && chance.happens(crashShare);
      const isAfter = chance.happens(0.5);
      if (isKilled) {
        this.crashes += 1;
        end("killed");
        if (!isAfter) return never;
      }
      const result = await work();
      return process.state === "running" ? result : never;
    };
    const database: RpcClient = {
      call: (name, parameters) => perilous(() => this.#call(process, name, parameters)),
    };
    const webhooks = {
      secrets: this.secrets,
      transport: {
        send: (request: OutgoingRequest) => {
          process.signing -= 1;
          if (process.state !== "running") return never;
          const attempt = this.receivers.begin(request);
          return perilous(() => this.receivers.send(request, attempt), attempt.chance);
        },
      },
      dispatchSecret: undefined,
      concurrency: 8,
      allowLoopback: true,
    };
    dispatch({ database, webhooks, log: silentLog, budgetMs }).then(
      () => {
        if (process.state === "running") end(Date.now() - process.startedAt < budgetMs ? "done" : "stopped");
      },
      (error) => {
        this.invariants.faults.push(`a dispatcher failed: ${String(error)}`);
        end("killed");
      },
    );
    return process;
  }

  async #call<Name extends keyof Rpcs>(process: Process, name: Name, parameters: Rpcs[Name]["arguments"]) {
    this.#underWay += 1;
    // One call at a time, so that none comes between a claim and the look at its fairness: a result that is written then, or events.
    const before = this.#lastCall;
    let release = () => {};
    this.#lastCall = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    try {
      const outcome = await this.#rpcs.call(name, parameters);
      if (!outcome.ok) {
        this.invariants.faults.push(`${name}: ${outcome.failure.code} ${outcome.failure.message}`);
        return outcome;
      }
      if (name === "claim_deliveries") {
        const { deliveries } = outcome.value as Rpcs["claim_deliveries"]["result"];
        process.signing += deliveries.length;
        await this.invariants.checkFairness(deliveries);
      }
      this.invariants.note(name, parameters, outcome.value);
      return outcome;
    } finally {
      this.#underWay -= 1;
      release();
    }
  }
}
