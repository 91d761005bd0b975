import type { RpcClient, Rpcs } from "../database/rpc.ts";

/**
 * An RPC's result.
 *
 * @throws {Error} with the database's words when there is none.
 */
export async function callOrThrow<Name extends keyof Rpcs>(
  database: RpcClient,
  name: Name,
  parameters: Rpcs[Name]["arguments"],
): Promise<Rpcs[Name]["result"]> {
  const outcome = await database.call(name, parameters);
  if (outcome.ok) return outcome.value;
  throw new Error(`${name}: ${outcome.failure.code} ${outcome.failure.message}`);
}
