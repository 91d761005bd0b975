import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useExplorerKeys } from "./key.tsx";
import { type ApiRequest, type ExplorerForm, requestFor } from "./request.ts";
import { type ApiAnswer, send } from "./send.ts";

/** A form that was sent, and its answer. */
export interface Sent {
  form: ExplorerForm;
  answer: ApiAnswer;
}

/** Sends forms one at a time: a new one ends the one before. `sent` is the last that was answered. */
export function useRun(baseUrl: string) {
  const sendWithKey = useSendWithKey();
  const queries = useQueryClient();
  const running = useRef<AbortController>(undefined);
  const [sent, setSent] = useState<Sent>();
  useEffect(() => () => running.current?.abort(), []);
  const run = useMutation({
    mutationFn: async (form: ExplorerForm): Promise<Sent> => {
      running.current?.abort();
      running.current = new AbortController();
      return { form, answer: await sendWithKey(requestFor(form, baseUrl), running.current.signal) };
    },
    onSuccess: setSent,
    // The request counts against the quota: cached usage, quota and last use of the key are stale.
    onSettled: () => void queries.invalidateQueries(),
    gcTime: 0,
  });
  return { run, sent, setSent };
}

/** Sends a request with the explorer's key: `timeoutMs` is that of `send`. A short-lived key that is refused was ended elsewhere: another one is made, once. */
export function useSendWithKey(): (request: ApiRequest, signal: AbortSignal, timeoutMs?: number) => Promise<ApiAnswer> {
  const { current, drop } = useExplorerKeys();
  return async (request, signal, timeoutMs) => {
    const key = await current();
    const answer = await send(request, key, signal, timeoutMs);
    return answer.status === 401 && drop(key) ? send(request, await current(), signal, timeoutMs) : answer;
  };
}
