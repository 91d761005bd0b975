import { createClient } from "@supabase/supabase-js";
import type { Log } from "../log/log.ts";
import type { ReadClient } from "./replicas.ts";
import {
  type Admitted,
  accountIdHeader,
  clientAddressHeader,
  type RpcClient,
  type RpcOutcome,
  type Rpcs,
  timeoutCode,
} from "./rpc.ts";

/** Longest wait for the database. Longer than the statement timeout that PostgREST takes from the RPCs. */
const requestTimeoutMs = 8_000;
/** Longest wait for a replica, after which the primary is asked. */
const replicaTimeoutMs = 3_000;
/** Longest arguments in an address, encoded. Proxies take 8,000 bytes of headers by default, of which the service key is up to a thousand. */
const maximumAddress = 4_000;

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

/**
 * Creates the client of the database's functions, over supabase-js.
 *
 * @param variable reads `SUPABASE_READ_URL`: addresses of replicas, or of a balancer that sends each GET to one of them, separated by commas; and
 *   `SUPABASE_READ_METHOD`, `GET` (default) or `POST`, by which they are asked. The key is the project's for all.
 * @throws when one of them is not valid.
 */
export function createDatabaseClient(
  project: DatabaseOptions,
  variable: (name: string) => string | undefined,
  log: Log,
): RpcClient {
  const addresses = variable("SUPABASE_READ_URL");
  if (addresses === undefined) return createRpcClient(project);
  const method = variable("SUPABASE_READ_METHOD") ?? "GET";
  if (method !== "GET" && method !== "POST")
    throw new Error(`SUPABASE_READ_METHOD is ${method}; it must be GET or POST`);
  const replicas = addresses.split(",").map((address) => {
    const url = address.trim().replace(/\/+$/, "");
    if (!URL.canParse(url)) throw new Error(`SUPABASE_READ_URL has ${JSON.stringify(address)}, which is not a URL`);
    return createReadClient({ ...project, url }, method, replicaTimeoutMs);
  });
  const primary = { ...createRpcClient(project), ...createReadClient(project, "POST", requestTimeoutMs) };
  return createLazyClient(async () => {
    const { createReplicatedClient } = await import("./replicas.ts");
    return createReplicatedClient(primary, replicas, log);
  });
}

/** RPC client that is made at the first call, so that the code of replicas is loaded where there are some. */
function createLazyClient(create: () => Promise<RpcClient>): RpcClient {
  let client: RpcClient | undefined;
  return {
    async call(...given) {
      // Two first calls at a time may both make one, of which one stays.
      const made = client ?? (await create());
      client ??= made;
      return client.call(...given);
    },
  };
}

/** Creates the client of the database's functions, without replicas. */
export function createRpcClient(options: DatabaseOptions): RpcClient {
  const supabase = createSupabaseClient(options);
  return {
    async call<Name extends keyof Rpcs>(
      name: Name,
      parameters: Rpcs[Name]["arguments"],
      clientAddress?: string,
      accountId?: string,
    ) {
      const call = supabase.rpc(name, parameters).abortSignal(AbortSignal.timeout(requestTimeoutMs));
      if (accountId !== undefined) call.setHeader(accountIdHeader, accountId);
      return outcomeOf(await withClientAddress(call, clientAddress));
    },
  };
}

/** Creates a client of the RPCs that read. Arguments that are too long for an address go by POST. */
function createReadClient(options: DatabaseOptions, method: "GET" | "POST", timeoutMs: number): ReadClient {
  const supabase = createSupabaseClient(options);
  return {
    async read(name, parameters, clientAddress) {
      const given = JSON.stringify(parameters);
      const get = method === "GET" && encodeURIComponent(given).length <= maximumAddress;
      // supabase-js would repeat a GET for seconds, while the primary can answer.
      const call = supabase.rpc("read_data", { rpc: name, arguments: given }, { get }).retry(false);
      const timeout = AbortSignal.timeout(timeoutMs);
      const limited = withClientAddress(call.abortSignal(timeout), clientAddress);
      const outcome = outcomeOf<Admitted<unknown>>(await limited);
      if (!outcome.ok && outcome.failure.code === "") {
        // supabase-js gives a timeout the code of a connection that failed.
        if (timeout.aborted) outcome.failure.code = timeoutCode;
        // Deno's message about a failed request contains its address, and so the search text.
        outcome.failure.message = "no answer";
      }
      return outcome;
    },
  };
}

function withClientAddress<Call extends { setHeader(name: string, value: string): Call }>(
  call: Call,
  clientAddress: string | undefined,
): Call {
  return clientAddress === undefined ? call : call.setHeader(clientAddressHeader, clientAddress);
}

interface Response {
  data: unknown;
  error: { code?: string; message: string; details?: string | null; hint?: string | null } | null;
}

function outcomeOf<Result>({ data, error }: Response): RpcOutcome<Result> {
  if (error === null) return { ok: true, value: data as Result };
  const { code, message, details, hint } = error;
  return { ok: false, failure: { code: code ?? "", message, details: details ?? null, hint: hint || null } };
}

class NoTransport {}
