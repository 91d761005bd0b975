import { createAccount } from "../../database/accounts/accounts.ts";
import { createKey } from "../../database/accounts/keys.ts";
import type { Connection } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { signingKeyOf } from "../../local/auth/signing-key.ts";
import { createRpcBridge } from "../../local/embedded/rpc-bridge.ts";
import { createPeople, type Person } from "../support/people.ts";
import { openTestService } from "../support/service.ts";

/** The outcome of an RPC. */
export interface RpcEnding {
  status: number;
  /** The SQLSTATE, or PostgREST's own code; undefined for a success. */
  code: string | undefined;
  /** The whole answer, as text. */
  text: string;
  milliseconds: number;
}

/** The RPCs as an edge function calls them, as `service_role`, and the database behind them as its owner. */
export interface RpcTarget {
  call(name: string, body: string): Promise<RpcEnding>;
  connection: Connection;
  /** An account with API access and webhooks. */
  key: string;
  person: Person;
  close(): Promise<void>;
}

/** The RPC bridge over a PGlite in this process; or, with SUPABASE_URL set, PostgREST: tests/native/prepare.sh sets it. */
export async function openRpcTarget(): Promise<RpcTarget> {
  const { SUPABASE_URL, SUPABASE_SERVICE_ROLE_KEY = "", DATABASE_URL, AUTH_SIGNING_KEY, AUTH_ISSUER } = process.env;
  if (SUPABASE_URL === undefined) {
    const service = await openTestService();
    const bridge = createRpcBridge(service.lock);
    const { key } = await service.newKey();
    const person = await subscribed(service.connection, await service.people.newPerson());
    return {
      call: rpcCaller(bridge, "http://embedded.invalid", {}),
      connection: service.connection,
      key,
      person,
      close: service.close,
    };
  }
  if (DATABASE_URL === undefined || AUTH_SIGNING_KEY === undefined || AUTH_ISSUER === undefined)
    throw new Error("with SUPABASE_URL, tests/native/prepare.sh must have set the rest");
  const connection = await connectPostgres(DATABASE_URL);
  const people = createPeople(connection, await signingKeyOf(JSON.parse(AUTH_SIGNING_KEY)), AUTH_ISSUER);
  const email = `rpc-${crypto.randomUUID()}@security.example`;
  await createAccount(connection, email, "developer");
  const credentials = { apikey: SUPABASE_SERVICE_ROLE_KEY, authorization: `Bearer ${SUPABASE_SERVICE_ROLE_KEY}` };
  return {
    call: rpcCaller(fetch, SUPABASE_URL, credentials),
    connection,
    key: (await createKey(connection, email, "security")).key,
    person: await subscribed(connection, await people.newPerson()),
    close: () => connection.close(),
  };
}

/** Gives a person an account on the developer tier. */
async function subscribed(connection: Connection, person: Person): Promise<Person> {
  await connection.query("select public.get_account($1, $2)", [person.userId, person.sessionId]);
  await connection.query("select funding.set_tier($1, 'developer')", [person.email]);
  return person;
}

/** Calls RPCs of the PostgREST at `url`. */
export function rpcCaller(send: typeof fetch, url: string, credentials: Record<string, string>): RpcTarget["call"] {
  return async (name, body) => {
    const started = performance.now();
    const response = await send(`${url}/rest/v1/rpc/${name}`, {
      method: "POST",
      headers: { ...credentials, "content-type": "application/json" },
      body,
    });
    const text = await response.text();
    const failure = response.ok ? undefined : (JSON.parse(text) as { code: string });
    return { status: response.status, code: failure?.code, text, milliseconds: performance.now() - started };
  };
}
