import type { Connection } from "../../database/connection.ts";
import type { Caller } from "./callers.ts";
import { comparable, type Shot } from "./mix.ts";

/** One answer, as the client had it. */
export interface Taken {
  kind: string;
  /** 0 where the connection broke or nothing came. */
  status: number;
  ms: number;
  /** When it was asked for, on the clock of `performance.now`. */
  at: number;
}

/** Record of the callers' answers: compared with the right ones, and afterwards with the counts of the service. */
export class Ledger {
  /** Errors, the first of each kind. */
  readonly faults = new Map<string, number>();
  readonly taken: Taken[] = [];
  readonly #counts = new Map<string, { caller: Caller; status: number; requests: number }>();
  readonly #remaining = new Map<Caller, Set<string>>();

  /**
   * Sends a request and judges its answer.
   *
   * @param mayFail statuses that are right as well: 503 under load.
   */
  async send(baseUrl: string, shot: Shot, mayFail: readonly number[] = [503]): Promise<Taken> {
    const at = performance.now();
    let status = 0;
    try {
      const response = await fetch(baseUrl + shot.path, { ...shot.init, signal: AbortSignal.timeout(30_000) });
      const body = await response.text();
      status = response.status;
      this.#judge(shot, response, body, mayFail);
      this.#count(shot.caller, response);
    } catch (error) {
      if (!mayFail.includes(0)) this.#fault(`${shot.kind}: no answer: ${String(error)}`);
    }
    const taken = { kind: shot.kind, status, ms: performance.now() - at, at };
    this.taken.push(taken);
    return taken;
  }

  /** Compares what was received with what the database has counted since `before`, by key and status. */
  async holdAgainstUsage(connection: Connection, callers: readonly Caller[], before: Usage): Promise<void> {
    const expected = new Map<string, number>();
    for (const { caller, status, requests } of this.#counts.values()) {
      expected.set(`${caller.keyId} ${status}`, requests);
    }
    let counted = difference(await readUsage(connection, callers), before);
    // Counts still in memory are written within moments.
    for (let attempt = 0; attempt < 40 && !isSame(expected, counted); attempt++) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      counted = difference(await readUsage(connection, callers), before);
    }
    const names = new Map(callers.map(({ keyId, name }) => [keyId, name]));
    for (const key of new Set([...expected.keys(), ...counted.keys()])) {
      const [received, written] = [expected.get(key) ?? 0, counted.get(key) ?? 0];
      const [keyId = "", status] = key.split(" ");
      if (received !== written)
        this.#fault(`usage of ${names.get(keyId)}, ${status}: ${received} answers, ${written} counted`);
    }
  }

  /** Every place of a quota was given once, and none was kept back while somebody was refused. */
  holdAgainstQuota(caller: Caller): { served: number; refused: number } {
    const of = (status: number) => this.#counts.get(`${caller.keyId} ${status}`)?.requests ?? 0;
    const [served, refused] = [of(200), of(429)];
    const quota = caller.quota ?? 0;
    if (served > quota) this.#fault(`a quota of ${quota} was exceeded: ${served} were served`);
    if (refused > 0 && served < quota) this.#fault(`a quota of ${quota} was used up after ${served}`);
    const places = this.#remaining.get(caller)?.size ?? 0;
    if (places !== served) this.#fault(`${served} requests within a quota were told ${places} different remainders`);
    return { served, refused };
  }

  #judge(shot: Shot, response: Response, body: string, mayFail: readonly number[]): void {
    const { status, headers } = response;
    if (headers.get("x-request-id") === null && !mayFail.includes(0)) this.#fault(`${shot.kind}: no X-Request-Id`);
    if (status === shot.status || (status === 429 && shot.caller?.quota !== undefined)) {
      if (status === shot.status && shot.body !== undefined && comparable(body) !== shot.body) {
        this.#fault(`${shot.kind}: another answer than the right one at ${shot.path}`);
      }
      if (status >= 400) this.#judgeProblem(shot, response, body);
      return;
    }
    if (!mayFail.includes(status)) {
      this.#fault(`${shot.kind}: ${status} in place of ${shot.status}`);
      return;
    }
    this.#judgeProblem(shot, response, body);
    if (status === 503 && !/^[1-9]\d*$/.test(headers.get("retry-after") ?? "")) {
      this.#fault(`${shot.kind}: 503 without Retry-After`);
    }
  }

  #judgeProblem({ kind }: Shot, { status, headers }: Response, body: string): void {
    if (headers.get("content-type") !== "application/problem+json") {
      this.#fault(`${kind}: ${status} is no problem`);
      return;
    }
    const problem = JSON.parse(body) as { status?: number; type?: string };
    if (problem.status !== status || problem.type?.startsWith("urn:funding-opportunities:problem:") !== true) {
      this.#fault(`${kind}: the problem of a ${status} is not well formed`);
    }
  }

  #count(caller: Caller | undefined, { status, headers }: Response): void {
    if (caller === undefined) return;
    const key = `${caller.keyId} ${status}`;
    const counted = this.#counts.get(key);
    if (counted !== undefined) counted.requests += 1;
    else this.#counts.set(key, { caller, status, requests: 1 });
    if (caller.quota === undefined || status !== 200) return;
    const remaining = this.#remaining.get(caller) ?? new Set();
    this.#remaining.set(caller, remaining.add(headers.get("x-ratelimit-remaining") ?? ""));
  }

  #fault(text: string): void {
    this.faults.set(text, (this.faults.get(text) ?? 0) + 1);
  }
}

/** Requests by key id and status. */
export type Usage = ReadonlyMap<string, number>;

async function readUsage(connection: Connection, callers: readonly Caller[]): Promise<Usage> {
  const rows = await connection.query<{ key: string; requests: number }>(
    `select api_key_id || ' ' || status as key, sum(requests)::integer as requests
     from funding.usage where api_key_id = any($1::uuid[]) group by 1`,
    [callers.map(({ keyId }) => keyId)],
  );
  return new Map(rows.map(({ key, requests }) => [key, requests]));
}

/** The usage when nothing is on its way to be counted any more. */
export async function settledUsage(connection: Connection, callers: readonly Caller[]): Promise<Usage> {
  let usage = await readUsage(connection, callers);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 700));
    const next = await readUsage(connection, callers);
    if (JSON.stringify([...next]) === JSON.stringify([...usage])) return next;
    usage = next;
  }
}

function difference(after: Usage, before: Usage): Map<string, number> {
  return new Map(
    [...after]
      .map(([key, requests]) => [key, requests - (before.get(key) ?? 0)] as const)
      .filter(([, left]) => left > 0),
  );
}

function isSame(one: Usage, other: Usage): boolean {
  return one.size === other.size && [...one].every(([key, requests]) => other.get(key) === requests);
}
