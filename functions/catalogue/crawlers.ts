import { stateCodes } from "../../shared/geography/states.ts";
import type { PageAnswer } from "./answer.ts";
import { readPage, readTopics } from "./find.ts";
import { html } from "./html.ts";
import type { Opportunities } from "./listing.ts";
import { recordPath, type Site, topicPath } from "./site.ts";
import type { Visit } from "./visit.ts";

/** Records of each kind in the sitemap: the newest. Crawlers find the others by the lists. */
const listedRecords = 500;

/** `/robots.txt`: everything but combinations of filters, of which there is no end, and the API. */
export function robots({ origin, base }: Site): PageAnswer {
  const text = [
    "User-agent: *",
    `Disallow: ${base}/funding?`,
    `Allow: ${base}/funding?page=`,
    `Allow: ${base}/funding?dataset=contracts$`,
    `Allow: ${base}/funding?dataset=contracts&page=`,
    ...(base === "" ? ["Disallow: /functions/"] : []),
    "",
    `Sitemap: ${origin}${base}/sitemap.xml`,
    "",
  ].join("\n");
  return { text, contentType: "text/plain; charset=utf-8", maxAgeSeconds: 3_600 };
}

/** `/sitemap.xml`: the entrances and the newest open records. */
export async function sitemap(visit: Visit): Promise<PageAnswer> {
  const { origin, base } = visit.site;
  const topics = await readTopics(visit);
  const grants = await newest(visit, "grants");
  const contracts = await newest(visit, "contracts");
  const entrances = [
    "/funding",
    "/funding?dataset=contracts",
    ...topics.flatMap(({ value }) => topicPath(value) ?? []),
    ...stateCodes.map((code) => `/states/${code}`),
  ].map((path) => ({ path, day: undefined }));
  const urls = [...entrances, ...grants, ...contracts].map(
    ({ path, day }) => html`<url><loc>${origin}${base}${path}</loc>${day && html`<lastmod>${day}</lastmod>`}</url>
`,
  );
  const text = html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`.markup;
  return { text, contentType: "application/xml; charset=utf-8", maxAgeSeconds: 3_600 };
}

async function newest(visit: Visit, dataset: Opportunities): Promise<{ path: string; day: string | undefined }[]> {
  const fields = ["id", "title", "updated_at"];
  const parameters = {
    limit: listedRecords,
    offset: 0,
    search_mode: "keyword",
    count_only: false,
    expand: ["details"] as const,
  };
  const order = { sort_by: "created_at", order: "desc", opportunity_type: "open", status: ["open", "upcoming"] };
  const { results } = await readPage(visit, dataset, { ...parameters, ...order }, fields);
  return results.map(({ id, title, details }) => ({
    path: recordPath(dataset, { id, name: title }),
    day: details?.updated_at.slice(0, 10),
  }));
}
