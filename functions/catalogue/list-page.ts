import type { PageAnswer } from "./answer.ts";
import { facetList } from "./facet-list.ts";
import { type Found, find } from "./find.ts";
import { type Html, html } from "./html.ts";
import {
  filterLabels,
  type Listing,
  leavesOutPast,
  listingPath,
  maximumPage,
  pageSize,
  readListing,
  sortsOf,
  toggled,
} from "./listing.ts";
import { invalidAddress } from "./notices.ts";
import { opportunityCard } from "./opportunity-card.ts";
import { topicPath } from "./site.ts";
import { lineOf } from "./text.ts";
import type { Visit } from "./visit.ts";
import { counted, formatNumber, nouns, valueName } from "./words.ts";

/** Scalar filters that have a field of their own in the page. */
const fieldNames = ["min_amount", "max_amount", "closing_within"];

/** `/funding`: the lists of grants and contracts. Every state of the page is an address. */
export async function listPage(visit: Visit): Promise<PageAnswer> {
  const listing = await readListing(visit.url.searchParams);
  if (!listing.ok) return invalidAddress(listing.problem, visit.site);
  const isEntrance = listingPath({ ...listing.value, dataset: "grants" }) === "/funding";
  return showListing(visit, listing.value, {
    heading: listing.value.dataset === "grants" ? "Find a grant" : "Find a government contract",
    intro: isEntrance ? introOf(listing.value) : undefined,
    path: listingPath(listing.value),
    isHidden: !isEntrance,
  });
}

/** How a list's page is presented. */
export interface Presentation {
  heading: string;
  intro?: string | undefined;
  path: string;
  isHidden: boolean;
  /** Whether the page is one below `/funding`. */
  isEntrance?: boolean;
}

export async function showListing(
  visit: Visit,
  listing: Listing,
  { heading, intro, path, isHidden, isEntrance = false }: Presentation,
): Promise<PageAnswer> {
  const found = await find(visit, listing);
  if (!found.ok) return invalidAddress(found.problem, visit.site);
  const { base } = visit.site;
  const { total, results, facets } = found.value;
  const count = counted(total, nouns[listing.dataset]);
  return {
    page: {
      title: titleOf(heading, listing),
      description: `${intro ?? heading}${intro === undefined ? "." : ""} ${count}${leavesOutPast(listing) ? ", open or upcoming" : ""}.`,
      path,
      isHidden,
      ...(isEntrance && { crumbs: [{ name: "Funding", path: "/funding" }] }),
      main: html`<div class="intro"><h1>${heading}</h1>${intro && html`<p>${intro}</p>`}</div>
${searchForm(listing, base)}
<div class="columns">
<section class="results" aria-labelledby="results">
<div class="summary"><h2 id="results">${count}${leavesOutPast(listing) && html` <span class="scope">open or upcoming</span>`}</h2>
<a class="jump" href="#filters">Filters</a></div>
${chips(listing, found.value, base)}
${total > 1 && sortLinks(listing, base)}
${results.map((record) => opportunityCard(listing.dataset, record, base, visit.now))}
${results.length === 0 && nothingFound(listing, base)}
${pages(listing, total, base)}
</section>
<aside id="filters" class="filters" aria-labelledby="filters-heading" tabindex="-1">
<h2 id="filters-heading">Filters</h2>
${fieldForm(listing, base)}
${facetList(listing, facets, base, listing.chosen.size === 0 && path === "/funding" ? entrancePath : undefined)}
</aside>
</div>
`,
    },
  };
}

function introOf({ dataset }: Listing): string {
  return dataset === "grants"
    ? "Grants from federal agencies, states and foundations: who may apply, how much, and by when."
    : "Contracts that government agencies want offers for: what they buy, set-asides, and by when.";
}

/** From the first page, topics and states lead to their own pages. */
function entrancePath(name: string, value: string): string | undefined {
  if (name === "states") return `/states/${value}`;
  return name === "category" ? topicPath(value) : undefined;
}

function titleOf(heading: string, { search, page }: Listing): string {
  const what = search === undefined ? heading : `${lineOf(search)}: ${heading.toLowerCase()}`;
  return page === 1 ? what : `${what}, page ${page}`;
}

