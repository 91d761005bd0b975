import { useEffect, useRef, useState } from "react";
import type { Grant } from "../../../shared/responses/records.ts";
import { useLoggedRequest } from "../api/requests.ts";
import { useExplorerKeys } from "../explorer/keys.ts";
import { useSendWithKey } from "../explorer/send-with-key.ts";
import { useDeployment } from "../session/context.tsx";
import { type FoundRecord, mayBeRequestId } from "./entries.ts";

/** Time without another letter before something is looked up, in milliseconds. */
const pauseMs = 250;
/** Letters from which on records are looked up. Each time counts towards the quota, twice. */
const leastLetters = 3;
const timeoutMs = 5_000;

/** The text, once nothing was typed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** The logged request whose id was typed, or undefined. */
export function useRequestOf(typed: string) {
  const isAsked = mayBeRequestId(typed);
  const { data } = useLoggedRequest(typed, { enabled: isAsked, retry: false });
  return isAsked ? data : undefined;
}

/** Opportunities for a text, by the explorer's key if there is one. None meanwhile, and none where they cannot be had. */
export function useFoundRecords(text: string): readonly FoundRecord[] {
  const { config } = useDeployment();
  const { isAtHand } = useExplorerKeys();
  const sendWithKey = useSendWithKey();
  const latest = useRef({ sendWithKey, isAtHand });
  latest.current = { sendWithKey, isAtHand };
  const [found, setFound] = useState<{ text: string; records: readonly FoundRecord[] }>();
  useEffect(() => {
    if (text.length < leastLetters || mayBeRequestId(text) || !latest.current.isAtHand()) return;
    const stop = new AbortController();
    const query = new URLSearchParams({ search: text, sort_by: "relevance", limit: "3", fields: "title,funder_name" });
    const ask = async (dataset: "grants" | "contracts"): Promise<FoundRecord[]> => {
      const request = { method: "GET", url: `${config.base_url}/${dataset}-api?${query}` } as const;
      const { status, body } = await latest.current.sendWithKey(request, stop.signal, timeoutMs);
      if (status !== 200) return [];
      const { results } = body as { results: Pick<Grant, "id" | "title" | "funder_name">[] };
      return results.map(({ id, title, funder_name }) => ({ dataset, id, title, funder_name }));
    };
    Promise.all([ask("grants"), ask("contracts")])
      .then((lists) => !stop.signal.aborted && setFound({ text, records: lists.flat() }))
      .catch(() => undefined);
    return () => stop.abort();
  }, [text, config.base_url]);
  return found?.text === text ? found.records : [];
}
