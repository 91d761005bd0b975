import type { OpportunityDetails } from "../../shared/responses/details.ts";
import { dayName, daysLeft, hourOf, isSoon, momentDay } from "./days.ts";
import { type Html, html } from "./html.ts";
import { mailTo, outside, webUrl } from "./link.ts";
import { listingPath, type Opportunities } from "./listing.ts";
import type { Opportunity } from "./read-record.ts";
import { lineOf } from "./text.ts";
import { amountRange, applicantName, dollars, formatNumber, instrumentName, isOpenStatus } from "./words.ts";

export type Fact = [name: string, value: Html | string];

/** What decides, at the top of a page: by when, how much, who; of a grant, whether a part has to be brought, of a contract, for whom it is set aside. */
export function decidingFacts(record: Opportunity, now: Date): Fact[] {
  const { details } = record;
  const both: Fact[] = [
    ["Deadline", deadlineFact(record, now)],
    ["Amount", amountFact(record)],
  ];
  if ("set_aside_code" in record) {
    const types = details.applicant_types.length > 0 || details.eligibility_text !== null;
    return [
      ...both,
      ["Set-aside", record.set_aside_code ?? html`<span class="missing">None named</span>`],
      ...(types ? [["Who may apply", applicantsFact(details)] as Fact] : []),
    ];
  }
  return [
    ...both,
    ["Who may apply", applicantsFact(details)],
    [
      "Match required",
      details.cost_sharing === null ? missing : details.cost_sharing ? "Yes: you bring a part of the money" : "No",
    ],
  ];
}

const missing = html`<span class="missing">The publisher does not say</span>`;

function deadlineFact({ deadline_date, status, details }: Opportunity, now: Date): Html {
  const note = details.deadline_note === null ? undefined : lineOf(details.deadline_note);
  if (deadline_date === null) return note === undefined ? missing : html`<span dir="auto">${note}</span>`;
  const hour = details.deadline_at === null ? undefined : hourOf(details.deadline_at);
  const isOpen = isOpenStatus(status);
  const left = daysLeft(deadline_date, now);
  const time = details.deadline_assumed ? ", end of the day, Eastern time" : hour === undefined ? "" : `, ${hour}`;
  return html`<time datetime="${details.deadline_at ?? deadline_date}">${dayName(deadline_date)}</time>${time}${isOpen && left !== undefined && html` <strong class="left${isSoon(deadline_date, now) && " soon"}">${left}</strong>`}${note !== undefined && html`<br><span class="note" dir="auto">${note}</span>`}`;
}

function amountFact({ amount_min, amount_max, details }: Opportunity): Html | string {
  const { total_funding, expected_awards } = details;
  const one = amountRange(amount_min, amount_max);
  const rest = [
    ...(total_funding === null || total_funding <= 0 ? [] : [`${dollars(total_funding)} in all`]),
    ...(expected_awards === null
      ? []
      : [`${formatNumber(expected_awards)} ${expected_awards === 1 ? "award" : "awards"} expected`]),
  ];
  if (one === undefined) return rest.length === 0 ? missing : rest.join(", ");
  return html`${one}${rest.length > 0 && html`<br><span class="note">${rest.join(", ")}</span>`}`;
}

function applicantsFact({ applicant_types, eligibility_text }: OpportunityDetails): Html {
  const types = applicant_types.filter((type) => type !== "custom" || eligibility_text === null);
  const words = eligibility_text === null ? undefined : html`<a href="#eligibility">The publisher's own words</a>`;
  if (types.length === 0) return words ?? missing;
  return html`<ul>${types.map((type) => html`<li>${applicantName(type)}</li>`)}</ul>${words}`;
}

