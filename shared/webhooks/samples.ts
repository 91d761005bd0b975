import { noDetails } from "../catalogue/fields.generated.ts";
import type { FieldChange } from "../responses/changes.ts";
import type { OpportunityDetails } from "../responses/details.ts";
import { type EventName, type EventPayload, eventNames, withTestMark } from "./events.ts";
import { isSampleId, sampleIds } from "./sample-ids.ts";

const grant = {
  id: sampleIds.grant,
  title: "Clean Water Infrastructure for Small Towns",
  description: "Grants to towns of fewer than 10,000 people for drinking water and wastewater systems.",
  amount_min: 50_000,
  amount_max: 750_000,
  deadline_date: "2027-03-05",
  status: "posted",
  geography: "Ohio",
  funder_id: sampleIds.funder,
  funder_name: "Ohio Department of Natural Resources",
  listing_url: "https://grants.example.gov/opportunities/odnr-27-00080",
  created_at: "2026-11-20T16:43:30.000Z",
  categories: ["Environment", "Infrastructure"],
};

const contract = {
  id: sampleIds.contract,
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
  funder_id: sampleIds.agency,
  funder_name: "General Services Administration",
  created_at: "2026-11-20T09:12:00.000Z",
  categories: ["Construction"],
};

const funder = {
  id: sampleIds.funder,
  name: "Ohio Department of Natural Resources",
  summary: "State agency for parks, wildlife, forestry and water.",
  website: "https://www.odnr.example.gov",
  created_at: "2026-01-05T00:00:00.000Z",
};

const records = { grant, contract, funder };

const source = { source: "grants-gov", updated_at: "2026-11-20T16:43:31.000Z" };

const grantDetails: OpportunityDetails = {
  ...noDetails,
  opportunity_number: "ODNR-27-00080",
  notice_type: "Grant",
  agency: ["Ohio Department of Natural Resources", "Division of Water Resources"],
  applicant_types: ["government_county", "government_municipal"],
  eligibility_text: "Towns, villages and counties of fewer than 10,000 people.",
  assistance_listings: [{ number: "66.468", title: "Capitalization Grants for Drinking Water State Revolving Funds" }],
  funding_instrument: ["grant"],
  cost_sharing: false,
  expected_awards: 12,
  total_funding: 6_000_000,
  documents: [
    {
      name: "Guidance.pdf",
      url: "https://grants.example.gov/documents/odnr-27-00080.pdf",
      type: "application/pdf",
      size: 248_131,
      updated_at: "2026-11-19T14:00:00.000Z",
    },
  ],
  deadline_at: "2027-03-05T23:59:00-05:00",
  deadline_assumed: true,
  deadline_note: "Applications in paper must arrive by 5 p.m. local time.",
  same_as: [],
  ...source,
};

const details = {
  grant: grantDetails,
  contract: {
    ...noDetails,
    ...source,
    same_as: [],
    opportunity_number: "47PF0027R0012",
    notice_type: "Solicitation",
    agency: ["General Services Administration", "Public Buildings Service"],
    funding_instrument: ["procurement_contract"],
    psc: "Z2AA",
    place_of_performance: { city: "Columbus", state: "OH", zip: "43215", country: "USA" },
    deadline_at: "2027-01-15T14:00:00-05:00",
    source: "sam-gov",
  },
  funder: source,
} satisfies Record<string, OpportunityDetails | typeof source>;

const changes: Record<keyof typeof records, FieldChange[]> = {
  grant: [{ field: "deadline_date", from: "2027-02-05", to: "2027-03-05" }],
  contract: [{ field: "amount_max", from: 900_000, to: 1_200_000 }],
  funder: [{ field: "website", from: null, to: "https://www.odnr.example.gov" }],
};

/** Details of each event's sample record. */
export const sampleDetails = Object.fromEntries(
  eventNames.map((event) => [event, details[event.split(".")[0] as keyof typeof details]]),
) as Record<EventName, OpportunityDetails | typeof source>;

/** Sample payload of each event, for the tests, the documentation and "send test": a test event. */
export const samples = Object.fromEntries(
  eventNames.map((event, index) => [event, createSample(event, index)]),
) as Record<EventName, EventPayload>;

function createSample(event: EventName, index: number): EventPayload {
  const [kind] = event.split(".") as [keyof typeof records];
  return withTestMark({
    id: `8f14e45f-ceea-467f-a0e6-f3b0c44298f${index.toString(16)}`,
    event,
    created_at: "2026-11-20T16:43:31.250Z",
    data: records[kind],
    ...(event.endsWith(".updated") && { changes: changes[kind] }),
  });
}

/** Sample records of versions whose ids were not reserved. The grant's and the funder's are ids of demo records, with other titles. */
const formerSamples = {
  grant: { id: "cb75c555-bd5f-891d-a251-07bba87727b9", title: grant.title },
  contract: { id: "0a6a3a7c-7f0e-8d5b-a1b2-9b2f54a1c3d4", title: contract.title },
  funder: { id: "3fcba028-2b9c-8a62-a983-a71781e55569", title: funder.name },
};

/** Event of a delivery, with its record as the event has it. */
interface DeliveredEvent {
  event: EventName;
  record_id: string;
  /** Its title, or a funder's name. */
  record_title: string | null;
}

/** Whether the event of a delivery is a test. One of an earlier version is known by its record's id and title together. */
export function isTestEvent({ event, record_id, record_title }: DeliveredEvent): boolean {
  const [kind] = event.split(".") as [keyof typeof records];
  const former = formerSamples[kind];
  return isSampleId(record_id) || (record_id === former.id && record_title === former.title);
}
