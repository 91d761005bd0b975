import { fail, type Outcome, succeed } from "../../shared/http/problems.ts";
import type { Suggestion } from "../../shared/responses/suggestions.ts";
import { readQuery } from "../../shared/validation/query.ts";
import { suggestions } from "../../shared/validation/suggestions.ts";
import type { PageAnswer } from "./answer.ts";
import { filterLabels, listingPath, type Opportunities } from "./listing.ts";
import { invalidAddress } from "./notices.ts";
import { recordPath } from "./site.ts";
import { bodyOf, type Visit } from "./visit.ts";
import { capitalize, nouns } from "./words.ts";

/** A page that may be meant: what it is, its name, and its path after the site's base. */
interface Destination {
  kind: string;
  label: string;
  path: string;
}

const maximum = 8;

/** `/funding/suggest?q=...&dataset=...`: pages that a visitor may mean by what was typed so far. The search field's script asks for them. */
export async function suggestPages(visit: Visit): Promise<PageAnswer> {
  const typed = readTyped(visit.url.searchParams);
  if (!typed.ok) return invalidAddress(typed.problem, visit.site);
  const { q, kinds, limit } = typed.value;
  const { database, keyHash } = visit.query;
  const { results } = await bodyOf(
    database.call("suggest", { key_hash: keyHash, typed: q, kinds: [...kinds], maximum: limit }),
  );
  const dataset = visit.url.searchParams.get("dataset") === "contracts" ? "contracts" : "grants";
  const pages = results.flatMap((suggestion) => destinationOf(suggestion, dataset) ?? []);
  return {
    text: JSON.stringify(pages.slice(0, maximum)),
    contentType: "application/json; charset=utf-8",
    maxAgeSeconds: 60,
  };
}

function readTyped(given: URLSearchParams): Outcome<(typeof suggestions.schema)["_output"]> {
  const query = new URLSearchParams({ q: given.get("q") ?? "", limit: "20" });
  const read = readQuery(`?${query}`, suggestions);
  return read.ok ? succeed(read.value) : fail(read.problem);
}

/** The page of a suggestion; undefined where the list has nothing of it, or no filter for it. */
function destinationOf({ kind, value, label, datasets }: Suggestion, dataset: Opportunities): Destination | undefined {
  const list = { dataset, chosen: new Map<string, string[]>(), page: 1, hasPast: false };
  if (kind === "title") {
    const own = (["grants", "contracts", "funders"] as const).find((name) => datasets[name] !== undefined);
    if (own === undefined || (own !== dataset && own !== "funders")) return undefined;
    return { kind: capitalize(nouns[own][0]), label, path: recordPath(own, { id: value, name: label }) };
  }
  if (kind === "funder") return { kind: "Funder", label, path: recordPath("funders", { id: value, name: label }) };
  if ((datasets[dataset] ?? 0) === 0) return undefined;
  if (kind === "word")
    return { kind: "Search", label, path: listingPath({ ...list, search: value, sort: "relevance" }) };
  const filter = filterLabels(dataset).get(kind);
  if (filter === undefined) return undefined;
  return { kind: filter, label, path: listingPath({ ...list, chosen: new Map([[kind, [value]]]), sort: "closing" }) };
}
