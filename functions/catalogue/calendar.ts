import type { PageAnswer } from "./answer.ts";
import { webUrl } from "./link.ts";
import type { Opportunities } from "./listing.ts";
import { notFound } from "./notices.ts";
import { readOpportunity } from "./read-record.ts";
import { readId, recordPath, slugOf } from "./site.ts";
import { excerpt, lineOf } from "./text.ts";
import type { Visit } from "./visit.ts";

/** `/grants/{slug}-{id}/deadline.ics`: the deadline as a calendar's event, the same as in the calendar of a saved search. */
export async function deadlineCalendar(visit: Visit, dataset: Opportunities, segment: string): Promise<PageAnswer> {
  const id = readId(segment);
  const record = id === undefined ? undefined : await readOpportunity(visit, dataset, id);
  if (record === undefined || record.archived_at !== null || record.deadline_date === null) return notFound(visit.site);
  const path = recordPath(dataset, { id: record.id, name: record.title });
  if (path !== `/${dataset}/${segment}`) return { movedTo: `${path}/deadline.ics` };
  // Its library is loaded for those who want a calendar alone.
  const { writeCalendar } = await import("../saved-searches/calendar.ts");
  const { deadline_date, details, created_at, funder_name } = record;
  const title = lineOf(record.title);
  const text = writeCalendar({ id: record.id, name: title, dataset }, [
    {
      id: record.id,
      title: `Deadline: ${title}`,
      description: excerpt(record.description, 1_000),
      url: webUrl(record.listing_url)?.href ?? null,
      funder_name: lineOf(funder_name),
      deadline_date,
      deadline_at: details.deadline_assumed ? null : details.deadline_at,
      created_at,
      updated_at: details.updated_at,
    },
  ]);
  const file = slugOf(record.title) || "deadline";
  return {
    text,
    contentType: "text/calendar; charset=utf-8",
    maxAgeSeconds: 60,
    headers: { "Content-Disposition": `attachment; filename="${file}.ics"` },
  };
}
