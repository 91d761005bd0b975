import { useEffect, useState } from "react";
import type { PublicStatus } from "../../../status/public.ts";
import type { StatusCheck } from "./check.ts";

/** Longest wait for an answer. */
const timeoutMs = 10_000;

/**
 * History of the server's own checks, read again after each check of this browser. What was read last stays while the server does not answer.
 *
 * @param url where it is; undefined where the server keeps none.
 */
export function useStatusHistory(url: string | undefined, check: StatusCheck | undefined): PublicStatus | undefined {
  const [history, setHistory] = useState<PublicStatus>();
  const checkedAt = check?.at;
  useEffect(() => {
    if (url === undefined || checkedAt === undefined) return;
    const stopped = new AbortController();
    const read = async () => {
      const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs)]);
      const response = await fetch(url, { cache: "no-store", signal });
      if (response.ok) setHistory((await response.json()) as PublicStatus);
    };
    read().catch(() => undefined);
    return () => stopped.abort();
  }, [url, checkedAt]);
  return history;
}
