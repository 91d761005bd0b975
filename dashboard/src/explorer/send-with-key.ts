import type { HttpRequest } from "../components/code-literals.ts";
import { useExplorerKeys } from "./keys.ts";
import { type ApiAnswer, send } from "./send.ts";

/** Sends a request with the explorer's key: `timeoutMs` is that of `send`. A short-lived key that is refused was ended elsewhere: another one is made, once. */
export function useSendWithKey(): (
  request: HttpRequest,
  signal: AbortSignal,
  timeoutMs?: number,
) => Promise<ApiAnswer> {
  const { current, drop } = useExplorerKeys();
  return async (request, signal, timeoutMs) => {
    const key = await current();
    const answer = await send(request, key, signal, timeoutMs);
    return answer.status === 401 && drop(key) ? send(request, await current(), signal, timeoutMs) : answer;
  };
}
