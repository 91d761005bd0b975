import type { PageAnswer } from "./answer.ts";
import { awardList, readAwards } from "./awards.ts";
import { daysUntil } from "./days.ts";
import { documentList, documentsOf } from "./documents.ts";
import { readPage, readTopics } from "./find.ts";
import { changeList, readChanges } from "./history.ts";
import { type Html, html } from "./html.ts";
import type { Opportunities } from "./listing.ts";
import { notFound, withdrawn } from "./notices.ts";
import { badge } from "./opportunity-card.ts";
import { decidingFacts, type Fact, furtherFacts, noticeLink, sourceFact } from "./opportunity-facts.ts";
import { type Opportunity, readOpportunity } from "./read-record.ts";
import { readId, recordPath, topicPath } from "./site.ts";
import { monetaryGrant } from "./structured-data.ts";
import { excerpt, lineOf, paragraphsOf } from "./text.ts";
import { optional, type Visit } from "./visit.ts";
import { nouns } from "./words.ts";

/** Similar opportunities that a page names. */
const namedSimilar = 5;

/** `/grants/{slug}-{id}` and `/contracts/{slug}-{id}`: all that is known of an opportunity. */
export async function opportunityPage(visit: Visit, dataset: Opportunities, segment: string): Promise<PageAnswer> {
  const { site } = visit;
  const id = readId(segment);
  const record = id === undefined ? undefined : await readOpportunity(visit, dataset, id);
  if (record === undefined) return notFound(site);
  const path = recordPath(dataset, { id: record.id, name: record.title });
  if (path !== `/${dataset}/${segment}`) return { movedTo: path };
  if (record.archived_at !== null) {
    const link = noticeLink(record);
    return withdrawn(lineOf(record.title), link && html`<p>${link}</p>`, site);
  }
  const [changes, similar, awards, topics] = await Promise.all([
    readChanges(visit, dataset, record.id),
    optional(visit, readSimilar(visit, dataset, record.id), []),
    dataset === "grants" ? optional(visit, readAwards(visit, record.id), []) : [],
    dataset === "grants" ? optional(visit, topicsOf(visit, record), []) : topicsWithoutPages(record),
  ]);
  const listed = record.details.same_as.find(({ is_listed }) => is_listed);
  const funderPath = recordPath("funders", { id: record.funder_id, name: record.funder_name });
  return {
    page: {
      title: lineOf(record.title),
      description: excerpt(record.description, 155) || `${lineOf(record.funder_name)}: ${lineOf(record.title)}`,
      path,
      isHidden: !isForSearchEngines(record, visit.now),
      crumbs: crumbsOf(topics, dataset),
      data:
        dataset === "grants"
          ? [monetaryGrant(record, `${site.origin}${site.base}${path}`, `${site.origin}${site.base}${funderPath}`)]
          : [],
      main: html`<article class="record">
<header><h1 dir="auto">${lineOf(record.title)}</h1>
<p class="from">${badge(record.status, null, visit.now)} <a href="${site.base}${funderPath}" dir="auto">${lineOf(record.funder_name)}</a></p>${
        listed &&
        html`
<p class="note"><a href="${site.base}/${dataset}/${listed.id}">See the current record of this opportunity</a></p>`
      }</header>
<section class="deciding" aria-label="In short">${factList(decidingFacts(record, visit.now))}
<p class="actions">${noticeLink(record)}${record.deadline_date !== null && html`<a class="calendar" href="${site.base}${path}/deadline.ics">Put the deadline in a calendar</a>`}</p></section>
<div class="columns">
<div class="text">
${textSection("about", "What it is for", record.description)}
${textSection("eligibility", "Who may apply, in the publisher's words", record.details.eligibility_text)}
${section("documents", "Documents", documentList(documentsOf(record)))}
${section("awards", "Awards", awardList(awards, site.base))}
${section("similar", `Similar ${nouns[dataset][1]}`, similarList(similar, dataset, site.base))}
${section("history", "What changed", changeList(changes))}
</div>
<aside class="facts" aria-labelledby="facts"><h2 id="facts">Facts</h2>${factList([...furtherFacts(record, dataset, site.base), ...topicFacts(topics, site.base)])}</aside>
</div>
<footer class="source"><p>${sourceFact(record)}</p></footer>
</article>
`,
    },
  };
}

