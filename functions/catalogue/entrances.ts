import { isStateCode, stateNames } from "../../shared/geography/states.ts";
import type { PageAnswer } from "./answer.ts";
import { readTopics } from "./find.ts";
import { showListing } from "./list-page.ts";
import type { Listing } from "./listing.ts";
import { notFound } from "./notices.ts";
import { slugOf, topicPath } from "./site.ts";
import { lineOf } from "./text.ts";
import type { Visit } from "./visit.ts";

/** `/topics/{category}`: the open grants of a category, whose name is found by its words. */
export async function topicPage(visit: Visit, segment: string): Promise<PageAnswer> {
  const slug = slugOf(decoded(segment));
  const topic = (await readTopics(visit)).find(({ value }) => slugOf(value) === slug)?.value;
  const path = topic === undefined ? undefined : topicPath(topic);
  if (topic === undefined || path === undefined) return notFound(visit.site);
  if (path !== `/topics/${segment}`) return { movedTo: path };
  const name = lineOf(topic);
  return showListing(visit, listingOf("category", topic), {
    heading: `Grants: ${name}`,
    intro: `Grants for ${name.toLowerCase()} that can be applied for now, or soon.`,
    path,
    isHidden: false,
    isEntrance: true,
  });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** `/states/{code}`: the open grants of a state. */
export async function statePage(visit: Visit, segment: string): Promise<PageAnswer> {
  const code = segment.toUpperCase();
  if (!isStateCode(code)) return notFound(visit.site);
  if (code !== segment) return { movedTo: `/states/${code}` };
  const name = stateNames[code];
  return showListing(visit, listingOf("states", code), {
    heading: `Grants in ${name}`,
    intro: `Grants for work in ${name} that can be applied for now, or soon.`,
    path: `/states/${code}`,
    isHidden: false,
    isEntrance: true,
  });
}

function listingOf(name: string, value: string): Listing {
  return { dataset: "grants", chosen: new Map([[name, [value]]]), sort: "closing", page: 1, hasPast: false };
}
