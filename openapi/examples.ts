import { detailSchemas } from "../shared/catalogue/details.ts";
import { noDetails } from "../shared/catalogue/fields.generated.ts";
import type { FunderDetails, OpportunityDetails } from "../shared/responses/details.ts";
import type { ListMeta } from "../shared/responses/lists.ts";
import type { Contract, Funder, Grant } from "../shared/responses/records.ts";

export const grantExample: Grant = {
  id: "cb75c555-bd5f-891d-a251-07bba87727b9",
  title: "Lunch All Summer Program",
  description:
    "The Lunch All Summer Program helps summer camps and food banks open more places where children can eat.",
  amount_min: null,
  amount_max: 250000,
  deadline_date: "2027-03-05",
  status: "posted",
  geography: "National",
  funder_id: "3fcba028-2b9c-8a62-a983-a71781e55569",
  funder_name: "Food and Nutrition Service",
  listing_url: "https://grants.usda-fns.example.gov/opportunities/usda-fns-26-00080",
  created_at: "2026-07-03T16:43:30.000Z",
  categories: ["Food and Nutrition", "Education"],
};

/** Each detail's first example. */
const declaredExamples = Object.fromEntries(
  Object.entries(detailSchemas).flatMap(([name, schema]) => {
    const [example] = (schema.meta()?.examples ?? []) as unknown[];
    return example === undefined ? [] : [[name, example]];
  }),
);

export const detailsExample: OpportunityDetails = {
  ...noDetails,
  ...declaredExamples,
  notice_type: null,
  psc: null,
  deadline_note: null,
  same_as: [],
  source: "demo",
  updated_at: "2026-11-20T14:00:19.873Z",
};

export const contractExample: Contract = {
  id: "7b1f5a0e-3c44-8d7e-b5a9-1f0c2d3e4a5b",
  title: "Renewal of the boiler plant, building 12",
  description: "The contractor replaces two steam boilers and their controls.",
  amount_min: 400000,
  amount_max: 900000,
  deadline_date: "2027-01-15",
  status: "open",
  geography: "Dayton, OH",
  document_url: null,
  listing_url: "https://contracts.example.gov/opportunities/fa8601-26-r-0012",
  naics: "238220",
  primary_contact_email: "contracting@example.gov",
  set_aside_code: "HZC",
  funder_id: "5d0a1c9b-70f2-8b3c-9e4d-6a7b8c9d0e1f",
  funder_name: "Department of the Air Force",
  created_at: "2026-10-02T13:00:00.000Z",
  categories: ["Construction"],
};

export const funderExample: Funder = {
  id: "3fcba028-2b9c-8a62-a983-a71781e55569",
  name: "Food and Nutrition Service",
  summary: "Runs the nation's nutrition programs for schools, families and summer meals.",
  website: "https://usda-fns.example.gov",
  created_at: "2019-04-01T00:00:00.000Z",
};

export const funderDetailsExample: FunderDetails = {
  ein: null,
  source: "demo",
  updated_at: "2026-11-20T14:00:19.873Z",
};

const meta: ListMeta = {
  response_time_ms: 3.1,
  sort_by: "created_at",
  order: "desc",
  search_mode: "keyword",
  data_as_of: "2026-11-20T14:00:19.873Z",
};

/** Example of a list with one record. */
export function listExample(record: object, sorted: Partial<ListMeta> = {}) {
  return {
    results: [record],
    pagination: { total: 1, limit: 20, offset: 0, returned: 1, next: null },
    meta: { ...meta, ...sorted },
  };
}

export const semanticSearchExample = {
  results: [{ ...grantExample, type: "grants", relevance_score: 0.61 }],
  meta: {
    response_time_ms: 12.4,
    search_mode: "semantic",
    limit: 10,
    returned: 1,
    data_as_of: "2026-11-20T14:00:19.873Z",
  },
};
