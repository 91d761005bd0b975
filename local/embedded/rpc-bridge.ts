import { accountIdHeader, clientAddressHeader } from "../../shared/database/rpc.ts";
import { SessionBusyError, type SessionLock } from "./session.ts";

/** Limit of a request's wait for the session lock. Then it is answered with 503. */
const maxWaitMs = 5_000;

/** Error that PGlite throws when Postgres refuses a statement. */
interface PostgresError extends Error {
  code: string;
  detail?: string;
  hint?: string;
}

/**
 * A `fetch` that answers PostgREST's `POST /rest/v1/rpc/NAME` from the PGlite in this process. supabase-js works on it
 * unchanged: same role, same conversion of arguments, same error objects, and of the headers the client's address and
 * the account.
 *
 * Only functions that return `json` or `void` are served, which is what our RPCs do.
 */
export function createRpcBridge(lock: SessionLock): typeof fetch {
  const calls = new Map<string, Promise<string>>();

  return async (input, init) => {
    const request = new Request(input, init);
    const name = /\/rest\/v1\/rpc\/(\w+)$/.exec(new URL(request.url).pathname)?.[1];
    if (name === undefined || request.method !== "POST") {
      return errorResponse(404, { code: "PGRST125", message: "Invalid path specified in request URL" });
    }
    try {
      const body = await request.text();
      const settings = transactionSettings(request.headers);
      const answer = await lock.run(
        async (database) => {
          let call = calls.get(name);
          if (call === undefined) {
            call = callStatement(name, (text, values) =>
              database.query<{ names: string[]; types: string[]; result: string }>(text, values),
            );
            calls.set(name, call);
            call.catch(() => calls.delete(name));
          }
          const statement = await call;
          return database.transaction(async (transaction) => {
            await transaction.exec(settings);
            const { rows } = await transaction.query<{ answer: string | null }>(statement, [body]);
            return rows[0]?.answer ?? null;
          });
        },
        { maxWaitMs, signal: request.signal },
      );
      if (answer === null) return new Response(null, { status: 204 });
      return new Response(answer, { status: 200, headers: { "content-type": "application/json" } });
    } catch (error) {
      return responseToError(error);
    }
  };
}

/** Settings that PostgREST makes in each transaction. `request.headers` is set also where it is empty: the session is one for all requests. */
function transactionSettings(given: Headers): string {
  const passedOn = [clientAddressHeader, accountIdHeader].flatMap((name) => {
    const value = given.get(name);
    return value === null ? [] : [[name, value]];
  });
  const headers = passedOn.length === 0 ? "" : JSON.stringify(Object.fromEntries(passedOn));
  return `set local role service_role; set local request.headers = '${headers.replaceAll("'", "''")}'`;
}

interface Signature {
  names: string[];
  types: string[];
  result: string;
}

/** The statement that calls a function with a JSON object's members as its named arguments. */
async function callStatement(
  name: string,
  query: (text: string, values: unknown[]) => Promise<{ rows: Signature[] }>,
): Promise<string> {
  const { rows } = await query(
    `select coalesce(proargnames, '{}') as names,
            array(select format_type(oid, null) from unnest(proargtypes) with ordinality as argument(oid, position) order by position) as types,
            prorettype::regtype::text as result
     from pg_proc where pronamespace = 'public'::regnamespace and proname = $1`,
    [name],
  );
  const [signature] = rows;
  if (signature === undefined) throw new UnknownFunctionError(name);
  const { names, types, result } = signature;
  const named = names.map((argument) => `"${argument}" => given."${argument}"`).join(", ");
  const columns = names.map((argument, index) => `"${argument}" ${types[index]}`).join(", ");
  const call = `public."${name}"(${named})`;
  return `select ${result === "void" ? `nullif(${call}::text, '')` : `${call}::text`} as answer from ${names.length === 0 ? "(select $1::json) as given" : `json_to_record($1::json) as given(${columns})`}`;
}

class UnknownFunctionError extends Error {
  constructor(name: string) {
    super(`Could not find the function public.${name} in the schema cache`);
  }
}

function responseToError(error: unknown): Response {
  if (error instanceof SessionBusyError) {
    return errorResponse(503, { code: "PGRST003", message: "Timed out acquiring connection from connection pool." });
  }
  if (error instanceof UnknownFunctionError) {
    return errorResponse(404, { code: "PGRST202", message: error.message });
  }
  const { code = "XX000", message, detail, hint } = error as Partial<PostgresError>;
  return errorResponse(httpStatus(code), {
    code,
    message: message ?? "unknown error",
    details: detail ?? null,
    hint: hint ?? null,
  });
}

/** PostgREST's status for an SQLSTATE, for the classes that our RPCs can raise. */
function httpStatus(code: string): number {
  const fromCode = /^PT([1-5]\d\d)$/.exec(code)?.[1];
  if (fromCode !== undefined) return Number(fromCode);
  if (code === "42501") return 403;
  if (code.startsWith("22") || code.startsWith("P0")) return 400;
  if (code.startsWith("23")) return 409;
  return 500;
}

function errorResponse(status: number, body: Record<string, string | null>): Response {
  return new Response(JSON.stringify({ details: null, hint: null, ...body }), {
    status,
    headers: { "content-type": "application/json" },
  });
}
