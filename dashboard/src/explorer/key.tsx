import { createContext, type ReactNode, useContext, useRef, useState } from "react";
import type { z } from "zod";
import type { explorerKey } from "../../../shared/responses/account/keys.ts";
import { useAccountRequest } from "../api/context.tsx";

type IssuedExplorerKey = z.infer<typeof explorerKey>;

/** A key is not used any more when it would expire within this time: a request takes a moment. */
const marginMs = 20_000;

/** Keys of the explorer. They are in memory, never in storage, an address or a log. A reload or signing out drops them. */
export interface ExplorerKeys {
  /** Key that was typed, pasted or just created; empty for one that is made from the sign-in. */
  typed: string;
  type: (key: string) => void;
  /** The key to send a request with. A short-lived one is made where none was typed and the last is about to end. */
  current: () => Promise<string>;
  /** Whether `current` has a key without making one. */
  isAtHand: () => boolean;
  /** Drops a short-lived key that was refused. @returns whether there was one, so that the request can be sent again. */
  drop: (key: string) => boolean;
}

const context = createContext<ExplorerKeys | undefined>(undefined);

export function ExplorerKeyProvider({ children }: { children: ReactNode }) {
  const request = useAccountRequest();
  const [typed, type] = useState("");
  const made = useRef<{ key: string; expiresAtMs: number }>(undefined);
  const isMade = () => made.current !== undefined && made.current.expiresAtMs - marginMs >= Date.now();
  const isAtHand = () => typed.trim() !== "" || isMade();
  const current = async () => {
    if (typed.trim() !== "") return typed.trim();
    if (made.current === undefined || !isMade()) {
      const { key, expires_at } = await request<IssuedExplorerKey>("/explorer-key", { method: "POST" });
      if (key === null) throw new Error("the key's text did not come");
      made.current = { key, expiresAtMs: Date.parse(expires_at) };
    }
    return made.current.key;
  };
  const drop = (key: string) => {
    if (made.current?.key !== key) return false;
    made.current = undefined;
    return true;
  };
  return <context.Provider value={{ typed, type, current, isAtHand, drop }}>{children}</context.Provider>;
}

export function useExplorerKeys(): ExplorerKeys {
  const keys = useContext(context);
  if (keys === undefined) throw new Error("useExplorerKeys needs an ExplorerKeyProvider");
  return keys;
}
