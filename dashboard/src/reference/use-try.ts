import { useEffect, useRef, useState } from "react";
import type { HttpRequest } from "../components/code-literals.ts";
import { useExplorerKeys } from "../explorer/keys.ts";
import { type ApiAnswer, send } from "../explorer/send.ts";
import { useSendWithKey } from "../explorer/send-with-key.ts";
import { useDeployment } from "../session/context.tsx";
import type { Operation } from "./operations.ts";

export type Attempt =
  | { status: "idle" | "pending" }
  | { status: "answered"; request: HttpRequest; answer: ApiAnswer }
  | { status: "failed"; error: unknown };

/** Sends requests of an operation, one at a time, with the token that it needs. */
export function useTry({ security }: Operation): { attempt: Attempt; start: (request: HttpRequest) => void } {
  const { session } = useDeployment();
  const { user } = useExplorerKeys();
  const sendWithKey = useSendWithKey();
  const [attempt, setAttempt] = useState<Attempt>({ status: "idle" });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const sendWithToken = async (request: HttpRequest, signal: AbortSignal) => {
    if (security === "apiKey") return sendWithKey(request, signal);
    return send(request, security === "signIn" ? await session.accessToken() : undefined, signal);
  };
  const start = async (request: HttpRequest) => {
    running.current?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setAttempt({ status: "pending" });
    try {
      const answer = await sendWithToken(request, signal);
      if (!signal.aborted) setAttempt({ status: "answered", request, answer });
    } catch (error) {
      if (!signal.aborted) setAttempt({ status: "failed", error });
    } finally {
      user?.refresh();
    }
  };
  return { attempt, start: (request) => void start(request) };
}
