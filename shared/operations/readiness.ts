import { latestMigration } from "../database/migration.generated.ts";
import type { RpcClient, RpcFailure } from "../database/rpc.ts";

/** Longest wait for the database: a load balancer's probe does not wait for long. */
const patienceMs = 2_000;
/** How long an answer is good for, so that asking often costs the database nothing. */
const freshMs = 1_000;

/** The last answer to whether the database can serve, for a second. One lives as long as its process or isolate. */
export class ReadinessCache {
  readonly #joinsCalls: boolean;
  #last: { askedAt: number; faults: string[] } | undefined;
  #underWay: Promise<string[]> | undefined;

  /**
   * @param options.joinsCalls whether a request may wait for the call that another began; by default it may. On Workers
   *   it may not: that call ends with its own request.
   */
  constructor({ joinsCalls = true }: { joinsCalls?: boolean } = {}) {
    this.#joinsCalls = joinsCalls;
  }

  /** What stands in the way of serving, in words for the operator; nothing when all is ready. Never throws. */
  faultsOf(database: RpcClient): Promise<string[]> {
    if (this.#last !== undefined && performance.now() - this.#last.askedAt < freshMs) {
      return Promise.resolve(this.#last.faults);
    }
    if (this.#joinsCalls && this.#underWay !== undefined) return this.#underWay;
    const askedAt = performance.now();
    const call = ask(database).then((faults) => {
      this.#last = { askedAt, faults };
      if (this.#underWay === call) this.#underWay = undefined;
      return faults;
    });
    this.#underWay = call;
    return call;
  }
}

async function ask(database: RpcClient): Promise<string[]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  const outcome = await Promise.race([database.call("get_readiness", {}), late]);
  clearTimeout(timer);
  if (outcome === undefined) return [`the database did not answer within ${patienceMs / 1_000} s`];
  if (!outcome.ok) return [faultOf(outcome.failure)];
  const { migration, has_records, is_fitted } = outcome.value;
  if (migration !== null && migration < latestMigration) {
    return [
      `the database has the migrations up to ${migration}, and this version needs those up to ${latestMigration}`,
    ];
  }
  if (!has_records) return ["the database has no records"];
  return is_fitted ? [] : ["the lexicon is not fitted: npm run lexicon"];
}

function faultOf({ code }: RpcFailure): string {
  switch (code) {
    case "":
    case "20":
      return "the database was not reached";
    // PostgREST knows no such function.
    case "PGRST202":
      return `the database lacks migrations: this version needs those up to ${latestMigration}`;
    default:
      return `the database answered ${code}`;
  }
}
