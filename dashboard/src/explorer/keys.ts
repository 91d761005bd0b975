import { createContext, useContext } from "react";

/** Keys that requests are sent with from a page. They are in memory, never in storage, an address or a log. A reload or signing out drops them. */
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
  /** The user who is signed in; undefined for a visitor, whose keys are all typed. */
  user: ExplorerUser | undefined;
}

export interface ExplorerUser {
  /** Id of the account on show; undefined for the user's own. */
  accountId: string | undefined;
  /** Marks what the pages know as stale: a request counts against the quota, and may have changed the account. */
  refresh: () => void;
}

export const ExplorerKeysContext = createContext<ExplorerKeys | undefined>(undefined);

export function useExplorerKeys(): ExplorerKeys {
  const keys = useContext(ExplorerKeysContext);
  if (keys === undefined) throw new Error("useExplorerKeys needs an ExplorerKeyProvider");
  return keys;
}
