import type { Webhook } from "../../../shared/responses/account/webhooks.ts";
import type { EventName } from "../../../shared/webhooks/events.ts";

/** The parts of a webhook that its owner chooses. */
export type WebhookDraft = Pick<
  Webhook,
  "url" | "description" | "events" | "filters" | "deadline_days" | "expand" | "updated_fields"
>;
export type UpdatedField = Webhook["updated_fields"][number];

export const datasets = ["grants", "contracts", "funders"] as const;
export type Dataset = (typeof datasets)[number];

/** Filter of a dataset, as the form has it. */
export interface FilterForm {
  /** Query string of the list; empty for none. */
  query: string;
  /** Without a query: the defaults of the list, which leave records out, and not all records. */
  hasDefaults: boolean;
}

/** Choice of the updates that a webhook is sent: all, those that move a deadline, or those of the fields that are chosen. */
export type UpdateChoice = "all" | "deadline" | "chosen";

/** State of the form of a webhook. */
export interface WebhookForm {
  url: string;
  description: string;
  events: readonly EventName[];
  filters: Readonly<Record<Dataset, FilterForm>>;
  days: string;
  updates: UpdateChoice;
  chosenFields: readonly UpdatedField[];
  hasDetails: boolean;
}

const defaultDays = [7];
const deadlineFields: readonly UpdatedField[] = ["deadline_date", "deadline_at"];

/** Initial state of a new webhook's form: a saved search as its filter. */
export interface WebhookPrefill {
  dataset: Dataset;
  filter: string;
  description: string;
}

/** The prefilled form that an address asks for: `new=grants&filter=search%3Dwater&description=Water`. */
export function prefillAt(search: string): WebhookPrefill | undefined {
  const parameters = new URLSearchParams(search);
  const dataset = datasets.find((known) => known === parameters.get("new"));
  if (dataset === undefined) return undefined;
  return { dataset, filter: parameters.get("filter") ?? "", description: parameters.get("description") ?? "" };
}

/** The form of a new webhook with a saved search as its filter. */
export function prefilledForm({ dataset, filter, description }: WebhookPrefill): WebhookForm {
  const form = formOf(undefined);
  return {
    ...form,
    description,
    events: [`${dataset.slice(0, -1)}.created` as EventName],
    filters: { ...form.filters, [dataset]: { query: filter, hasDefaults: filter === "" } },
  };
}

/** The form of a webhook, or of a new one. */
export function formOf(webhook: Webhook | undefined): WebhookForm {
  const filterOf = (dataset: Dataset): FilterForm => {
    const query = webhook?.filters[dataset];
    return { query: query ?? "", hasDefaults: query === "" };
  };
  const fields = webhook?.updated_fields ?? [];
  return {
    url: webhook?.url ?? "",
    description: webhook?.description ?? "",
    events: webhook?.events ?? ["grant.created"],
    filters: { grants: filterOf("grants"), contracts: filterOf("contracts"), funders: filterOf("funders") },
    days: (webhook?.deadline_days ?? defaultDays).join(", "),
    updates:
      fields.length === 0 ? "all" : isEqual([...fields].sort(), [...deadlineFields].sort()) ? "deadline" : "chosen",
    chosenFields: fields,
    hasDetails: webhook?.expand.includes("details") ?? false,
  };
}

/** Datasets whose events are chosen. */
export function datasetsOf(events: readonly EventName[]): readonly Dataset[] {
  return datasets.filter((dataset) => events.some((event) => event.startsWith(dataset.slice(0, -1))));
}

export const hasDeadlines = (events: readonly EventName[]) => events.some((event) => event.endsWith("approaching"));
export const hasUpdates = (events: readonly EventName[]) => events.some((event) => event.endsWith("updated"));

/** The webhook that a form describes. Fields that the form does not show for its events stay as `webhook` has them. */
export function draftOf(form: WebhookForm, webhook: Webhook | undefined): WebhookDraft {
  const shown = datasetsOf(form.events);
  const filters = datasets.flatMap((dataset) => {
    const filter = shown.includes(dataset) ? readFilter(form.filters[dataset]) : webhook?.filters[dataset];
    return filter === undefined ? [] : [[dataset, filter] as const];
  });
  return {
    url: form.url.trim(),
    description: form.description,
    events: [...form.events],
    filters: Object.fromEntries(filters),
    deadline_days: hasDeadlines(form.events) ? readDays(form.days) : (webhook?.deadline_days ?? defaultDays),
    expand: form.hasDetails ? ["details"] : [],
    updated_fields: hasUpdates(form.events) ? readFields(form) : (webhook?.updated_fields ?? []),
  };
}

/** The parts of a draft in which it differs from the webhook: only these are sent, so that the others stay as they are. */
export function changesOf(webhook: Webhook, draft: WebhookDraft): Partial<WebhookDraft> {
  const changed = Object.entries(draft).filter(([name, value]) => !isEqual(value, webhook[name as keyof WebhookDraft]));
  return Object.fromEntries(changed);
}

function readFilter({ query, hasDefaults }: FilterForm): string | undefined {
  const text = query.trim();
  return text !== "" ? text : hasDefaults ? "" : undefined;
}

function readDays(text: string): number[] {
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
}

function readFields({ updates, chosenFields }: WebhookForm): UpdatedField[] {
  if (updates === "all") return [];
  return updates === "deadline" ? [...deadlineFields] : [...chosenFields];
}

/** Whether two values are the same JSON, in whatever order their members are. */
function isEqual(one: unknown, other: unknown): boolean {
  const sorted = (_: string, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted);
}
