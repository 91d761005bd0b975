import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listParameters, readFilter } from "../../functions/account-api/webhook-filter.ts";
import type { Dataset } from "../../shared/datasets.ts";
import { filterExamples } from "../support/filter-examples.ts";
import { runs } from "../support/properties.ts";
import { bearer } from "../support/service.ts";
import { spellingsOf } from "../support/spellings.ts";
import { openWebhookService, type WebhookService } from "./webhook-service.ts";

let service: WebhookService;
let key: string;
beforeAll(async () => {
  service = await openWebhookService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

const some = fc.constantFrom;

/**
 * Values of every filter that is declared. Those that a search alone has are no webhook's. What looks into documents needs some: see document-filters.test.ts.
 */
function declared(dataset: Dataset): Record<string, fc.Arbitrary<string>> {
  const { search_mode: _, similar_to: __, search_in: ___, ...examples } = filterExamples(dataset);
  return Object.fromEntries(Object.entries(examples).map(([name, values]) => [name, some(...values)]));
}

/** Values that records of the demo have. */
const shared = {
  search: some("water", "health care", '"summer meals"', "school -rural", "grant or loan"),
  category: some("Education", "health", "Environment", "Construction"),
  states: some("OH", "CA,TX", "NY,PA,FL"),
  geography: some("Ohio", "nation", "%"),
  min_amount: some("0", "50000", "1000000"),
  max_amount: some("100000", "5000000"),
  deadline_after: some("2026-12-01", "2027-06-01"),
  deadline_before: some("2027-01-01", "2028-01-01"),
  posted_after: some("2026-06-01", "2026-09-01T12:00:00Z"),
  applicant_type: some("individual", "government_county,higher_education_public"),
  funding_instrument: some("grant", "cooperative_agreement,other"),
  agency: some("Department of Agriculture", "department of energy"),
  source: some("demo", "grants-gov"),
  updated_after: some("2026-01-01", "2100-01-01"),
};
const parameters = {
  grants: { ...declared("grants"), ...shared, status: some("open", "closed", "upcoming", "open,upcoming") },
  contracts: {
    ...declared("contracts"),
    ...shared,
    status: some("open", "closed"),
    naics: some("541511", "236220", "54", "23,541511"),
    set_aside: some("HUBZone", "8A", "SBA"),
  },
  funders: { ...declared("funders"), search: some("health", "water foundation", "department of education") },
};

/** One to three of the parameters: more together find nothing. */
function fewOf(all: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<Record<string, string>> {
  return fc
    .shuffledSubarray(Object.entries(all), { minLength: 1, maxLength: Math.min(3, Object.keys(all).length) })
    .chain((chosen) => fc.record(Object.fromEntries(chosen)));
}

/** The ids of all records that a list has. */
async function listed(dataset: string, query: string): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const page = await service.fetch(`/${dataset}-api?${query}&limit=100&offset=${ids.length}`, {
      headers: bearer(key),
    });
    const { results } = (await page.json()) as { results: { id: string }[] };
    ids.push(...results.map(({ id }) => id));
    if (results.length < 100) return ids.sort();
  }
}

describe.each(["grants", "contracts", "funders"] as const)("a filter of %s", (dataset) => {
  test("matches the events of exactly the records that the list endpoint finds", async () => {
    const { connection } = service;
    const event = `${dataset.slice(0, -1)}.created`;
    const [record] = await connection.query<{ events: number }>(
      `with written as (insert into funding.events (event, dataset, record_id) select $1, $2, id from funding.${dataset} returning 1)
       select count(*)::integer as events from written`,
      [event, dataset],
    );
    const numbers = await connection.query<{ number: string }>(
      `select ${dataset === "funders" ? "source_id" : "coalesce(identifiers[1], id::text)"} as number
       from funding.${dataset} order by id limit 20`,
    );
    const number = some(...numbers.map((row) => row.number)).chain(spellingsOf);
    const asked = { ...parameters[dataset], search: fc.oneof(parameters[dataset].search, number) };
    const found: number[] = [];
    await fc.assert(
      fc.asyncProperty(fewOf(asked), async (chosen) => {
        const query = new URLSearchParams(chosen).toString();
        const { webhook } = await service.subscribe({
          url: "https://h.example.org/",
          events: [event],
          filters: { [dataset]: query },
        });
        await connection.execute(`update funding.events set fanned_out_at = null where dataset = '${dataset}'`);
        const { events } = await service.rpc("fan_out_events", { maximum: 100_000 });
        expect(events).toBe(record?.events);
        const delivered = await connection.query<{ id: string }>(
          `select event.record_id as id from funding.webhook_deliveries as delivery
           join funding.events as event on event.id = delivery.event_id where delivery.endpoint_id = $1 order by 1`,
          [webhook.id],
        );
        await connection.query("delete from funding.webhook_endpoints where id = $1", [webhook.id]);
        expect(delivered.map(({ id }) => id).sort()).toEqual(await listed(dataset, query));
        found.push(delivered.length);
      }),
      // The first has no condition: of a few others, none may find anything.
      { numRuns: runs(dataset === "funders" ? 5 : 25), examples: [[{}]] },
    );
    expect(found.some((count) => count > 0)).toBe(true);
  });
});

describe("a filter", () => {
  test.each([
    ["states=Ohio", "states"],
    ["sort_by=title", "sort_by"],
    ["search=x&search_mode=hybrid", "search_mode"],
    ["statuss=open", "statuss"],
    ["status=open&status=done", "status"],
    ["cost_sharing=true&cost_sharing=false", "cost_sharing"],
    ["exclude_agency=a&exclude_agency=532ca6fe-aca7-81f7-a329-4a2ee500983d", "exclude_agency"],
    ["expand=details", "expand"],
    // A list looks its name up; a filter is stored as it is.
    ["agency=532ca6fe-aca7-81f7-a329-4a2ee500983d", "agency"],
  ])("is refused when it is %s", (query, parameter) => {
    const read = readFilter("grants", query);
    expect(read.ok ? [] : read.errors.map((error) => error.parameter)).toContain(parameter);
  });

  test.each(["grants", "contracts", "funders"] as const)(
    "of %s has each filter of the list, and nothing else of it",
    (dataset) => {
      const { search_mode: _, similar_to: __, ...examples } = filterExamples(dataset);
      for (const [name, [value = ""]] of Object.entries(examples)) {
        const read = readFilter(dataset, new URLSearchParams({ [name]: value }).toString());
        expect(read.ok ? Object.keys(read.value.parameters) : read.errors, name).toContain(name);
      }
      for (const name of listParameters[dataset].names.filter((one) => !(one in filterExamples(dataset)))) {
        const read = readFilter(dataset, `${name}=1`);
        expect(read.ok ? [] : read.errors.map(({ parameter }) => parameter), name).toContain(name);
      }
    },
  );

  test("takes a list that is given several times, as the list's endpoint does", () => {
    expect(readFilter("grants", "states=OH&states=PA")).toMatchObject({
      ok: true,
      value: { parameters: { states: ["OH", "PA"] } },
    });
  });

  test("has the list's defaults", () => {
    const read = readFilter("grants", "");
    expect(read).toMatchObject({
      ok: true,
      value: { parameters: { opportunity_type: "open", include_archived: false } },
    });
  });
});
