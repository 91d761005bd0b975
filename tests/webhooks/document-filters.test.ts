import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { queryOne } from "../../database/connection.ts";
import { readFilter } from "../../functions/account-api/webhook-filter.ts";
import { documentOf, type GivenFile, loadFiles } from "../support/documents.ts";
import { bearer } from "../support/service.ts";
import { grant, openWebhookService, type WebhookService } from "./webhook-service.ts";

/** Filters of webhooks that look into the documents of opportunities. */

let service: WebhookService;
let headers: Record<string, string>;
/** Ids of grants. The title of the second is about lanterns. */
let grants: string[];

beforeAll(async () => {
  service = await openWebhookService();
  headers = bearer((await service.newKey()).key);
  await service.connection.execute("truncate funding.grants, funding.contracts, funding.funders");
  const titles = ["Harbor works", "Lantern makers", "Bridges", "Meadows", "Orchards", "Ferries"];
  await service.load("grants", ...titles.map((title) => grant({ title, description: "Public works." })));
  const rows = await service.connection.query<{ id: string }>(
    "select id from funding.grants order by array_position($1, title)",
    [titles],
  );
  grants = rows.map(({ id }) => id);
});
beforeEach(async () => {
  await load();
  await service.connection.execute("delete from funding.webhook_endpoints; delete from funding.events");
});
afterAll(() => service.close());

const load = (...given: GivenFile[]) => loadFiles(service.connection, ...given);
const file = (name: string, of: string[], ...texts: string[]): GivenFile => ({
  ...{ url: `https://documents.example.gov/${name}.pdf`, of },
  documents: [documentOf(...texts)],
});
const grantAt = (index: number) => grants[index] ?? "";

/** Ids of the grants about which a webhook with a filter gets an event. */
async function delivered(query: string): Promise<string[]> {
  const { webhook } = await service.subscribe({
    ...{ url: "https://h.example.org/", events: ["grant.updated"], filters: { grants: query } },
  });
  await service.connection.execute(
    "insert into funding.events (event, dataset, record_id) select 'grant.updated', 'grants', id from funding.grants",
  );
  await service.rpc("fan_out_events", { maximum: 1000 });
  const rows = await service.connection.query<{ id: string }>(
    `select distinct event.record_id as id from funding.webhook_deliveries as delivery
     join funding.events as event on event.id = delivery.event_id where delivery.endpoint_id = $1 and delivery.state = 'pending' order by 1`,
    [webhook.id],
  );
  const { state } = await queryOne<{ state: string }>(
    service.connection,
    "select state from funding.webhook_endpoints where id = $1",
    [webhook.id],
  );
  expect(state).toBe("active");
  return rows.map(({ id }) => id);
}

/** Ids of the grants that a list finds. */
async function listed(query: string): Promise<string[]> {
  const response = await service.fetch(`/grants-api?${query}&limit=100`, { headers });
  const { results } = (await response.json()) as { results: { id: string }[] };
  return results.map(({ id }) => id).sort();
}

