import { createContext, type ReactNode, useContext, useMemo, useState } from "react";

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

/** Key in localStorage of the user's id and the account that they chose last in this browser. */
const storageKey = "funding-dashboard-account";

/** Provides the account that the user has chosen, in this tab now and in this browser on the next visit. */
export function ChosenAccountProvider({ userId, children }: { userId: string; children: ReactNode }) {
  const [{ accountId, visits }, setChosen] = useState(() => ({ accountId: storedChoice(userId), visits: 0 }));
  const chosen = useMemo(
    () => ({
      userId,
      accountId,
      visit: `${userId} ${accountId} ${visits}`,
      choose(next: string | undefined) {
        if (next === undefined) localStorage.removeItem(storageKey);
        else localStorage.setItem(storageKey, `${userId} ${next}`);
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

/** The user's last choice. That of another user of this browser is none. */
function storedChoice(userId: string): string | undefined {
  const [ofUser, accountId] = (localStorage.getItem(storageKey) ?? "").split(" ");
  return ofUser === userId ? accountId : undefined;
}
