import type { AddressesBody } from "../../shared/database/rpc.ts";
import { type Dataset, datasets } from "../../shared/datasets.ts";
import { stateCodes } from "../../shared/geography/states.ts";
import type { PageAnswer } from "./answer.ts";
import { readTopics } from "./find.ts";
import { type Html, html } from "./html.ts";
import { notFound } from "./notices.ts";
import { recordPath, type Site, topicPath } from "./site.ts";
import { bodyOf, type Visit } from "./visit.ts";

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

/** How long crawlers may keep a sitemap. */
const maxAgeSeconds = 3_600;

/** `/sitemap.xml`: the sitemaps. Records are in up to sixteen for each dataset, by the first digit of their ids. */
export async function sitemaps(visit: Visit): Promise<PageAnswer> {
  const { origin, base } = visit.site;
  const ofRecords = await Promise.all(
    datasets.map(async (dataset) => {
      const { parts = [] } = await readAddresses(visit, dataset);
      return parts.map((part) => `${dataset}-${part}`);
    }),
  );
  const entries = ["entrances", ...ofRecords.flat()].map(
    (name) => html`<sitemap><loc>${origin}${base}/sitemaps/${name}.xml</loc></sitemap>
`,
  );
  return xml(html`<sitemapindex xmlns="${schema}">
${entries}</sitemapindex>
`);
}

/** `/sitemaps/entrances.xml`: pages that are no record's. */
export async function entrances(visit: Visit): Promise<PageAnswer> {
  const topics = await readTopics(visit);
  const paths = [
    "/funding",
    "/funding?dataset=contracts",
    ...topics.flatMap(({ value }) => topicPath(value) ?? []),
    ...stateCodes.map((code) => `/states/${code}`),
  ];
  return addresses(
    visit.site,
    paths.map((path) => ({ path })),
  );
}

/** `/sitemaps/grants-a.xml`: the records whose ids begin with this digit. */
export async function recordAddresses(visit: Visit, file: string): Promise<PageAnswer> {
  const [, name, part] = /^([a-z]+)-([\da-f])\.xml$/.exec(file) ?? [];
  const dataset = datasets.find((known) => known === name);
  if (dataset === undefined) return notFound(visit.site);
  const { records = [] } = await readAddresses(visit, dataset, part);
  if (records.length === 0) return notFound(visit.site);
  return addresses(
    visit.site,
    records.map((record) => ({ path: recordPath(dataset, record), day: record.updated_on })),
  );
}

function readAddresses({ query }: Visit, dataset: Dataset, part?: string): Promise<AddressesBody> {
  const call = query.database.call("list_addresses", { key_hash: query.keyHash, dataset, ...(part && { part }) });
  return bodyOf(call);
}

function addresses({ origin, base }: Site, pages: { path: string; day?: string }[]): PageAnswer {
  const entries = pages.map(
    ({ path, day }) => html`<url><loc>${origin}${base}${path}</loc>${day && html`<lastmod>${day}</lastmod>`}</url>
`,
  );
  return xml(html`<urlset xmlns="${schema}">
${entries}</urlset>
`);
}

const schema = "http://www.sitemaps.org/schemas/sitemap/0.9";

function xml({ markup }: Html): PageAnswer {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${markup}`;
  return { text, contentType: "application/xml; charset=utf-8", maxAgeSeconds };
}
