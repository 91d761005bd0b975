import type { TextStorage } from "../storage.ts";

/** Key in the tab's and the browser's storage of the user's id and the account that they chose there last. */
const storageKey = "funding-dashboard-account";
/** Stands for the user's own account. */
const own = "own";

/**
 * Returns the account that a user chose: in this tab, or last in this browser where the tab is new. The choice of another user is none.
 *
 * @returns its id, or undefined for the user's own account.
 */
export function readChoice(userId: string, tab: TextStorage, browser: TextStorage): string | undefined {
  for (const storage of [tab, browser]) {
    const [ofUser, accountId] = (storage.getItem(storageKey) ?? "").split(" ");
    if (ofUser === userId) return accountId === own ? undefined : accountId;
  }
  return undefined;
}

/** Stores a choice. The user's own account is one too: without it, a reload would take that of another tab. */
export function writeChoice(storage: TextStorage, userId: string, accountId: string | undefined): void {
  storage.setItem(storageKey, `${userId} ${accountId ?? own}`);
}
