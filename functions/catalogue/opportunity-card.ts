import type { OpportunityDetails } from "../../shared/responses/details.ts";
import { dayName, daysLeft, isSoon } from "./days.ts";
import type { Listed } from "./find.ts";
import { type Html, html } from "./html.ts";
import type { Opportunities } from "./listing.ts";
import { recordPath } from "./site.ts";
import { excerpt, lineOf } from "./text.ts";
import { amountRange, applicantName, dollars, isOpenStatus, statusName } from "./words.ts";

/** Kinds of applicants that a card names. */
const namedApplicants = 3;

/** An opportunity in a list: what decides whether to read on. */
export function opportunityCard(
  dataset: Opportunities,
  record: Listed,
  base: string,
  now: Date,
  level: 2 | 3 = 3,
): Html {
  const title = lineOf(record.title);
  const link = html`<a href="${base}${recordPath(dataset, { id: record.id, name: record.title })}" dir="auto">${title}</a>`;
  const text = excerpt(record.description, 220);
  return html`<article class="card">
${level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}
<p class="from">${badge(record.status, record.deadline_date, now)} <span dir="auto">${lineOf(record.funder_name)}</span></p>
${text !== "" && html`<p class="excerpt" dir="auto">${text}</p>`}
<dl class="brief">${briefFacts(record).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</article>
`;
}

function briefFacts(record: Listed): [name: string, value: string][] {
  const { deadline_date, project_end_date } = record;
  const details: Partial<OpportunityDetails> = record.details ?? {};
  const amount = amountRange(record.amount_min, record.amount_max);
  const total = details.total_funding;
  const types = details.applicant_types ?? [];
  const more = types.length - namedApplicants;
  return [
    ...(deadline_date === null ? [] : [["Deadline", dayName(deadline_date)] as [string, string]]),
    ...(project_end_date == null ? [] : [["Project ends", dayName(project_end_date)] as [string, string]]),
    ...(amount === undefined
      ? total == null || total <= 0
        ? []
        : [["In all", dollars(total)] as [string, string]]
      : [["Amount", amount] as [string, string]]),
    ...(record.geography === null ? [] : [["Where", lineOf(record.geography)] as [string, string]]),
    ...(types.length === 0
      ? []
      : [
          [
            "Who may apply",
            `${types.slice(0, namedApplicants).map(applicantName).join("; ")}${more > 0 ? `, and ${more} more` : ""}`,
          ] as [string, string],
        ]),
  ];
}

/** State of an opportunity in a word and, while it is open, the days that are left; without a deadline, the word alone. */
export function badge(status: string, deadline: string | null, now: Date): Html {
  const isOpen = isOpenStatus(status);
  const left = isOpen && deadline !== null ? daysLeft(deadline, now) : undefined;
  const kind = left !== undefined && deadline !== null && isSoon(deadline, now) ? "soon" : isOpen ? "open" : "plain";
  return html`<span class="badge ${kind}">${statusName(status)}${left !== undefined && `, ${left}`}</span>`;
}
