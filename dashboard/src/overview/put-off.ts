import { browserStorage } from "../storage.ts";

/** Time for which an alert is put off. */
const putOffMs = 24 * 60 * 60_000;

/** Key in the browser's storage: for each owner (a user and an account), the moment until which each alert is put off. */
const storageKey = "funding-dashboard-put-off";

type Stored = Record<string, Record<string, number>>;

/** Reads which alerts an owner has put off, by their ids. */
export function readPutOff(owner: string, now: number): ReadonlySet<string> {
  return new Set(Object.keys(read(now)[owner] ?? {}));
}

/** Puts alerts off for a day. */
export function putOff(owner: string, ids: readonly string[], now: number): void {
  const stored = read(now);
  const until = Object.fromEntries(ids.map((id) => [id, now + putOffMs]));
  write({ ...stored, [owner]: { ...stored[owner], ...until } });
}

/** Shows again what an owner has put off. */
export function endPutOff(owner: string, now: number): void {
  const { [owner]: _, ...others } = read(now);
  write(others);
}

/** What is stored, without what is over; nothing where that cannot be read. */
function read(now: number): Stored {
  try {
    const stored = Object.entries(JSON.parse(browserStorage.getItem(storageKey) ?? "{}") as Stored);
    return Object.fromEntries(
      stored.map(([owner, ids]) => [owner, Object.fromEntries(Object.entries(ids).filter(([, until]) => until > now))]),
    );
  } catch {
    return {};
  }
}

function write(stored: Stored): void {
  browserStorage.setItem(storageKey, JSON.stringify(stored));
}
