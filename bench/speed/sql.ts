import type { Connection } from "../../database/connection.ts";
import { parametersOf } from "./parameters.ts";

/** Calls the RPC of the list endpoint as the function does, without function and PostgREST. */
export function listCall(connection: Connection, keyHash: string, request: string): Promise<unknown> {
  return connection.query("select public.list_grants($1, $2::jsonb) as answer", [
    keyHash,
    JSON.stringify(parametersOf(request)),
  ]);
}
