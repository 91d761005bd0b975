import type { Admission, Admitted, QueryVector, RpcFailure, RpcOutcome, WantsEmbedding } from "../database/rpc.ts";
import type { AskContext } from "./route.ts";

/** An RPC's argument that says what is known of the query's meaning; none when nothing is. */
type Meaning = { query_vector?: QueryVector };

/**
 * Asks an RPC that may need the query's vector.
 *
 * That is one round trip when the database makes or remembers the vector, or this process does. Else the first
 * call admits and counts the caller and says which vector it wants; the provider makes it; and the second call
 * answers, with what it can if there is no vector. If that fails, the request is not counted.
 *
 * @param query what is searched for by meaning, or undefined when nothing is.
 */
export async function askWithMeaning<Body extends object>(
  context: AskContext,
  query: string | undefined,
  call: (meaning: Meaning) => Promise<RpcOutcome<Admitted<Body | WantsEmbedding>>>,
): Promise<RpcOutcome<Admitted<Body>>> {
  const remembered = query === undefined ? undefined : context.embeddings.remembered(query);
  const first = await call(remembered === undefined ? {} : { query_vector: { ...remembered, is_second_call: false } });
  if (!first.ok) return first;
  const { admission, body } = first.value;
  if (!wantsEmbedding(body)) return { ok: true, value: { admission, body } };

  const wanted = body.wanted_embedding;
  const embedding = await context.embeddings.embed(query ?? wanted.text, wanted);
  if (!embedding.ok && embedding.reason !== undefined) context.warn(embedding.reason);
  const vector = embedding.ok ? embedding.value.vector : null;
  const second = await call({ query_vector: { model: wanted.model, vector, is_second_call: true } });
  if (!second.ok) return { ok: false, failure: await withdrawn(context, admission, second.failure) };
  const { body: answer } = second.value;
  // The second call answers or fails. Wanting again is neither.
  if (wantsEmbedding(answer)) throw new Error("the database wants a vector that it has just been given");
  return { ok: true, value: { admission, body: answer } };
}

function wantsEmbedding(body: object): body is WantsEmbedding {
  return "wanted_embedding" in body;
}

/**
 * Takes the request's count back, from the day that it was counted on: midnight UTC may have passed since. The failure
 * then says whose it was, as a refusal by the first call would.
 */
async function withdrawn(
  { database, keyHash }: AskContext,
  admission: Admission,
  failure: RpcFailure,
): Promise<RpcFailure> {
  const { counted_on } = admission;
  if (counted_on == null) return { ...failure, details: JSON.stringify(admission) };
  const outcome = await database.call("withdraw_request", { key_hash: keyHash, counted_on });
  return outcome.ok ? { ...failure, details: JSON.stringify(outcome.value.admission) } : failure;
}
