import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { browserStorage, tabStorage } from "../storage.ts";
import { readChoice, writeChoice } from "./account-choice.ts";

/** Account that the dashboard shows. */
export interface ChosenAccount {
  /** Id of the user who is signed in. */
  userId: string;
  /** Its id; undefined for the user's own. */
  accountId: string | undefined;
  /** Shows another account, from nothing: also where it is the user's own account again, which may be another one since. */
  choose: (accountId: string | undefined) => void;
  /** Changes with each choice. What is mounted with it as its key shares nothing between accounts. */
  visit: string;
}

const context = createContext<ChosenAccount | undefined>(undefined);

/** Provides the account that the user has chosen: in this tab, also after a reload, and in tabs that are opened later. */
export function ChosenAccountProvider({ userId, children }: { userId: string; children: ReactNode }) {
  const [{ accountId, visits }, setChosen] = useState(() => ({
    accountId: readChoice(userId, tabStorage, browserStorage),
    visits: 0,
  }));
  // Also the choice of another tab that this one began with: later choices there are not this tab's.
  useEffect(() => writeChoice(tabStorage, userId, accountId), [userId, accountId]);
  const chosen = useMemo(
    () => ({
      userId,
      accountId,
      visit: `${userId} ${accountId} ${visits}`,
      choose(next: string | undefined) {
        writeChoice(browserStorage, userId, next);
        setChosen((earlier) => ({ accountId: next, visits: earlier.visits + 1 }));
      },
    }),
    [userId, accountId, visits],
  );
  return <context.Provider value={chosen}>{children}</context.Provider>;
}

export function useChosenAccount(): ChosenAccount {
  const chosen = useContext(context);
  if (chosen === undefined) throw new Error("useChosenAccount needs a ChosenAccountProvider");
  return chosen;
}
