import { browserStorage } from "../storage.ts";

/** A user's visits to the overview, as this browser remembers them. */
export interface Visits {
  /** Moment, by the server's clock, up to which records were seen before this visit. Undefined on the first visit. */
  since?: string | undefined;
  /** Moment up to which records are seen by now. */
  seenUntil: string;
  /** When the overview was last looked at, in milliseconds since 1970. */
  at: number;
}

/** Time away after which a look at the overview begins another visit. */
const awayMs = 30 * 60_000;

/** Returns the moment from which on records are new. Within a visit it stays, so that a reload takes nothing away. */
export function newSince(visits: Visits | undefined, now: number): string | undefined {
  if (visits === undefined) return undefined;
  return now - visits.at > awayMs ? visits.seenUntil : visits.since;
}

/** Key in the browser's storage of the user's id and visits. */
const storageKey = "funding-dashboard-visits";

/** Reads the user's visits. Those of another user of this browser are none. */
export function readVisits(userId: string): Visits | undefined {
  try {
    const { user, ...visits } = JSON.parse(browserStorage.getItem(storageKey) ?? "{}") as Visits & { user?: string };
    return user === userId && isMoment(visits.seenUntil) && Number.isFinite(visits.at) ? visits : undefined;
  } catch {
    return undefined;
  }
}

export function writeVisits(userId: string, visits: Visits): void {
  browserStorage.setItem(storageKey, JSON.stringify({ user: userId, ...visits }));
}

function isMoment(text: unknown): boolean {
  return typeof text === "string" && !Number.isNaN(Date.parse(text));
}
