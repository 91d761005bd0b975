import type { FieldChange, RecordChanges } from "../../shared/responses/changes.ts";
import { dayName, momentDay } from "./days.ts";
import { type Html, html } from "./html.ts";
import type { Opportunities } from "./listing.ts";
import { excerpt } from "./text.ts";
import { bodyOf, type Visit } from "./visit.ts";
import { capitalize, dollars, statusName } from "./words.ts";

/** Changes that a page tells. */
const toldChanges = 10;

type Change = RecordChanges["results"][number];

export async function readChanges({ query }: Visit, dataset: Opportunities, id: string): Promise<Change[]> {
  const call = query.database.call("get_changes", { key_hash: query.keyHash, dataset, id, maximum: toldChanges });
  return (await bodyOf(call))?.results ?? [];
}

/** What changed in a record, newest first, in words; undefined where nothing did. */
export function changeList(changes: readonly Change[]): Html | undefined {
  if (changes.length === 0) return undefined;
  return html`<ol class="history">${changes.map(
    ({ changed_at, changes: fields }) =>
      html`<li><time datetime="${changed_at}">${momentDay(changed_at)}</time><ul>${fields.map((field) => html`<li>${changeWords(field)}</li>`)}</ul></li>`,
  )}</ol>`;
}

/** Names of fields where the words of their own name are not enough. */
const names: Readonly<Record<string, string>> = {
  deadline_date: "Deadline",
  amount_min: "Least amount",
  amount_max: "Largest amount",
  listing_url: "Address of the notice",
  eligibility_text: "Who may apply",
  naics: "NAICS code",
  psc: "Product or service code",
};

function changeWords({ field, from, to }: FieldChange): Html {
  const name = names[field] ?? capitalize(field.replaceAll("_", " "));
  if (field === "archived_at") return to === null ? html`Listed again` : html`Taken off the list by its publisher`;
  const [before, after] = [valueWords(field, from), valueWords(field, to)];
  if (before !== undefined && after !== undefined) {
    return html`${name}: <del dir="auto">${before}</del> → <ins dir="auto">${after}</ins>`;
  }
  if (after !== undefined && isEmpty(from)) return html`${name} added: <ins dir="auto">${after}</ins>`;
  return isEmpty(to) ? html`${name} removed` : html`${name} changed`;
}

/** A value in a few words; undefined where it has more. */
function valueWords(field: string, value: unknown): string | undefined {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return /amount|funding/.test(field) ? dollars(value) : String(value);
  if (typeof value !== "string" || value === "" || value.length > 120) return undefined;
  if (field === "status") return statusName(value);
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return dayName(value);
  return /^\d{4}-\d\d-\d\dT/.test(value) ? momentDay(value) : excerpt(value, 120);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
