import type { PageAnswer } from "./answer.ts";
import { readPage } from "./find.ts";
import { type Html, html } from "./html.ts";
import { outside, webUrl } from "./link.ts";
import type { Opportunities } from "./listing.ts";
import { notFound } from "./notices.ts";
import { opportunityCard } from "./opportunity-card.ts";
import { filteredPath } from "./opportunity-facts.ts";
import { textSection } from "./opportunity-page.ts";
import { readFunder } from "./read-record.ts";
import { readId, recordPath } from "./site.ts";
import { excerpt, lineOf } from "./text.ts";
import type { Visit } from "./visit.ts";
import { counted, nouns } from "./words.ts";

/** Opportunities of each kind that the page shows; a link leads to the others. */
const shown = 10;

/** `/funders/{slug}-{id}`: a funder, and what can be applied for there. */
export async function funderPage(visit: Visit, segment: string): Promise<PageAnswer> {
  const { site } = visit;
  const id = readId(segment);
  const funder = id === undefined ? undefined : await readFunder(visit, id);
  if (funder === undefined) return notFound(site);
  const path = recordPath("funders", funder);
  if (path !== `/funders/${segment}`) return { movedTo: path };
  const [grants, contracts] = await Promise.all([
    openOf(visit, "grants", funder.id),
    openOf(visit, "contracts", funder.id),
  ]);
  const name = lineOf(funder.name);
  const website = webUrl(funder.website);
  return {
    page: {
      title: name,
      description: excerpt(funder.summary ?? "", 155) || `Open grants and contracts of ${name}.`,
      path,
      crumbs: [{ name: "Funding", path: "/funding" }],
      main: html`<div class="record"><header><h1 dir="auto">${name}</h1>
${website && html`<p class="from">${outside(website, website.host)}</p>`}</header>
${textSection("about", "About", funder.summary)}
${grants}${contracts}${!grants && !contracts && html`<p>Nothing of this funder is open or upcoming. <a href="${site.base}${filteredPath("grants", "funder_id", funder.id)}&amp;past=yes">See what was</a>.</p>`}</div>
`,
    },
  };
}

/** What is open or upcoming; undefined where nothing is. */
async function openOf(visit: Visit, dataset: Opportunities, funderId: string): Promise<Html | undefined> {
  const { base } = visit.site;
  const { results, total } = await readPage(visit, dataset, {
    ...{ limit: shown, offset: 0, search_mode: "keyword", count_only: false, opportunity_type: "open" },
    ...{
      funder_id: [funderId],
      status: ["open", "upcoming"],
      sort_by: "deadline_date",
      order: "asc",
      expand: ["details"],
    },
  });
  if (total === 0) return undefined;
  const all = filteredPath(dataset, "funder_id", funderId);
  return html`<section aria-labelledby="${dataset}"><h2 id="${dataset}">${counted(total, nouns[dataset])}, open or upcoming</h2>
${results.map((record) => opportunityCard(dataset, record, base, visit.now))}
${total > shown && html`<p><a href="${base}${all}">See all ${counted(total, nouns[dataset])}</a></p>`}</section>
`;
}