/** The state that a form does not change, as hidden fields. */
function hiddenFields({ dataset, search, chosen, sort, hasPast }: Listing, without: readonly string[]): Html {
  const fields: [string, string][] = [
    ...(dataset === "grants" ? [] : [["dataset", dataset] as [string, string]]),
    ...(search === undefined ? [] : [["search", search] as [string, string]]),
    ...[...chosen].flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
    ...(hasPast ? [["past", "yes"] as [string, string]] : []),
    ...(sort === "newest" ? [["sort", sort] as [string, string]] : []),
  ];
  const kept = fields.filter(([name]) => !without.includes(name));
  return html`${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

function searchForm(listing: Listing, base: string): Html {
  return html`<form class="search" role="search" action="${base}/funding">
<label for="search">Search ${nouns[listing.dataset][1]}</label>
<div><input id="search" name="search" type="search" value="${listing.search ?? ""}" maxlength="400" autocomplete="off" dir="auto" data-base="${base}" data-suggestions="${base}/funding/suggest?dataset=${listing.dataset}&q=" placeholder="${listing.dataset === "grants" ? "after-school meals, rural broadband, a number" : "roof repair, software, a solicitation number"}">
<button type="submit">Search</button></div>
${hiddenFields(listing, ["search"])}
</form>`;
}

/** What is asked for, each with the list without it. */
function chips(listing: Listing, { results }: Found, base: string): Html | false {
  const labels = filterLabels(listing.dataset);
  const items = [...listing.chosen].flatMap(([name, values]) =>
    values.map((value) => ({
      label: `${labels.get(name)}: ${name === "funder_id" ? lineOf(results[0]?.funder_name ?? value) : valueName(name, value)}`,
      path: listingPath(toggled(listing, name, value)),
    })),
  );
  if (listing.search !== undefined) {
    const { search: _search, ...rest } = listing;
    const sort = listing.sort === "relevance" ? "closing" : listing.sort;
    items.unshift({ label: `“${lineOf(listing.search)}”`, path: listingPath({ ...rest, sort, page: 1 }) });
  }
  if (listing.hasPast) {
    items.push({ label: "With closed ones", path: listingPath({ ...listing, hasPast: false, page: 1 }) });
  }
  if (items.length === 0) return false;
  const { dataset } = listing;
  const clear = dataset === "grants" ? "/funding" : "/funding?dataset=contracts";
  return html`<ul class="chips" aria-label="What is asked for">${items.map(
    ({ label, path }) =>
      html`<li><a href="${base}${path}" rel="nofollow"><span dir="auto">${label}</span> <span aria-hidden="true">×</span><span class="hidden">, remove</span></a></li>`,
  )}${items.length > 1 && html`<li><a class="clear" href="${base}${clear}">Clear all</a></li>`}</ul>`;
}

function sortLinks(listing: Listing, base: string): Html {
  return html`<nav class="sort" aria-label="Order">${sortsOf(listing).map(({ name, label }) =>
    name === listing.sort
      ? html`<a href="${base}${listingPath({ ...listing, page: 1 })}" aria-current="true" rel="nofollow">${label}</a>`
      : html`<a href="${base}${listingPath({ ...listing, sort: name, page: 1 })}" rel="nofollow">${label}</a>`,
  )}</nav>`;
}

function fieldForm(listing: Listing, base: string): Html {
  const labels = filterLabels(listing.dataset);
  const names = fieldNames.filter((name) => labels.has(name));
  return html`<form class="fields" action="${base}/funding" aria-label="Amount and deadline">
${hiddenFields(listing, names)}${names.map(
  (
    name,
  ) => html`<div><label for="${name}">${labels.get(name)}</label><input id="${name}" name="${name}" inputmode="numeric" pattern="[0-9]*" title="A whole number" value="${listing.chosen.get(name)?.[0] ?? ""}" autocomplete="off"></div>
`,
)}<button type="submit">Apply</button>
</form>
<p class="past">${
    leavesOutPast(listing)
      ? html`<a href="${base}${listingPath({ ...listing, hasPast: true, page: 1 })}" rel="nofollow">Show closed ones, too</a>`
      : listing.hasPast &&
        html`<a href="${base}${listingPath({ ...listing, hasPast: false, page: 1 })}" rel="nofollow">Leave out closed ones</a>`
  }</p>`;
}

function nothingFound(listing: Listing, base: string): Html {
  const past = leavesOutPast(listing)
    ? html`<li><a href="${base}${listingPath({ ...listing, hasPast: true, page: 1 })}" rel="nofollow">Look among closed ones, too</a></li>`
    : false;
  const page =
    listing.page > 1 &&
    html`<li><a href="${base}${listingPath({ ...listing, page: 1 })}">Go to the first page</a></li>`;
  return html`<div class="nothing"><p>Nothing matches all of this.</p><ul>${page}${past}<li>Take a filter away, or use fewer or other words.</li><li><a href="${base}/funding">See all open grants</a></li></ul></div>`;
}

function pages(listing: Listing, total: number, base: string): Html | false {
  const last = Math.min(Math.max(1, Math.ceil(total / pageSize)), maximumPage);
  const { page } = listing;
  if (last === 1 || page > last) return false;
  const link = (to: number, rel: string, label: string) =>
    html`<a href="${base}${listingPath({ ...listing, page: to })}" rel="${rel}">${label}</a>`;
  return html`<nav class="pages" aria-label="Pages">${page > 1 ? link(page - 1, "prev", "← Back") : html`<span></span>`}<span>Page ${formatNumber(page)} of ${formatNumber(last)}</span>${page < last ? link(page + 1, "next", "Next →") : html`<span></span>`}</nav>`;
}
