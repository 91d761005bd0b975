import type { Log } from "../log/log.ts";
import { LruCache } from "../lru-cache.ts";
import { type Admitted, type RpcClient, type RpcFailure, type RpcOutcome, type Rpcs, timeoutCode } from "./rpc.ts";

/** RPCs that replicas answer: those of `public.read_data`. */
const reads = [
  "list_grants",
  "list_contracts",
  "list_funders",
  "get_grant",
  "get_contract",
  "get_funder",
  "get_organization",
  "get_changes",
  "list_awards",
  "get_document",
  "list_addresses",
  "get_funder_statistics",
  "semantic_search",
] as const satisfies readonly (keyof Rpcs)[];
export type Read = (typeof reads)[number];

type Answer = Admitted<unknown>;
type Outcome = RpcOutcome<Answer>;
type Counting = Promise<RpcOutcome<Admitted<null>>>;

/** Caller of a request. */
interface Caller {
  keyHash: string;
  clientAddress: string | undefined;
}

/** Calls an RPC that reads, in a read-only transaction, by `public.read_data`: it counts nothing. Never throws. */
export interface ReadClient {
  read(name: Read, parameters: Rpcs[Read]["arguments"], clientAddress?: string): Promise<Outcome>;
}

/** Limit of remembered keys of accounts with a quota, each with the outcome of its last count. */
const rememberedKeys = 10_000;
/** Pause after a failure of a replica, in milliseconds: doubled with each that follows, up to the longest. */
const shortestPauseMs = 1_000;
const longestPauseMs = 30_000;
/** Timeouts in a row, without an answer between, after which a replica is paused. One alone may be a slow request. */
const timeoutsBeforePause = 3;
/** Longest time that a trial of a replica keeps other requests away from it, in milliseconds. */
const trialMs = 5_000;

/**
 * RPC client that asks replicas, in turns, for the RPCs that they can answer, and the primary for everything else.
 *
 * A replica writes nothing, so it counts nothing. An account without a quota is admitted by the replica that answers. A request of one with a quota
 * is counted on the primary, at the same time once the key is known to have one, and the answer is withheld if the count refuses it.
 *
 * The primary is asked in place of a replica that does not answer, that is further behind than the setting `replica_lag_seconds`, or that refuses
 * the caller or does not find the record: both may be newer than what the replica has. If the primary cannot be reached, the answer of a replica
 * that is behind stands, and so does that of one that does not find the record.
 *
 * @param log gets a line when a replica is passed over that was asked before.
 * @param now the clock, in milliseconds.
 */
export function createReplicatedClient(
  primary: RpcClient & ReadClient,
  replicas: readonly ReadClient[],
  log: Log,
  now: () => number = () => performance.now(),
): RpcClient {
  const pool = replicas.map((client, index) => new Replica(client, index + 1, log, now));
  let turn = Math.floor(Math.random() * pool.length);
  const keysWithQuota = new LruCache<"counted" | "refused">(rememberedKeys);

  function nextReplica(): Replica | undefined {
    for (let step = 0; step < pool.length; step++) {
      turn = (turn + 1) % pool.length;
      const replica = pool[turn];
      if (replica?.isUsable()) return replica;
    }
    return undefined;
  }

  async function read(
    name: Read,
    parameters: Rpcs[Read]["arguments"],
    clientAddress?: string,
  ): Promise<RpcOutcome<unknown>> {
    const caller = { keyHash: parameters.key_hash, clientAddress };
    const replica = nextReplica();
    if (replica === undefined) {
      const asked = await primary.call(name, parameters, clientAddress);
      // Without a primary, a replica that is behind is better than no answer.
      const behind = asked.ok || !isUnreachable(asked.failure) ? undefined : pool.find((one) => one.isBehind);
      if (behind === undefined) return asked;
      const outcome = await behind.read(name, parameters, clientAddress);
      return outcome.ok ? withPrimaryCount(caller, outcome, undefined) : asked;
    }
    const known = isSecondCall(parameters) ? undefined : keysWithQuota.get(caller.keyHash);
    const counting = known === undefined ? undefined : count(caller);
    if (known === "refused") {
      // The account's quota was used up: wait for the count, so that nothing is read in vain.
      const first = await counting;
      if (first?.ok === false) return first;
    }
    const outcome = await replica.read(name, parameters, clientAddress);
    if (!mustAskPrimary(outcome)) return withPrimaryCount(caller, outcome, counting);

    // A request that is already being counted is only read on the primary: a read counts nothing.
    const asked = await (counting === undefined
      ? primary.call(name, parameters, clientAddress)
      : primary.read(name, parameters, clientAddress));
    if (!asked.ok && isUnreachable(asked.failure) && (outcome.ok || isNotFound(outcome)))
      return withPrimaryCount(caller, outcome, counting);
    return withPrimaryCount(caller, asked as Outcome, counting);
  }

  /** Counts a request on the primary. */
  async function count({ keyHash, clientAddress }: Caller): Counting {
    const counted = await primary.call("admit_request", { key_hash: keyHash }, clientAddress);
    if (!counted.ok) {
      if (counted.failure.code === "PT429") keysWithQuota.set(keyHash, "refused");
    } else if (counted.value.admission.daily_quota >= 0) keysWithQuota.set(keyHash, "counted");
    else keysWithQuota.delete(keyHash);
    return counted;
  }

  /** Adds the primary's count to an answer that is not counted, or takes the count of a failure back. */
  async function withPrimaryCount(caller: Caller, outcome: Outcome, counting: Counting | undefined): Promise<Outcome> {
    if (!outcome.ok) {
      const counted = await counting;
      if (counted?.ok) {
        // From the day that it was counted on: midnight UTC may have passed since.
        const { counted_on } = counted.value.admission;
        const withdrawn = { key_hash: caller.keyHash, ...(counted_on && { counted_on }) };
        await primary.call("withdraw_request", withdrawn, caller.clientAddress);
      }
      return counted?.ok === false ? counted : outcome;
    }
    const { admission, body } = outcome.value;
    // `remaining` is null where a replica would have had to count.
    if (counting === undefined && admission.remaining !== null) return outcome;
    const counted = await (counting ?? count(caller));
    if (!counted.ok) return counted;
    const { daily_quota, remaining, counted_on } = counted.value.admission;
    // The day that the count is taken back from if a second call follows and fails.
    const counting_day = "counted_on" in admission && { counted_on: counted_on ?? null };
    return { ok: true, value: { admission: { ...admission, daily_quota, remaining, ...counting_day }, body } };
  }

  return {
    call: ((name: keyof Rpcs, parameters: never, clientAddress?: string, accountId?: string) =>
      isRead(name)
        ? read(name, parameters, clientAddress)
        : primary.call(name, parameters, clientAddress, accountId)) as RpcClient["call"],
  };
}

