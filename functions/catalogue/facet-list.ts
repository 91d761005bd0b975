import type { Facets } from "../../shared/responses/lists.ts";
import { type Html, html } from "./html.ts";
import { facetsOf, filterLabels, isSame, type Listing, listingPath, toggled } from "./listing.ts";
import { formatNumber, valueName } from "./words.ts";

/** Values of a facet that are shown at once, and those that unfold. */
const shownValues = 6;
const unfoldedValues = 24;

/**
 * Facets as links: each adds its value to the filters, or takes it away, and has the number of records that it leaves by itself.
 *
 * @param pathOf path of a value's page, where it is not that of the list.
 */
export function facetList(
  listing: Listing,
  facets: Facets,
  base: string,
  pathOf: (name: string, value: string) => string | undefined = () => undefined,
): Html {
  const labels = filterLabels(listing.dataset);
  const shown = facetsOf(listing.dataset).filter((name) => (facets[name]?.length ?? 0) > 0);
  return html`${shown.map((name) => {
    const items = (facets[name] ?? []).slice(0, unfoldedValues).map(({ value, count }) => {
      const isChosen = (listing.chosen.get(name) ?? []).some((one) => isSame(one, value));
      const path = pathOf(name, value) ?? listingPath(toggled(listing, name, value));
      return html`<li><a href="${base}${path}" ${isChosen && html`aria-current="true" `}rel="nofollow"><span dir="auto">${valueName(name, value)}</span>${isChosen && html`<span class="hidden"> (chosen: take it away)</span>`} <span class="count">${formatNumber(count)}</span></a></li>`;
    });
    const rest = items.slice(shownValues);
    return html`<section class="facet" aria-labelledby="facet-${name}">
<h3 id="facet-${name}">${labels.get(name)}</h3>
<ul>${items.slice(0, shownValues)}</ul>
${rest.length > 0 && html`<details><summary>${rest.length} more<span class="hidden">: ${labels.get(name)}</span></summary><ul>${rest}</ul></details>`}
</section>
`;
  })}`;
}
