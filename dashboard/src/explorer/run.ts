import { type QueryClient, skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type ExplorerForm, requestFor } from "./request.ts";
import type { ApiAnswer } from "./send.ts";
import { useSendWithKey } from "./send-with-key.ts";

/** A form that was sent, and its answer. */
export interface Sent {
  form: ExplorerForm;
  answer: ApiAnswer;
}

/** Time for which the answer of an entry of the history is kept in memory, after it was last on show. */
const keptMs = 30 * 60_000;
/** Limit of the answers in memory: a hundred records with details are half a megabyte. */
const keptAnswers = 30;
const answers = "explorer-answers";
const answerKey = (id: string | undefined) => [answers, id];

/** Keeps the answer of an entry. The oldest of many are dropped, but for the one on show. */
function keepAnswer(queries: QueryClient, id: string, answered: Sent): void {
  queries.setQueryData(answerKey(id), answered);
  const cache = queries.getQueryCache();
  const others = cache.findAll({ queryKey: [answers], predicate: (query) => query.getObserversCount() === 0 });
  const newestFirst = others.toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt);
  for (const query of newestFirst.slice(keptAnswers)) cache.remove(query);
}

/**
 * Sends forms one at a time: a new one ends the one before. Each belongs to an entry of the browser's history, by its id: `sent`, `isPending` and
 * `error` are those of the entry on show.
 */
export function useRun(baseUrl: string, id: string | undefined) {
  const sendWithKey = useSendWithKey();
  const queries = useQueryClient();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const { data: sent } = useQuery<Sent>({
    queryKey: answerKey(id),
    queryFn: skipToken,
    enabled: false,
    gcTime: keptMs,
  });
  const { mutate, status, variables, error } = useMutation({
    mutationFn: async ({ form }: { form: ExplorerForm; id: string }): Promise<Sent> => {
      running.current?.abort();
      running.current = new AbortController();
      return { form, answer: await sendWithKey(requestFor(form, baseUrl), running.current.signal) };
    },
    onSuccess: (answered, { id: of }) => keepAnswer(queries, of, answered),
    // The request counts against the quota: cached usage, quota and last use of the key are stale.
    onSettled: () => void queries.invalidateQueries(),
    gcTime: 0,
  });
  const isShown = id !== undefined && variables?.id === id;
  return {
    run: mutate,
    sent,
    status: isShown ? status : "idle",
    isPending: isShown && status === "pending",
    error: isShown ? error : null,
    /** Whether the answer of an entry is still in memory. */
    hasAnswer: (of: string) => queries.getQueryData(answerKey(of)) !== undefined,
  };
}
