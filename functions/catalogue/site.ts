import type { Dataset } from "../../shared/datasets.ts";

/** Where the pages are. */
export interface Site {
  /** `https://funding.example.org`. */
  origin: string;
  /** Path before those of the pages: empty, or `/functions/v1/catalogue`. */
  base: string;
}

/** Path of the function on every stack. */
export const functionPath = "/functions/v1/catalogue";

/** Paths of pages where the catalogue is at the root of a site. */
const rootPaths =
  /^\/(?:(?:funding|grants|contracts|funders|topics|states|sitemaps)(?:\/|$)|(?:robots\.txt|sitemap\.xml)$)/;

/** Whether a request is for a page of a catalogue at the root of a site. */
export function isCataloguePage(request: Request, variable: (name: string) => string | undefined): boolean {
  return isCatalogueOn(variable) && rootPaths.test(new URL(request.url).pathname);
}

/** Whether a path is the catalogue's: at the root of a site, or of the function. */
export function isCataloguePath(path: string): boolean {
  return rootPaths.test(path) || path === functionPath || path.startsWith(`${functionPath}/`);
}

export function isCatalogueOn(variable: (name: string) => string | undefined): boolean {
  return variable("CATALOGUE") === "on";
}

/**
 * The site of a request.
 *
 * @param base path before the pages' own on the server that answers.
 * @param variable reads `CATALOGUE_URL`, the public address of the pages, in whose place the request's own would be that of a proxy; on Supabase
 *   `PUBLIC_API_URL` says the same.
 */
export function siteOf(request: Request, base: string, variable: (name: string) => string | undefined): Site {
  const api = variable("PUBLIC_API_URL");
  const given =
    variable("CATALOGUE_URL") ?? (base === functionPath && api !== undefined ? `${api}/catalogue` : undefined);
  const url = given === undefined ? null : URL.parse(given);
  if (url !== null) return { origin: url.origin, base: url.pathname.replace(/\/+$/, "") };
  return { origin: new URL(request.url).origin, base };
}

/** Words of a text as a part of an address: ASCII, at most 80 characters; empty where nothing is left. */
export function slugOf(text: string): string {
  const words = text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f'’]/g, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return words.length <= 80
    ? words
    : words
        .slice(0, 81)
        .replace(/-[^-]*$/, "")
        .slice(0, 80);
}

/** Path of a record's page, after the site's base. */
export function recordPath(dataset: Dataset, { id, name }: { id: string; name: string }): string {
  const slug = slugOf(name);
  return `/${dataset}/${slug === "" ? "" : `${slug}-`}${id}`;
}

/** Path of the page of a category. */
export function topicPath(category: string): string | undefined {
  const slug = slugOf(category);
  return slug === "" ? undefined : `/topics/${slug}`;
}

/** Id at the end of a record's path; undefined where there is none. */
export function readId(segment: string): string | undefined {
  return /^(?:.*-)?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i.exec(segment)?.[1]?.toLowerCase();
}
