import ical, { escape as escapeText, ICalCalendarMethod, ICalEventTransparency } from "ical-generator";
import type { SavedSearchEntry, SavedSearchRead } from "../../shared/database/rpc.ts";
import { entryLines, readableText } from "./text.ts";

/** How often calendars should ask again, in seconds. */
const refreshSeconds = 4 * 3600;

/** Moment that revisions are counted from: `SEQUENCE` is a 32-bit integer. */
const firstRevision = Date.parse("2020-01-01T00:00:00Z");

/**
 * Writes the deadlines of a saved search as an iCalendar (RFC 5545). A deadline is a day, or a moment in UTC where the source gives its
 * time. A record's event keeps its UID; a change of the record raises LAST-MODIFIED and SEQUENCE.
 */
export function writeCalendar({ name, dataset }: SavedSearchRead["search"], entries: SavedSearchEntry[]): string {
  const calendar = ical({
    // ical-generator escapes the text of events, but not this.
    name: escapeText(readableText(name), false),
    prodId: { company: "Funding Opportunities", product: "Saved searches", language: "EN" },
    method: ICalCalendarMethod.PUBLISH,
    ttl: refreshSeconds,
  });
  for (const entry of entries) {
    if (entry.deadline_date === null) continue;
    const changedAt = new Date(entry.updated_at);
    calendar.createEvent({
      id: `${entry.id}@${dataset}.funding-opportunities`,
      summary: readableText(entry.title),
      description: readableText(entryLines(entry).join("\n\n")),
      stamp: changedAt,
      lastModified: changedAt,
      sequence: Math.floor((changedAt.getTime() - firstRevision) / 1000),
      // Nobody is busy because of it.
      transparency: ICalEventTransparency.TRANSPARENT,
      ...(entry.url === null ? {} : { url: encodeUrl(entry.url) }),
      ...deadlineOf(entry.deadline_date, entry.deadline_at),
    });
  }
  return `${calendar.toString().trimEnd()}\r\n`;
}

function deadlineOf(day: string, moment: string | null) {
  if (moment !== null) return { start: new Date(moment) };
  return { start: new Date(`${day}T00:00:00Z`), allDay: true };
}

/**
 * Encodes characters that may not be in a property of type URI as they are: spaces, with which another line could begin, and the three
 * characters that ical-generator escapes as in a text, which a URI's readers do not undo.
 */
function encodeUrl(url: string): string {
  return readableText(url).replaceAll(/[\s\\;,]/g, (character) => encodeURIComponent(character));
}