describe("a filter that looks into documents", () => {
  const texts = () => [
    file("one", [grantAt(0)], "Letters of intent name the lantern maker.", "The budget has a ceiling."),
    file("two", [grantAt(2)], "Makers of paper have a lantern.", "Nothing else is said of them."),
    file("three", [grantAt(3), grantAt(4)], "Dredging pays for a breakwater and a jetty.", "Boats come later."),
  ];

  test.each([
    ["lantern", [0, 2], [0, 1, 2]],
    ["lantern maker", [0, 2], [0, 1, 2]],
    ['"lantern maker"', [0], [0, 1]],
    ['"letters of intent"', [0], [0]],
    ['"lantern maker" -paper', [0], [0, 1]],
    ["lantern -paper", [0], [0, 1]],
    ["lantern or jetty", [0, 2, 3, 4], [0, 1, 2, 3, 4]],
    ["dredging breakwater", [3, 4], [3, 4]],
    ["breakwater -dredging", [], []],
    // Its own words exclude a record, as in lists.
    ["breakwater -meadows", [4], [4]],
    ["kelp", [], []],
    ["the", [], []],
  ])("finds for %s what the list finds", async (search, inDocuments, inAll) => {
    await load(...texts());
    for (const [search_in, found] of Object.entries({ documents: inDocuments, all: inAll })) {
      const query = new URLSearchParams({ search, search_in }).toString();
      const expected = found.map(grantAt).sort();
      expect(await listed(query), query).toEqual(expected);
      expect(await delivered(query), query).toEqual(expected);
    }
    expect(await delivered(new URLSearchParams({ search, search_in: "records" }).toString())).toEqual(
      await listed(new URLSearchParams({ search }).toString()),
    );
  });

  test("keeps its other conditions, and its identifiers", async () => {
    await load(...texts());
    await service.connection.query(
      "update funding.grants set identifiers = '{EX-27-9}', states = '{PA}' where id = $1",
      [grantAt(5)],
    );
    expect(await delivered("search=lantern&search_in=documents&states=OH")).toEqual([0, 2].map(grantAt).sort());
    expect(await delivered("search=lantern&search_in=documents&states=PA")).toEqual([]);
    for (const search_in of ["documents", "all"]) {
      const query = `search=EX-27-9&search_in=${search_in}`;
      expect(await delivered(query)).toEqual([grantAt(5)]);
      expect(await listed(query)).toEqual([grantAt(5)]);
    }
  });

  test("holds for deadlines, and for their preview", async () => {
    await load(...texts());
    await service.connection.execute(
      "update funding.grants set deadline_date = (funding.bounded_now() at time zone 'UTC')::date + 3",
    );
    const request = {
      ...{ url: "https://h.example.org/", events: ["grant.deadline_approaching"] },
      filters: { grants: "search=lantern&search_in=documents" },
    };
    const { webhook, accountId } = await service.subscribe(request);
    const { parameters } = filterOf("search=lantern&search_in=documents");
    const preview = { ...request, deadline_days: [7], filters: { grants: { query: "", parameters } } };
    expect(await service.asOwner("preview_webhook", accountId, JSON.stringify(preview))).toMatchObject({
      deadlines: 2,
    });
    await service.rpc("announce_deadlines", { maximum: 100, only_endpoint: webhook.id });
    const told = await service.connection.query<{ id: string }>(
      "select record_id as id from funding.events where event = 'grant.deadline_approaching' order by 1",
    );
    expect(told.map(({ id }) => id)).toEqual([0, 2].map(grantAt).sort());
  });

  test("is refused as in lists", () => {
    expect(refused("grants", "search_in=documents")).toEqual(["search_in"]);
    expect(refused("contracts", "search_in=all")).toEqual(["search_in"]);
    expect(refused("grants", "search=x&search_in=everywhere")).toEqual(["search_in"]);
    expect(refused("funders", "search=x&search_in=all")).toEqual(["search_in"]);
    expect(refused("grants", "search=x&search_in=all&search_mode=hybrid")).toEqual(["search_mode"]);
    expect(filterOf("search=x&search_in=all").parameters).toMatchObject({ search: "x", search_in: "all" });
  });

  test("reads the search and the index once for a batch, and of documents those that the index cannot decide on", async () => {
    await load(...texts());
    const { connection } = service;
    await connection.execute("begin; set local track_functions = 'all'");
    // What other conditions leave out is not looked into.
    await connection.query("update funding.grants set archived_at = now() where id = $1", [grantAt(0)]);
    await connection.query(
      "select funding.match_records('grants', $1, (select array_agg(record) from funding.grants as record))",
      [filterOf('search="lantern maker"&search_in=documents').parameters],
    );
    const calls = await queryOne<Record<string, number>>(
      connection,
      `select pg_stat_get_xact_function_calls('funding.analyze_query(text)'::regprocedure)::integer as analyses,
              pg_stat_get_xact_function_calls('funding.possible_parts(jsonb)'::regprocedure)::integer as readings,
              pg_stat_get_xact_function_calls('funding.has_passage(integer, jsonb, tsquery)'::regprocedure)::integer as looks`,
    );
    await connection.execute("rollback");
    expect(calls).toEqual({ analyses: 1, readings: 1, looks: 1 });
  });

  test("looks into documents last, where Postgres does not order conditions by their costs", async () => {
    const { condition } = await queryOne<{ condition: string }>(
      service.connection,
      "select funding.predicate('grants', funding.with_passage_search($1)) as condition",
      [filterOf("search=lantern&search_in=documents&states=OH&min_amount=1").parameters],
    );
    expect(condition.split(" and ").findIndex((part) => part.includes("document_records"))).toBeGreaterThan(3);
    expect(condition.indexOf("record.states")).toBeLessThan(condition.indexOf("document_records"));
  });
});

function filterOf(query: string) {
  const read = readFilter("grants", query);
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return read.value;
}
function refused(dataset: "grants" | "contracts" | "funders", query: string): string[] {
  const read = readFilter(dataset, query);
  return read.ok ? [] : read.errors.map(({ parameter }) => parameter);
}
