import { createClient } from "@supabase/supabase-js";
import type { RpcClient, RpcOutcome, Rpcs } from "./rpc.ts";

/** Longest wait for the database. Longer than the statement timeout that PostgREST takes from the RPCs. */
const requestTimeoutMs = 8_000;

export interface DatabaseOptions {
  /** The Supabase project's address, without `/rest/v1`. */
  url: string;
  /** A key of the service role. It never leaves the server. */
  serviceKey: string;
  /** Replaces the network, as the embedded stack does. */
  fetch?: typeof fetch;
}

/** Creates a supabase-js client of the service role, without sessions and subscriptions. */
export function createSupabaseClient(options: DatabaseOptions) {
  return createClient(options.url, options.serviceKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    // Node 20 has no WebSocket, and supabase-js asks for one even where nothing subscribes.
    realtime: { transport: NoTransport as unknown as typeof WebSocket },
    ...(options.fetch === undefined ? {} : { global: { fetch: options.fetch } }),
  });
}

/** Creates the client of the database's functions, over supabase-js. */
export function createRpcClient(options: DatabaseOptions): RpcClient {
  const supabase = createSupabaseClient(options);
  return {
    async call<Name extends keyof Rpcs>(name: Name, parameters: Rpcs[Name]["arguments"]) {
      const { data, error } = await supabase.rpc(name, parameters).abortSignal(AbortSignal.timeout(requestTimeoutMs));
      if (error !== null) {
        const { code, message, details, hint } = error;
        return { ok: false, failure: { code: code ?? "", message, details: details ?? null, hint: hint || null } };
      }
      return { ok: true, value: data } as RpcOutcome<Rpcs[Name]["result"]>;
    },
  };
}

class NoTransport {}
