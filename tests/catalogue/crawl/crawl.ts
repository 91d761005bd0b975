import { gzipSync } from "node:zlib";
import { Page } from "../page.ts";

/** Bytes of a page: of its HTML gzipped, and with its stylesheet and script. */
const mostHtml = 25_000;
const mostWhole = 60_000;

/** What a crawl saw. */
export interface Crawl {
  /** Pages of each kind, by the first part of their path. */
  pages: Record<string, number>;
  /** Milliseconds of each answer. */
  times: number[];
  /** The largest page: its address, and the bytes of its HTML gzipped. */
  largest: { path: string; bytes: number };
  /** What is wrong, each with its page. */
  faults: string[];
}

/**
 * Follows the links of the public catalogue from its first page and its sitemaps, and reads each page as a crawler does. Half of the pages are those of
 * the sitemaps, half those that links lead to.
 *
 * @param ask answers a request of any path of `origin`.
 */
export async function crawl(
  ask: (request: Request) => Promise<Response>,
  origin: string,
  maximum: number,
  report: (pages: number) => void,
): Promise<Crawl> {
  const seen: Crawl = { pages: {}, times: [], largest: { path: "", bytes: 0 }, faults: [] };
  const known = new Map<string, string>([["/funding", "the start"]]);
  const linked = ["/funding"];
  const loaded = new Map<string, number>();
  const listed = await readSitemaps(ask, origin);
  let count = 0;
  while (count < maximum) {
    const path =
      (count % 2 === 0 ? linked.shift() : takeUnknown(listed, known)) ?? linked.shift() ?? takeUnknown(listed, known);
    if (path === undefined) break;
    count++;
    if (count % 500 === 0) report(count);
    const from = known.get(path) ?? "a sitemap";
    const startedAt = performance.now();
    const response = await ask(new Request(`${origin}${path}`));
    const text = await response.text();
    seen.times.push(performance.now() - startedAt);
    const kind = path.split(/[/?]/)[1] ?? "";
    seen.pages[kind] = (seen.pages[kind] ?? 0) + 1;
    const fault = (what: string) => seen.faults.push(`${path}: ${what} (linked from ${from})`);
    if (response.status === 301) {
      const to = response.headers.get("location") ?? "";
      if (from === "a sitemap") fault(`leads to ${to}`);
      if (!known.has(to)) linked.push(to);
      known.set(to, path);
      continue;
    }
    if (response.status !== 200) {
      fault(`status ${response.status}`);
      continue;
    }
    if (response.headers.get("content-type") !== "text/html; charset=utf-8") continue;
    const page = new Page(text);
    for (const what of faultsOf(page, text, `${origin}${path}`)) fault(what);
    const bytes = gzipSync(text).byteLength;
    if (bytes > seen.largest.bytes) seen.largest = { path, bytes };
    let whole = bytes;
    for (const file of filesOf(page)) {
      const size = loaded.get(file) ?? gzipSync(await (await ask(new Request(`${origin}${file}`))).text()).byteLength;
      loaded.set(file, size);
      whole += size;
    }
    if (bytes > mostHtml) fault(`${bytes} bytes of HTML, at most ${mostHtml}`);
    if (whole > mostWhole) fault(`${whole} bytes with what it loads, at most ${mostWhole}`);
    for (const link of page.links()) {
      const url = URL.parse(link, `${origin}${path}`);
      if (url === null) fault(`the address ${link}`);
      if (url?.origin !== origin || link.startsWith("#")) continue;
      const to = `${url.pathname}${url.search}`;
      if (known.has(to)) continue;
      known.set(to, path);
      linked.push(to);
    }
  }
  return seen;
}

/** Addresses of all pages that the sitemaps name. */
async function readSitemaps(ask: (request: Request) => Promise<Response>, origin: string): Promise<string[]> {
  const read = async (path: string) => {
    const text = await (await ask(new Request(`${origin}${path}`))).text();
    return new Page(text).all("loc").map((address) => address.text.slice(origin.length));
  };
  const addresses: string[] = [];
  for (const sitemap of await read("/sitemap.xml")) addresses.push(...(await read(sitemap)));
  return addresses;
}

/** The next address, from all over the sitemaps, that no link led to yet. */
function takeUnknown(listed: string[], known: Map<string, string>): string | undefined {
  while (listed.length > 0) {
    const [path = ""] = listed.splice((known.size * 7919) % listed.length, 1);
    if (known.has(path)) continue;
    known.set(path, "a sitemap");
    return path;
  }
  return undefined;
}

/** What is wrong with a page by itself. */
function faultsOf(page: Page, text: string, address: string): string[] {
  const headings = page.all("h1").length;
  const shown = page.text("body");
  const canonical = page.canonical();
  const ids = page.elements.flatMap(({ attributes }) => attributes.id ?? []);
  return [
    headings === 1 ? "" : `${headings} headings of the first level`,
    page.text("title") === "" ? "no title" : "",
    !page.isHidden() && canonical !== address ? `is for search engines as ${canonical}` : "",
    /\b(?:undefined|NaN|\[object Object\])/.test(shown) ? "shows a value that is none" : "",
    new Set(ids).size === ids.length ? "" : "has an id twice",
    text.includes("javascript:") && page.links().some((link) => link.startsWith("javascript:"))
      ? "has a link that is a script"
      : "",
  ].filter((fault) => fault !== "");
}

/** Paths of what a page loads. */
function filesOf(page: Page): string[] {
  const styles = page.all("link", { rel: "stylesheet" }).map(({ attributes }) => attributes.href);
  const scripts = page.all("script").map(({ attributes }) => attributes.src);
  return [...styles, ...scripts].filter((file) => file !== undefined);
}
