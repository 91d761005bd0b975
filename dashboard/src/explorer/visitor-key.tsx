import { type ReactNode, useState } from "react";
import { type ExplorerKeys, ExplorerKeysContext } from "./keys.ts";

/** Provides the key that a visitor typed who is not signed in. */
export function VisitorKeyProvider({ children }: { children: ReactNode }) {
  const [typed, type] = useState("");
  const keys: ExplorerKeys = {
    typed,
    type,
    current: async () => typed.trim(),
    isAtHand: () => typed.trim() !== "",
    drop: () => false,
    user: undefined,
  };
  return <ExplorerKeysContext value={keys}>{children}</ExplorerKeysContext>;
}
