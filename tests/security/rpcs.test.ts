import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isMappedFailure } from "../../shared/endpoint/database-failures.ts";
import { share } from "../support/properties.ts";
import { everyRpc, type Rpc, replacedEverywhere, rightArguments } from "./arguments.ts";
import { injections, otherTypes } from "./payloads.ts";
import { openRpcTarget, type RpcEnding, type RpcTarget } from "./target.ts";

/** Canary that no answer may contain and no call may change. */
const secret = `canary-${crypto.randomUUID()}`;
/** A sleep that was executed takes five seconds. */
const mostMs = 4_500;

let target: RpcTarget;
let rpcs: Rpc[];
let argumentsOf: (rpc: Rpc) => Record<string, unknown>;
let before: unknown;

beforeAll(async () => {
  target = await openRpcTarget();
  await target.connection.query("drop schema if exists canary cascade");
  await target.connection.query("create schema canary");
  await target.connection.query("create table canary.birds as select $1::text as secret", [secret]);
  // Somebody else's, in the tables that the RPCs read.
  await target.connection.query("insert into funding.accounts (email) values ($1)", [`${secret}@canary.example`]);
  rpcs = await everyRpc(target);
  argumentsOf = await rightArguments(target);
  before = await traces();
});
afterAll(() => target.close());

/** The records and the catalogue, in which an injection would have left a trace. */
async function traces() {
  return target.connection.query(
    `select (select string_agg(secret, ',') from canary.birds) as canary,
            (select md5(string_agg(id::text || content_hash, ',' order by id)) from funding.grants) as grants,
            (select md5(string_agg(id::text || content_hash, ',' order by id)) from funding.contracts) as contracts,
            (select md5(string_agg(id::text || content_hash, ',' order by id)) from funding.funders) as funders,
            (select md5(string_agg(name || value::text, ',' order by name)) from funding.settings) as settings,
            (select md5(string_agg(name || daily_quota, ',' order by name)) from funding.tiers) as tiers,
            (select count(*) from funding.accounts) as accounts,
            (select md5(string_agg(oid::text || relname || relkind::text, ',' order by oid)) from pg_class
             where relnamespace in ('funding'::regnamespace, 'public'::regnamespace, 'canary'::regnamespace)) as relations,
            (select md5(string_agg(oid::text || proname || prosrc || coalesce(proacl::text, ''), ',' order by oid)) from pg_proc
             where pronamespace in ('funding'::regnamespace, 'public'::regnamespace)) as functions,
            (select md5(string_agg(rolname || rolsuper::text, ',' order by rolname)) from pg_roles) as roles`,
  );
}

/** The fault in how a call ended, or undefined. */
function faultOf({ code, status, text, milliseconds }: RpcEnding): string | undefined {
  if (text.includes(secret)) return "the answer has what no caller may read";
  if (milliseconds > mostMs) return `it took ${Math.round(milliseconds)} ms`;
  const unmapped = [code, ...failuresWithin(text)].find((each) => each !== undefined && !isMappedFailure(each));
  return unmapped === undefined ? undefined : `${status} ${unmapped}: ${text.slice(0, 300)}`;
}

/** The codes of the failures in an answer to many requests. */
function failuresWithin(text: string): string[] {
  return [...text.matchAll(/"failure" : \{"code" : "(\w+)"/g)].map(([, code = ""]) => code);
}

/** Calls with each value in each place of the arguments. @returns every fault, with what was called. */
async function faultsOf(rpc: Rpc, values: readonly unknown[]): Promise<string[]> {
  const faults: string[] = [];
  for (const value of share(values, rpcs.indexOf(rpc))) {
    for (const given of replacedEverywhere(argumentsOf(rpc), value)) {
      if (given === value) continue;
      const body = JSON.stringify(given);
      const fault = faultOf(await target.call(rpc.name, body));
      if (fault !== undefined) faults.push(`${rpc.name} ${body.slice(0, 600)}: ${fault}`);
    }
  }
  return faults;
}

describe("every RPC in public", () => {
  test("is found in the catalogue, and answers arguments that are right", async () => {
    expect(rpcs.length).toBeGreaterThan(30);
    for (const rpc of rpcs.filter(({ name }) => !/delete|revoke|rotate/.test(name))) {
      const { status, code, text } = await target.call(rpc.name, JSON.stringify(argumentsOf(rpc)));
      // A missing record or a reached limit is no mistake in the arguments.
      expect(status < 300 || /^PT40[49]$/.test(code ?? ""), `${rpc.name}: ${text}`).toBe(true);
    }
  });

  test("executes nothing of what it is given, and reads nothing else", async () => {
    const faults: string[] = [];
    for (const rpc of rpcs) faults.push(...(await faultsOf(rpc, injections)));
    expect(faults).toEqual([]);
    expect(await traces()).toEqual(before);
  });

  test("refuses values of another type with an error that the edge knows", async () => {
    const faults: string[] = [];
    for (const rpc of rpcs) faults.push(...(await faultsOf(rpc, otherTypes)));
    expect(faults).toEqual([]);
    expect(await traces()).toEqual(before);
  });
});