/** Days after its end from which on search engines leave a page out. */
const keptDays = 365;

/** Whether a page is for search engines: not that of an older notice, or of what ended long ago. `funding.has_address` says the same for the sitemaps. */
function isForSearchEngines({ details, deadline_date, project_end_date }: Opportunity, now: Date): boolean {
  const end = deadline_date ?? project_end_date ?? null;
  const isOlder = details.same_as.some(({ is_listed }) => is_listed);
  return !isOlder && (end === null || daysUntil(end, now) >= -keptDays);
}

/** A category of a record. It has a page where it is among the most frequent of current grants. */
interface Topic {
  name: string;
  path?: string | undefined;
}

async function topicsOf(visit: Visit, { categories }: Opportunity): Promise<Topic[]> {
  const known = new Set((await readTopics(visit)).map(({ value }) => topicPath(value)));
  return categories.map((name) => {
    const path = topicPath(name);
    return known.has(path) ? { name, path } : { name };
  });
}

function topicsWithoutPages({ categories }: Opportunity): Topic[] {
  return categories.map((name) => ({ name }));
}

function crumbsOf([topic]: readonly Topic[], dataset: Opportunities) {
  if (dataset === "contracts") return [{ name: "Contracts", path: "/funding?dataset=contracts" }];
  return [
    { name: "Funding", path: "/funding" },
    ...(topic?.path === undefined ? [] : [{ name: lineOf(topic.name), path: topic.path }]),
  ];
}

function topicFacts(topics: readonly Topic[], base: string): Fact[] {
  if (topics.length === 0) return [];
  const items = topics.map(({ name, path }) =>
    path === undefined
      ? html`<li dir="auto">${lineOf(name)}</li>`
      : html`<li><a href="${base}${path}" dir="auto">${lineOf(name)}</a></li>`,
  );
  return [["Topics", html`<ul>${items}</ul>`]];
}

export function factList(facts: readonly Fact[]): Html {
  return html`<dl>${facts.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>
`,
  )}</dl>`;
}

function section(id: string, heading: string, content: Html | undefined): Html | undefined {
  return (
    content &&
    html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${content}</section>`
  );
}

/** A publisher's text, in paragraphs. */
export function textSection(id: string, heading: string, text: string | null): Html | undefined {
  const { paragraphs, isCut } = paragraphsOf(text ?? "");
  if (paragraphs.length === 0) return undefined;
  return section(
    id,
    heading,
    html`${paragraphs.map(
      (paragraph) => html`<p dir="auto">${lines(paragraph)}</p>
`,
    )}${isCut && html`<p class="note">The notice has more.</p>`}`,
  );
}

function lines(paragraph: string): Html {
  return html`${paragraph.split("\n").map((line, index) => html`${index > 0 && html`<br>`}${line.trim()}`)}`;
}

async function readSimilar(visit: Visit, dataset: Opportunities, id: string) {
  const status = ["open", "upcoming"];
  const { results } = await readPage(visit, dataset, {
    ...{ similar_to: id, limit: namedSimilar, offset: 0, search_mode: "keyword", count_only: false },
    ...{ opportunity_type: "open", status },
  });
  return results;
}

function similarList(
  records: readonly { id: string; title: string; funder_name: string }[],
  dataset: Opportunities,
  base: string,
): Html | undefined {
  if (records.length === 0) return undefined;
  return html`<ul class="similar">${records.map(
    ({ id, title, funder_name }) =>
      html`<li><a href="${base}${recordPath(dataset, { id, name: title })}" dir="auto">${lineOf(title)}</a> <span class="note" dir="auto">${lineOf(funder_name)}</span></li>`,
  )}</ul>`;
}
