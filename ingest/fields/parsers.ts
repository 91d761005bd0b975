import { emailOf, urlOf } from "./address.ts";
import { amountOf } from "./amount.ts";
import { classificationOf } from "./classification.ts";
import { naicsOf, setAsideOf, sourceIdOf } from "./code.ts";
import { dayOf, momentOf } from "./date.ts";
import { flagOf } from "./flag.ts";
import { identifiersOf, listOf } from "./list.ts";
import { placeLineOf } from "./place.ts";
import { contractStatusOf, grantStatusOf } from "./status.ts";
import { lineOf, one, paragraphsOf, titleOf } from "./value.ts";

const provenance = {
  source_id: one(sourceIdOf),
  created_at: one(momentOf),
};

const opportunity = {
  ...provenance,
  title: one(titleOf),
  description: paragraphsOf,
  amount_min: one(amountOf),
  amount_max: one(amountOf),
  deadline_date: one(dayOf),
  project_end_date: one(dayOf),
  classification: one(classificationOf),
  // Read together, as a place.
  states: (values: readonly unknown[]) => values,
  geography: one(placeLineOf),
  is_national: one(flagOf),
  place_country: one(lineOf),
  place_zip: one(lineOf),
  funder_name: one(titleOf),
  funder_source_id: one(sourceIdOf),
  listing_url: one(urlOf),
  archived_at: one(momentOf),
  categories: listOf,
  identifiers: identifiersOf,
};

/** What each field of each dataset makes of a row's values. Their names are the target fields. */
export const parsers = {
  grants: { ...opportunity, status: one(grantStatusOf) },
  contracts: {
    ...opportunity,
    status: one(contractStatusOf),
    document_url: one(urlOf),
    naics: one(naicsOf),
    primary_contact_email: one(emailOf),
    set_aside_code: one(setAsideOf),
  },
  funders: {
    ...provenance,
    name: one(titleOf),
    summary: (values: readonly unknown[]) => paragraphsOf(values) || null,
    website: one(urlOf),
  },
};

/** Fields of which a value that cannot be read is left out, with a note, rather than cost the record. */
export const lenientFields: ReadonlySet<string> = new Set([
  "amount_min",
  "amount_max",
  "listing_url",
  "document_url",
  "website",
  "naics",
  "primary_contact_email",
]);

/** Fields that hold a day or a moment. */
export const dateFields: ReadonlySet<string> = new Set([
  "created_at",
  "deadline_date",
  "project_end_date",
  "archived_at",
]);

/** Other names that columns and `--map` may use for a field. */
export const fieldAliases: Readonly<Record<string, string>> = {
  state: "states",
  id: "source_id",
  funder: "funder_name",
  deadline: "deadline_date",
  url: "listing_url",
  posted: "created_at",
  naics_code: "naics",
  set_aside: "set_aside_code",
  email: "primary_contact_email",
};
