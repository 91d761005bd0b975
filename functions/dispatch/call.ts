import type { RpcClient, RpcFailure, Rpcs } from "../../shared/database/rpc.ts";

/**
 * Calls an RPC and returns its result.
 *
 * @throws {Error} with the database's message when it fails.
 */
export async function callOrThrow<Name extends keyof Rpcs>(
  database: RpcClient,
  name: Name,
  parameters: Rpcs[Name]["arguments"],
): Promise<Rpcs[Name]["result"]> {
  const outcome = await database.call(name, parameters);
  if (outcome.ok) return outcome.value;
  throw failureError(name, outcome.failure);
}

/** Makes the error of a call that failed, with the database's message. */
export function failureError(name: string, { code, message }: RpcFailure): Error {
  return new Error(`${name}: ${code} ${message}`);
}