/** Everything else that a publisher says of an opportunity, field by field. */
export function furtherFacts(record: Opportunity, dataset: Opportunities, base: string): Fact[] {
  const { details } = record;
  const facts: [string, Html | string | null | undefined | false][] = [
    ["Agency", agencyPath(record, dataset, base)],
    ["Number", details.opportunity_number],
    ["Assistance listing", details.assistance_listings.length > 0 && listings(record, dataset, base)],
    ["Given as", details.funding_instrument.map(instrumentName).join(", ")],
    ["Where", record.geography],
    ["Where the work is done", placeOf(details)],
    ["NAICS code", "naics" in record && record.naics],
    ["Product or service code", details.psc],
    ["Notice", details.notice_type],
    ["Contact", contactOf(record)],
    ["Recipient", details.recipient?.name],
    ["Award", details.award_number],
    ["Obligated", details.obligated_amount === null ? null : dollars(details.obligated_amount)],
    ["Project", projectOf(record)],
    ["Posted", momentDay(record.created_at)],
  ];
  return facts.flatMap(([name, value]): Fact[] => {
    if (typeof value === "string")
      return value.trim() === "" ? [] : [[name, html`<span dir="auto">${lineOf(value)}</span>`]];
    return value ? [[name, value]] : [];
  });
}

/** The organizations that publish a record, each within the one before, with what else each has. */
function agencyPath({ details, funder_name }: Opportunity, dataset: Opportunities, base: string): Html | string {
  if (details.agency.length === 0) return funder_name;
  return html`<ol class="path">${details.agency.map(
    (name) => html`<li><a href="${base}${filteredPath(dataset, "agency", name)}" dir="auto">${lineOf(name)}</a></li>`,
  )}</ol>`;
}

function listings({ details }: Opportunity, dataset: Opportunities, base: string): Html {
  return html`<ul>${details.assistance_listings.map(
    ({ number, title }) =>
      html`<li><a href="${base}${filteredPath(dataset, "assistance_listing", number)}">${number}</a>${title !== null && html` <span dir="auto">${lineOf(title)}</span>`}</li>`,
  )}</ul>`;
}

/** Path of the list with one filter. */
export function filteredPath(dataset: Opportunities, name: string, value: string): string {
  return listingPath({ dataset, chosen: new Map([[name, [value]]]), sort: "closing", page: 1, hasPast: false });
}

function placeOf({ place_of_performance: place }: OpportunityDetails): string {
  if (place === null) return "";
  return [place.city, place.state, place.zip, place.country].filter((part) => part !== null).join(", ");
}

function projectOf({ details, project_end_date }: Opportunity): string {
  const [start, end] = [details.project_start_date, project_end_date ?? null];
  if (start !== null && end !== null) return `${dayName(start)} to ${dayName(end)}`;
  if (start !== null) return `from ${dayName(start)}`;
  return end === null ? "" : `until ${dayName(end)}`;
}

function contactOf(record: Opportunity): Html | undefined {
  const { contact } = record.details;
  const email = contact?.email ?? ("primary_contact_email" in record ? record.primary_contact_email : null);
  const parts = [
    ...(contact?.name == null ? [] : [html`<span dir="auto">${lineOf(contact.name)}</span>`]),
    ...(email === null ? [] : [mailTo(email)]),
    ...(contact?.phone == null ? [] : [html`<span>${contact.phone}</span>`]),
  ];
  return parts.length === 0 ? undefined : html`${parts.map((part, index) => html`${index > 0 && html`<br>`}${part}`)}`;
}

/** A link to the notice, in whose words one applies; undefined where there is none. */
export function noticeLink({ listing_url, status }: Opportunity): Html | undefined {
  const url = webUrl(listing_url);
  if (url === undefined) return undefined;
  const isOpen = isOpenStatus(status);
  return html`<a class="apply" href="${url.href}" rel="noopener noreferrer nofollow external">${isOpen ? "Apply" : "Read the notice"} at ${url.host}</a>`;
}

/** The source of a record as a link to its notice, where there is one. */
export function sourceFact({ listing_url, details }: Opportunity): Html {
  const url = webUrl(listing_url);
  return html`From ${url === undefined ? details.source : outside(url, details.source)}, updated here on <time datetime="${details.updated_at}">${momentDay(details.updated_at)}</time>.`;
}
