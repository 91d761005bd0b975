import { createContext, type ReactNode, useContext, useState } from "react";

/** The key that the explorer asks with, and a way to change it. */
type TypedKey = readonly [key: string, change: (key: string) => void];

const context = createContext<TypedKey | undefined>(undefined);

/**
 * Holds the API key that was typed, pasted or just created, for as long as the page stays open: in memory, never in
 * storage, an address or a log. It goes with a reload and with signing out.
 */
export function TypedKeyProvider({ children }: { children: ReactNode }) {
  return <context.Provider value={useState("")}>{children}</context.Provider>;
}

export function useTypedKey(): TypedKey {
  const typedKey = useContext(context);
  if (typedKey === undefined) throw new Error("there is no TypedKeyProvider above");
  return typedKey;
}
