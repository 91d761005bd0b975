import { useMemo } from "react";
import { useLocationProperty } from "wouter/use-browser-location";

/** What an entry of the browser's history keeps of the request that was sent from it. The answer is in memory, by the id. */
export interface SentEntry {
  id: string;
  /** Query of the explorer's address for the form that was sent. */
  address: string;
  /** Entry of the list that a record was opened from, and how many entries back it is. */
  list?: { id: string; steps: number } | undefined;
}

interface EntryState {
  sent?: SentEntry;
  /** Set by a link that wants the answer at once. */
  send?: boolean;
}

const readState = () => history.state as EntryState | null;

/** What was sent from the current entry, or undefined. */
export const readEntry = (): SentEntry | undefined => readState()?.sent;

/** The same, as it changes. */
export function useEntry(): SentEntry | undefined {
  const text = useLocationProperty(() => JSON.stringify(readEntry() ?? null));
  return useMemo(() => (JSON.parse(text) as SentEntry | null) ?? undefined, [text]);
}

/** Whether the entry was opened by a link that wants the answer at once. A reload does not ask again: `addEntry` takes the wish away. */
export const isAskedFor = (): boolean => readState()?.send === true;

/** The same, as it changes. */
export function useIsAskedFor(): boolean {
  return useLocationProperty(isAskedFor);
}

/** Makes ids that no other load of this page makes: entries outlive a reload, their answers do not. */
let made = 0;
const nextId = () => `${performance.timeOrigin} ${++made}`;

/**
 * Makes a form that is sent the current entry, and returns its id. An entry that something else was sent from stays behind it, with the address of
 * what was sent; one that was only filled in is taken over, and so is one that the same was sent from.
 */
export function addEntry(address: string): string {
  const before = readEntry();
  const isOther = before !== undefined && before.address !== address;
  const sent: SentEntry = {
    id: isOther || before === undefined ? nextId() : before.id,
    address,
    list: isOther ? listBehind(before, address) : before?.list,
  };
  if (isOther) history.replaceState({ sent: before }, "", `/explorer?${before.address}`);
  history[isOther ? "pushState" : "replaceState"]({ sent }, "", `/explorer?${address}`);
  return sent.id;
}

/** The list that a new entry's record was opened from: the entry before it, or the list of that one. */
function listBehind(before: SentEntry, address: string): SentEntry["list"] {
  if (!isOfRecord(address)) return undefined;
  if (before.list !== undefined) return { ...before.list, steps: before.list.steps + 1 };
  return isOfRecord(before.address) ? undefined : { id: before.id, steps: 1 };
}

const isOfRecord = (address: string) => new URLSearchParams(address).has("id");