/**
 * A replica, with its circuit breaker: after a failure, or after some timeouts in a row, it is left alone for a while (backoff), and then tried by
 * one request alone.
 */
class Replica {
  #failures = 0;
  #timeoutsInRow = 0;
  #pausedUntil = 0;
  /** Time until which a trial keeps other requests away. The trial may never end: on Workers a request can be given up. */
  #triedUntil = 0;
  /** Whether its last answer said that it is behind. */
  isBehind = false;

  constructor(
    private readonly client: ReadClient,
    private readonly index: number,
    private readonly log: Log,
    private readonly now: () => number,
  ) {}

  isUsable(): boolean {
    return this.now() >= Math.max(this.#pausedUntil, this.#triedUntil);
  }

  async read(name: Read, parameters: Rpcs[Read]["arguments"], clientAddress?: string): Promise<Outcome> {
    const isTrial = this.#failures > 0;
    if (isTrial) this.#triedUntil = this.now() + trialMs;
    const outcome = await this.client.read(name, parameters, clientAddress);
    if (isTrial) this.#triedUntil = 0;
    const isTimeout = !outcome.ok && outcome.failure.code === timeoutCode;
    this.#timeoutsInRow = isTimeout ? this.#timeoutsInRow + 1 : 0;
    // A trial that times out is enough: the replica has failed before.
    if (isTimeout && !isTrial && this.#timeoutsInRow < timeoutsBeforePause) return outcome;
    if (outcome.ok) this.isBehind = outcome.value.admission.is_behind === true;
    else if (isUnreachable(outcome.failure)) this.isBehind = false;
    if (outcome.ok && this.isBehind) this.#pause("behind");
    else if (isTimeout) this.#pause("timeout");
    else if (!outcome.ok && isUnreachable(outcome.failure)) this.#pause(outcome.failure.code || "no answer");
    // A refusal of a key does not say how far behind it is.
    else if (!this.isBehind) this.#failures = 0;
    return outcome;
  }

  #pause(reason: string): void {
    // Of requests that failed at the same time, the first pauses the replica.
    if (this.now() < this.#pausedUntil) return;
    if (this.#failures === 0) this.log.write("warning", { function: "replicas", replica: this.index, error: reason });
    this.#pausedUntil = this.now() + Math.min(longestPauseMs, shortestPauseMs * 2 ** this.#failures);
    this.#failures += 1;
  }
}

function isRead(name: keyof Rpcs): name is Read {
  return (reads as readonly string[]).includes(name);
}

/** Whether the call belongs to a request that an earlier one counted. */
function isSecondCall(parameters: Rpcs[Read]["arguments"]): boolean {
  const { query_vector } = parameters as { query_vector?: { is_second_call?: boolean } | null };
  return query_vector?.is_second_call === true;
}

/** Whether the primary has to be asked: unless the answer is recent enough, or a refusal of the request itself. */
function mustAskPrimary(outcome: Outcome): boolean {
  if (isNotFound(outcome)) return true;
  if (outcome.ok) return outcome.value.admission.is_behind === true;
  return !/^(PT(400|503)|57014|2[23][0-9A-Z]{3})$/.test(outcome.failure.code);
}

/** Whether no record has the requested id, or the id that results are to be similar to. */
function isNotFound(outcome: Outcome): boolean {
  if (outcome.ok) return outcome.value.body === null;
  const { code, hint } = outcome.failure;
  return code === "PT404" || (code === "PT400" && hint === "similar_to");
}

/** Whether no server could answer: none was reached, or one that starts, ends or has no connection to spare. */
function isUnreachable({ code }: RpcFailure): boolean {
  return code === "" || code === timeoutCode || /^(PGRST00[0-3]|08|53|57P|58)/.test(code);
}
