import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sealRecords } from "../../database/lexicon/seal.ts";
import { type FunderStatistics, funderStatistics } from "../../shared/responses/funder-statistics.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

let service: TestService;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await openTestService();
  headers = bearer((await service.newKey()).key);
});
afterAll(() => service.close());
beforeEach(() => service.connection.query("delete from funding.grants where source = 'test'"));

interface Given {
  dataset?: "grants" | "contracts";
  isOpen?: boolean;
  funder?: string;
  day?: string;
  most?: number | null;
  archived?: boolean;
  details?: object;
}

async function insert(title: string, given: Given) {
  const { dataset = "grants", isOpen = false, funder = "Tide Office", day = "2026-05-01", most = 100 } = given;
  const record = {
    source: "test",
    source_id: title,
    title,
    description: "",
    amount_min: null,
    amount_max: most,
    deadline_date: null,
    project_end_date: null,
    status: isOpen ? "posted" : "closed",
    classification: isOpen ? "opportunity" : "awarded_project",
    states: [],
    is_national: false,
    geography: null,
    funder_name: funder,
    funder_source_id: null,
    listing_url: null,
    created_at: `${day}T00:00:00.000Z`,
    archived_at: given.archived ? "2026-05-02T00:00:00.000Z" : null,
    categories: [],
    identifiers: [],
    details: given.details ?? {},
  };
  await service.connection.query("select funding.upsert_records($1, $2::jsonb)", [dataset, [record]]);
}

async function idOf(funder: string): Promise<string> {
  const [row] = await service.connection.query<{ id: string }>("select id from funding.funders where name = $1", [
    funder,
  ]);
  return row?.id ?? "";
}

async function statisticsOf(funder: string): Promise<FunderStatistics> {
  const response = await service.fetch(`/funders-api/${await idOf(funder)}/statistics`, { headers });
  expect(response.status).toBe(200);
  return funderStatistics.parse(await response.json());
}

const recipient = (name: string, uei: string | null = null) => ({ recipient: { name, uei } });
const listing = (number: string, title: string | null = null) => ({ assistance_listings: [{ number, title }] });

test("open opportunities and awards by fiscal year, programme and recipient", async () => {
  await insert("open grant", { isOpen: true });
  await insert("open contract", { dataset: "contracts", isOpen: true });
  await insert("September", {
    day: "2026-09-30",
    most: 100,
    details: { ...listing("11.991", "Tides"), ...recipient("Ann", "UEIAAAAAAAA1") },
  });
  await insert("October", {
    day: "2026-10-01",
    most: 900,
    details: { obligated_amount: 250.25, ...recipient("ANN INC", "UEIAAAAAAAA1") },
  });
  await insert("contract", { dataset: "contracts", day: "2026-10-02", most: 50, details: recipient("Bob & Co.") });
  await insert("no amount", { day: "2025-11-01", most: null, details: recipient("BOB & CO") });
  await insert("archived", { archived: true, details: recipient("Cid") });
  await sealRecords(service.connection);

  const { funder_id, as_of, ...counted } = await statisticsOf("Tide Office");
  expect(funder_id).toBe(await idOf("Tide Office"));
  expect(Math.abs(Date.parse(as_of ?? "") - Date.now())).toBeLessThan(600_000);
  expect(counted).toEqual({
    open_opportunities: { grants: 1, contracts: 1 },
    awards: { total: 4, amount: 400.25, median_amount: 100 },
    awards_by_fiscal_year: [
      { fiscal_year: 2027, awards: 2, amount: 300.25 },
      { fiscal_year: 2026, awards: 2, amount: 100 },
    ],
    top_programmes: [{ number: "11.991", title: "Tides", awards: 1, amount: 100 }],
    top_recipients: [
      { name: "ANN INC", uei: "UEIAAAAAAAA1", awards: 2, amount: 350.25 },
      { name: expect.stringMatching(/^bob & co\.?$/i), uei: null, awards: 2, amount: 50 },
    ],
  });
});

test("follow what changes: amounts, funders, archiving and deletion", async () => {
  const total = async (funder: string) => {
    await sealRecords(service.connection);
    return (await statisticsOf(funder)).awards.amount;
  };
  await insert("moving", { funder: "Reef Office", most: 70 });
  expect(await total("Reef Office")).toBe(70);
  await insert("moving", { funder: "Reef Office", most: 80 });
  expect(await total("Reef Office")).toBe(80);
  await insert("moving", { funder: "Dune Office", most: 80 });
  expect([await total("Reef Office"), await total("Dune Office")]).toEqual([0, 80]);
  await insert("moving", { funder: "Dune Office", most: 80, archived: true });
  expect(await total("Dune Office")).toBe(0);
  await insert("gone", { funder: "Dune Office", most: 5 });
  expect(await total("Dune Office")).toBe(5);
  await service.connection.query("delete from funding.grants where source_id = 'gone'");
  expect(await total("Dune Office")).toBe(0);
});

test("are made of each funder that is due once, and the number is said", async () => {
  await sealRecords(service.connection);
  const funders = ["Cliff Office", "Creek Office", "Cave Office"];
  for (const funder of funders) {
    await insert(funder, { funder, most: 3 });
    await insert(`${funder} again`, { funder, most: 4 });
  }
  let total = 0;
  for (let renewed = -1; renewed !== 0; total += renewed) {
    const [row] = await service.connection.query<{ renewed: number }>(
      "select funding.renew_funder_statistics() as renewed",
    );
    renewed = row?.renewed ?? 0;
  }
  expect(total).toBe(funders.length);
  for (const funder of funders) expect((await statisticsOf(funder)).awards.amount).toBe(7);
});

test("a change that statistics do not count makes nothing due", async () => {
  await insert("still", { funder: "Calm Office" });
  await sealRecords(service.connection);
  await service.connection.query("update funding.grants set description = 'Other words' where source_id = 'still'");
  expect(await service.connection.query("select * from funding.funder_statistics_due")).toEqual([]);
  await sealRecords(service.connection);
  await service.connection.query("delete from funding.grants where source_id = 'still'");
  expect(await service.connection.query("select * from funding.funder_statistics_due")).toHaveLength(1);
});

test("of a funder that nothing was counted of are 0, with no moment", async () => {
  await insert("new", { funder: "New Office", most: 10 });
  expect(await statisticsOf("New Office")).toMatchObject({
    awards: { total: 0, amount: 0, median_amount: null },
    as_of: null,
  });
});

test("of an unknown funder are 404; an id that is none, and a parameter, are refused", async () => {
  const status = async (path: string) => (await service.fetch(`/funders-api/${path}`, { headers })).status;
  expect(await status("00000000-0000-4000-8000-000000000000/statistics")).toBe(404);
  expect(await status("tides/statistics")).toBe(400);
  expect(await status(`${await idOf("Tide Office")}/statistics?limit=3`)).toBe(400);
});
