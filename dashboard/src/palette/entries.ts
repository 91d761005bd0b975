import type { AccountKey } from "../../../shared/responses/account/keys.ts";
import type { LoggedRequest } from "../../../shared/responses/account/requests.ts";
import type { IconName } from "../components/icon-paths.ts";
import type { Dataset } from "../explorer/datasets.ts";

/** Something that the palette leads to. */
export interface Entry {
  id: string;
  name: string;
  /** What tells it from others of its name. */
  detail?: string;
  icon: IconName;
  /** A path of the dashboard, or an address elsewhere. */
  href: string;
  /** What the page there is told besides its address. */
  state?: object;
}

/** Entries of a kind. */
export interface EntryGroup {
  value: string;
  items: readonly Entry[];
}

/** A record that was found for the text. */
export interface FoundRecord {
  dataset: Exclude<Dataset, "semantic">;
  id: string;
  title: string;
  funder_name?: string;
}

/** Limit of the keys shown at once. */
const shownKeys = 5;

/** Whether each word of a text is in another, in upper or lower case. */
export function hasWords(text: string, words: string): boolean {
  const within = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => within.includes(word));
}

/** Whether a text can be the id of a request: one word, as long as a short id. Clients choose theirs. */
export function mayBeRequestId(text: string): boolean {
  return /^\S{8,200}$/.test(text) && /[\d-]/.test(text);
}

/** Entries for what was typed, by kind. Without a text: the pages. */
export function entriesFor(
  typed: string,
  known: {
    pages: readonly Entry[];
    keys: readonly AccountKey[];
    request: LoggedRequest | undefined;
    records: readonly FoundRecord[];
  },
): EntryGroup[] {
  const text = typed.trim();
  const groups = [
    { value: "Pages", items: known.pages.filter(({ name }) => hasWords(name, text)) },
    { value: "Keys", items: text === "" ? [] : keyEntries(known.keys, text) },
    { value: "Requests", items: known.request === undefined ? [] : [requestEntry(known.request)] },
    // Records come later than the rest: what Enter takes stays in its place.
    { value: "Records", items: text === "" ? [] : [...searchEntries(text), ...known.records.map(recordEntry)] },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

function keyEntries(keys: readonly AccountKey[], text: string): Entry[] {
  const found = keys.filter(({ name, display }) => hasWords(`${name} ${display}`, text)).slice(0, shownKeys);
  return found.map(({ id, name, display, status }) => ({
    id: `key ${id}`,
    name,
    detail: status === "active" ? display : `${display}, ${status}`,
    icon: "key",
    href: "/keys",
    state: { key: id },
  }));
}

function requestEntry({ request_id, method, endpoint, status }: LoggedRequest): Entry {
  return {
    id: `request ${request_id}`,
    name: `${method} /${endpoint}`,
    detail: `${status}, ${request_id}`,
    icon: "requests",
    href: `/requests/${encodeURIComponent(request_id)}`,
  };
}

function recordEntry({ dataset, id, title, funder_name }: FoundRecord): Entry {
  return {
    id: `record ${id}`,
    name: title,
    detail: [dataset === "grants" ? "grant" : "contract", funder_name].filter(Boolean).join(", "),
    icon: "explorer",
    href: `/explorer?${new URLSearchParams({ dataset, id })}`,
    state: { send: true },
  };
}

/** Searches in the explorer, which makes a key where there is none. */
function searchEntries(text: string): Entry[] {
  return (["grants", "contracts", "funders"] as const).map((dataset) => ({
    id: `search ${dataset}`,
    name: `Search ${dataset} for “${text}”`,
    icon: "search",
    href: `/explorer?${new URLSearchParams({ dataset, search: text })}`,
    state: { send: true },
  }));
}
