import type { Admitted, ListRpc, RpcOutcome, Rpcs, SearchBody, WantsEmbedding } from "../database/rpc.ts";
import type { Marks } from "../highlight/highlight.ts";
import { withdrawRequest } from "./attempt.ts";
import type { QueryContext } from "./endpoint.ts";

/** RPCs that may need the embedding of a query. */
type SearchRpc = ListRpc | "semantic_search";

/**
 * Calls an RPC that may need the embedding of a query.
 *
 * One round trip is enough when the database makes or remembers the embedding, or this process remembers it. Otherwise
 * the first call admits and counts the caller and says which embedding it wants; the provider makes it; and the second
 * call answers, as well as it can if there is no embedding. If the second call fails, the request is not counted.
 *
 * @param text the text searched for by meaning, or undefined where nothing is.
 */
export async function callWithQueryEmbedding<Name extends SearchRpc>(
  context: QueryContext,
  name: Name,
  parameters: Omit<Rpcs[Name]["arguments"], "query_vector">,
  text: string | undefined,
): Promise<RpcOutcome<Admitted<SearchBody<Name>>>> {
  type Result = RpcOutcome<Admitted<SearchBody<Name> | WantsEmbedding>>;
  const call = (query_vector?: object) =>
    context.database.call(name, {
      ...parameters,
      ...(query_vector === undefined ? {} : { query_vector }),
    } as Rpcs[Name]["arguments"]) as Promise<Result>;

  const cached = text === undefined ? undefined : context.embeddings.getCached(text);
  const first = await call(cached === undefined ? undefined : { ...cached, is_second_call: false });
  if (!first.ok) return first;
  const { admission, body } = first.value;
  if (!wantsEmbedding(body)) return { ok: true, value: { admission, body } };

  const wanted = body.wanted_embedding;
  const embedding = await context.embeddings.embed(text ?? wanted.text, wanted);
  if (!embedding.ok && embedding.reason !== undefined) context.warn(embedding.reason);
  const vector = embedding.ok ? embedding.value.vector : null;
  const second = await call({ model: wanted.model, vector, is_second_call: true });
  if (!second.ok) return { ok: false, failure: await withdrawRequest(context, admission, second.failure) };
  const { body: answer } = second.value;
  if (wantsEmbedding(answer)) throw new Error("the database wants an embedding that it has just been given");
  return { ok: true, value: { admission, body: answer } };
}

/** Adds `highlights` to the results, and marks their passages, where the database says what to mark. What does so is loaded at the first. */
export async function withHighlights<Body extends object>(
  outcome: RpcOutcome<Admitted<Body>>,
): Promise<RpcOutcome<Admitted<Body>>> {
  if (!outcome.ok) return outcome;
  const { admission, body } = outcome.value;
  const { marks, results } = body as { marks?: readonly Marks[] | null; results?: readonly { id: string }[] };
  if (marks == null || results === undefined) return outcome;
  const { createHighlighter, createPassageMarker } = await import("../highlight/highlight.ts");
  const withPassages = results.map(createPassageMarker(marks));
  const isHighlighted = marks.every(({ passages_only }) => passages_only !== true);
  const marked = isHighlighted ? withPassages.map(createHighlighter(marks)) : withPassages;
  return { ok: true, value: { admission, body: { ...body, marks: null, results: marked } } };
}

function wantsEmbedding(body: object): body is WantsEmbedding {
  return "wanted_embedding" in body;
}
