import type { Award } from "../../shared/responses/awards.ts";
import type { OpportunityDetails } from "../../shared/responses/details.ts";
import { type Html, html } from "./html.ts";
import { recordPath } from "./site.ts";
import { lineOf } from "./text.ts";
import { bodyOf, type Visit } from "./visit.ts";
import { dollars } from "./words.ts";

/** Awards that a page names. */
const namedAwards = 5;

type DetailedAward = Award & { details: OpportunityDetails };

/** The newest awards of a grant opportunity, or of its programme before. */
export async function readAwards({ query }: Visit, id: string): Promise<DetailedAward[]> {
  const parameters = { limit: namedAwards, expand: ["details"] };
  const call = query.database.call("list_awards", { key_hash: query.keyHash, id, parameters });
  return ((await bodyOf(call))?.results ?? []) as DetailedAward[];
}

/** Who got money, how much and when, and what that has to do with the opportunity; undefined where nobody is known. */
export function awardList(awards: readonly DetailedAward[], base: string): Html | undefined {
  if (awards.length === 0) return undefined;
  return html`<ul class="awards">${awards.map((award) => {
    const { id, title, details, amount_max, created_at, link } = award;
    const amount = details.obligated_amount ?? amount_max;
    const facts = [
      ...(amount === null ? [] : [dollars(amount)]),
      created_at.slice(0, 4),
      link === "number" ? "awarded under this opportunity" : "earlier award of the same programme",
    ];
    const name = lineOf(details.recipient?.name ?? "") || lineOf(title);
    return html`<li><a href="${base}${recordPath("grants", { id, name: title })}" dir="auto">${name}</a> <span class="note">${facts.join(", ")}</span></li>`;
  })}</ul>`;
}
