import { type EventName, type EventPayload, eventNames } from "./events.ts";

const grant = {
  id: "cb75c555-bd5f-891d-a251-07bba87727b9",
  title: "Clean Water Infrastructure for Small Towns",
  description: "Grants to towns of fewer than 10,000 people for drinking water and wastewater systems.",
  amount_min: 50_000,
  amount_max: 750_000,
  deadline_date: "2027-03-05",
  status: "posted",
  geography: "Ohio",
  funder_id: "3fcba028-2b9c-8a62-a983-a71781e55569",
  funder_name: "Ohio Department of Natural Resources",
  listing_url: "https://grants.example.gov/opportunities/odnr-27-00080",
  created_at: "2026-11-20T16:43:30.000Z",
  categories: ["Environment", "Infrastructure"],
};

const contract = {
  id: "0a6a3a7c-7f0e-8d5b-a1b2-9b2f54a1c3d4",
  title: "Roof Replacement, Federal Building, Columbus",
  description: "Replacement of 40,000 square feet of roofing.",
  amount_min: null,
  amount_max: 1_200_000,
  deadline_date: "2027-01-15",
  status: "open",
  geography: "Ohio",
  document_url: "https://contracts.example.gov/documents/47PF0027R0012.pdf",
  listing_url: "https://contracts.example.gov/opportunities/47PF0027R0012",
  naics: "238160",
  primary_contact_email: "contracting@agency.example.gov",
  set_aside_code: "SBA",
  funder_id: "7d1b1a0e-4c55-8f3a-a0c9-2f1f0b1f7a11",
  funder_name: "General Services Administration",
  created_at: "2026-11-20T09:12:00.000Z",
  categories: ["Construction"],
};

const funder = {
  id: "3fcba028-2b9c-8a62-a983-a71781e55569",
  name: "Ohio Department of Natural Resources",
  summary: "State agency for parks, wildlife, forestry and water.",
  website: "https://www.odnr.example.gov",
  created_at: "2026-01-05T00:00:00.000Z",
};

const records = { grant, contract, funder };

/** Sample payload of each event, for the tests, the documentation and "send test". */
export const samples = Object.fromEntries(
  eventNames.map((event, index) => [event, createSample(event, index)]),
) as Record<EventName, EventPayload>;

function createSample(event: EventName, index: number): EventPayload {
  const [kind] = event.split(".") as [keyof typeof records];
  return {
    id: `8f14e45f-ceea-467f-a0e6-f3b0c44298f${index}`,
    event,
    created_at: "2026-11-20T16:43:31.250Z",
    data: records[kind],
  };
}
