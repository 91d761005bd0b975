import { webUrl } from "./link.ts";
import type { Opportunity } from "./read-record.ts";
import { excerpt, lineOf } from "./text.ts";

/** A grant in the words of schema.org. */
export function monetaryGrant(record: Opportunity, address: string, funderAddress: string): object {
  const { title, description, amount_min, amount_max, funder_name, details } = record;
  const notice = webUrl(record.listing_url);
  const isRange = amount_min !== null || amount_max !== null;
  return {
    "@context": "https://schema.org",
    "@type": "MonetaryGrant",
    name: lineOf(title),
    description: excerpt(description, 500),
    url: address,
    ...(notice !== undefined && { sameAs: notice.href }),
    ...(details.opportunity_number !== null && { identifier: details.opportunity_number }),
    ...(isRange && {
      amount: {
        "@type": "MonetaryAmount",
        currency: "USD",
        ...(amount_min !== null && { minValue: amount_min }),
        ...(amount_max !== null && { maxValue: amount_max }),
      },
    }),
    funder: { "@type": "Organization", name: lineOf(funder_name), url: funderAddress },
  };
}
