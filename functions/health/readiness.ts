import { describeClockOffset } from "../../shared/database/clock-offset.ts";
import { latestMigration } from "../../shared/database/migration.generated.ts";
import type { Readiness, RpcClient, RpcFailure, SchemaFault } from "../../shared/database/rpc.ts";

/** Longest wait for the database: a load balancer's probe does not wait long. */
const maxWaitMs = 2_000;
/** Age up to which a check is reused, so that frequent probes cost the database nothing. */
const maxAgeMs = 1_000;
/** Age up to which a comparison of the schema is reused. One takes the database some 15 ms. */
const maxSchemaAgeMs = 60_000;
/** Limit of schema faults that are named. */
const maxNamedFaults = 3;

/** Result of a readiness check, in words for the operator. */
export interface ReadinessCheck {
  /** Reasons why requests cannot be served; none when they can. */
  failures: string[];
  /** Faults that requests survive. */
  warnings: string[];
  /** Freshness by dataset; undefined where the database did not tell. */
  dataAsOf?: Readiness["data_as_of"];
}

/** Cache of the last readiness check, for a second. One lives as long as its process or isolate. */
export class ReadinessCache {
  readonly #joinsCalls: boolean;
  #last: { askedAt: number; check: ReadinessCheck } | undefined;
  #underWay: Promise<ReadinessCheck> | undefined;
  /** The last comparison of the schema, and when it was begun. */
  #schemaCheck: ReadinessCheck = { failures: [], warnings: [] };
  #schemaAskedAt = -Infinity;

  /**
   * @param options.joinsCalls whether a request may wait for the call that another began; by default it may. On Workers
   *   it may not: that call ends with its own request.
   */
  constructor({ joinsCalls = true }: { joinsCalls?: boolean } = {}) {
    this.#joinsCalls = joinsCalls;
  }

  /** Checks whether requests can be served. Callers at the same time share one call (singleflight). Never throws. */
  check(database: RpcClient): Promise<ReadinessCheck> {
    if (this.#last !== undefined && performance.now() - this.#last.askedAt < maxAgeMs) {
      return Promise.resolve(this.#last.check);
    }
    if (this.#joinsCalls && this.#underWay !== undefined) return this.#underWay;
    const askedAt = performance.now();
    const call = this.#check(database).then((check) => {
      this.#last = { askedAt, check };
      if (this.#underWay === call) this.#underWay = undefined;
      return check;
    });
    this.#underWay = call;
    return call;
  }

  async #check(database: RpcClient): Promise<ReadinessCheck> {
    const { failures, clock, dataAsOf } = await findFailures(database);
    if (failures.length > 0) return { failures, warnings: [] };
    const schema = await this.#checkSchema(database);
    const warnings = clock === undefined || schema.failures.length > 0 ? schema.warnings : [...schema.warnings, clock];
    return { ...schema, warnings, ...(dataAsOf && { dataAsOf }) };
  }

  async #checkSchema(database: RpcClient): Promise<ReadinessCheck> {
    const now = performance.now();
    if (now - this.#schemaAskedAt < maxSchemaAgeMs) return this.#schemaCheck;
    // Set before the call, so that checks meanwhile take the last result: many at once cost the database one comparison.
    this.#schemaAskedAt = now;
    this.#schemaCheck = await checkSchema(database);
    // As long as faults prevent requests, each check compares the schema again: they may have been mended.
    if (this.#schemaCheck.failures.length > 0) this.#schemaAskedAt = -Infinity;
    return this.#schemaCheck;
  }
}

/** Waits for a call. @returns undefined when it does not answer in time. */
async function inTime<Outcome>(call: Promise<Outcome>): Promise<Outcome | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), maxWaitMs);
  });
  const outcome = await Promise.race([call, late]);
  clearTimeout(timer);
  return outcome;
}

const noAnswer = `the database did not answer within ${maxWaitMs / 1_000} s`;

/** Reasons why requests cannot be served, whatever the schema, whether the clock is wrong, and how fresh the data is. */
async function findFailures(
  database: RpcClient,
): Promise<Pick<ReadinessCheck, "failures" | "dataAsOf"> & { clock?: string | undefined }> {
  const outcome = await inTime(database.call("get_readiness", {}));
  if (outcome === undefined) return { failures: [noAnswer] };
  if (!outcome.ok) return { failures: [describeFailure(outcome.failure)] };
  const { clock_offset_seconds, data_as_of } = outcome.value;
  return {
    failures: failuresIn(outcome.value),
    clock: describeClockOffset(clock_offset_seconds),
    dataAsOf: data_as_of,
  };
}

function failuresIn({ migration, has_records, is_fitted }: Readiness): string[] {
  if (migration !== null && migration < latestMigration) {
    return [
      `the database has the migrations up to ${migration}, and this version needs those up to ${latestMigration}`,
    ];
  }
  if (!has_records) return ["the database has no records"];
  return is_fitted
    ? []
    : ["the lexicon is not fitted, and searches by meaning wait for it: npm run lexicon, unless a fit is under way"];
}

function describeFailure({ code }: RpcFailure): string {
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

/** Compares the schema with what its migrations made. Requests fail where something that they use is missing. */
async function checkSchema(database: RpcClient): Promise<ReadinessCheck> {
  const outcome = await inTime(database.call("get_schema_faults", {}));
  if (outcome === undefined) return { failures: [noAnswer], warnings: [] };
  if (!outcome.ok) return { failures: [describeFailure(outcome.failure)], warnings: [] };
  const faults = outcome.value;
  if (faults.length === 0) return { failures: [], warnings: [] };
  const named = faults
    .slice(0, maxNamedFaults)
    .map(({ kind, name, is_missing }) => `the ${kind} ${name} ${is_missing ? "is missing" : "was changed"}`);
  const others = faults.length > maxNamedFaults ? ", and more" : "";
  const said = `the schema is not what its migrations made (${named.join(", ")}${others}): npm run migrate tells all`;
  return faults.some(isFatal) ? { failures: [said], warnings: [] } : { failures: [], warnings: [said] };
}

function isFatal({ kind, is_missing }: SchemaFault): boolean {
  return is_missing && ["function", "table", "type", "sequence"].includes(kind);
}
