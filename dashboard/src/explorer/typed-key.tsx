import { createContext, type ReactNode, useContext, useState } from "react";

/** The explorer's API key, and a function to change it. */
type TypedKey = readonly [key: string, change: (key: string) => void];

const context = createContext<TypedKey | undefined>(undefined);

/**
 * Holds the API key that was typed, pasted or just created while the page is open: in memory, never in storage, an address or
 * a log. A reload or signing out drops it.
 */
export function TypedKeyProvider({ children }: { children: ReactNode }) {
  return <context.Provider value={useState("")}>{children}</context.Provider>;
}

export function useTypedKey(): TypedKey {
  const typedKey = useContext(context);
  if (typedKey === undefined) throw new Error("useTypedKey needs a TypedKeyProvider");
  return typedKey;
}
