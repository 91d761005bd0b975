/** A message of the protocol, before it is checked. */
interface Message {
  method?: unknown;
  id?: unknown;
  params?: unknown;
}

/** Parses a body: a message or a batch. Undefined where it is not JSON, which the protocol's library refuses. */
export function parseMessages(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns a batch without its cancellations. The protocol's library does not answer a cancelled request, and would wait for that answer for ever.
 * Without sessions, a cancellation can mean nothing but a request of its own batch.
 *
 * @returns undefined where there is nothing to leave out, or nothing else.
 */
export function withoutCancellations(messages: unknown): unknown[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  const others = messages.filter((one: Message | null) => one?.method !== "notifications/cancelled" || one.id != null);
  return others.length === messages.length || others.length === 0 ? undefined : others;
}

/**
 * Returns the messages without arguments that are null: a call without arguments, which the protocol's library refuses.
 *
 * @returns undefined where there is nothing to leave out.
 */
export function withoutNullArguments(messages: unknown): unknown {
  let isChanged = false;
  const cleaned = ([messages].flat() as (Message | null)[]).map((message) => {
    const params = message?.params as Record<string, unknown> | null | undefined;
    if (params?.arguments !== null) return message;
    isChanged = true;
    const { arguments: _, ...others } = params;
    return { ...message, params: others };
  });
  if (!isChanged) return undefined;
  return Array.isArray(messages) ? cleaned : cleaned[0];
}

/** An answer, with its text. */
export interface TextAnswer {
  response: Response;
  text: string | null;
}

/**
 * Answers `subscriptions/listen` as any method that there is none of: nothing here ever changes. The protocol's library serves it to every server, and
 * says of one without subscriptions that a limit was reached, so that clients would try again.
 */
export function withoutSubscriptions(messages: unknown, answer: TextAnswer): TextAnswer {
  const { method, id } = (messages ?? {}) as Message;
  if (method !== "subscriptions/listen" || answer.text?.includes("-32603") !== true) return answer;
  const text = JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
  return { response: new Response(null, { status: 404, headers: { "Content-Type": "application/json" } }), text };
}

/** Returns a JSON-RPC error in place of an answer that did not come in time. It has the message's id; null for a batch. */
export function timeoutResponse(messages: unknown, seconds: number): { response: Response; text: string } {
  const { method, id } = (messages ?? {}) as Message;
  const hasId = typeof method === "string" && (typeof id === "string" || typeof id === "number");
  const message = `No answer within ${seconds} s. Try again; send the messages of a batch by themselves.`;
  const text = JSON.stringify({ jsonrpc: "2.0", id: hasId ? id : null, error: { code: -32603, message } });
  return { response: new Response(null, { status: 503, headers: { "Content-Type": "application/json" } }), text };
}
