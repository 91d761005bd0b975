import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { queryOne } from "../../database/connection.ts";
import { createBody } from "../../functions/account-api/saved-search-bodies.ts";
import { bearer } from "../support/service.ts";
import { importText } from "../unit/ingest/helpers.ts";
import { openWebhookService, type WebhookService } from "../webhooks/webhook-service.ts";

/** Publishers' words, by the status that the API shows. */
const words = {
  open: ["Active", "Current", "open"],
  closed: ["Inactive", "Expired", "ended"],
  upcoming: ["Planned", "Coming Soon"],
  cancelled: ["Canceled", "CANCELLED"],
  "under protest": ["Under Protest"],
};
const given = Object.entries(words).flatMap(([status, list]) => list.map((word) => ({ status, word })));

let service: WebhookService;
let key: string;
beforeAll(async () => {
  service = await openWebhookService();
  ({ key } = await service.newKey());
  await service.connection.execute("truncate funding.contracts");
  const rows = given.map(({ word }) => JSON.stringify({ id: word, title: word, funder: "Army", status: word }));
  const result = await importText(service.connection, "ndjson", rows.join("\n"), { dataset: "contracts" });
  expect(result).toMatchObject({ inserted: given.length, rejects: [] });
});
afterAll(() => service.close());

const titles = (status: string) => [...(words[status as keyof typeof words] ?? [])].sort();

test.each(given)(
  "status=$word lists the contracts that were imported with any word for $status",
  async ({ status, word }) => {
    const response = await service.fetch(
      `/contracts-api?limit=100&sort_by=title&order=asc&status=${encodeURIComponent(word)}`,
      {
        headers: bearer(key),
      },
    );
    const { results, pagination } = (await response.json()) as {
      results: { title: string; status: string }[];
      pagination: { total: number };
    };
    expect(results.map(({ title }) => title).sort()).toEqual(titles(status));
    expect([pagination.total, ...new Set(results.map((record) => record.status))]).toEqual([results.length, status]);
  },
);

describe("a filter that is saved with a publisher's word", () => {
  /** Titles of the contracts whose events a webhook with this stored filter is sent. */
  async function deliveredTo(endpointId: string): Promise<string[]> {
    await service.connection.execute(
      "insert into funding.events (event, dataset, record_id) select 'contract.updated', 'contracts', id from funding.contracts",
    );
    await service.rpc("fan_out_events", { maximum: 1_000 });
    const rows = await service.connection.query<{ title: string }>(
      `select event.data->>'title' as title from funding.webhook_deliveries as delivery
       join funding.events as event on event.id = delivery.event_id where delivery.endpoint_id = $1 order by 1`,
      [endpointId],
    );
    await service.connection.execute("delete from funding.events");
    return rows.map(({ title }) => title).sort();
  }

  const subscribe = () =>
    service.subscribe({
      url: "https://h.example.org/",
      events: ["contract.updated"],
      filters: { contracts: "status=canceled" },
    });

  test("matches in a webhook, and in a saved search", async () => {
    const { webhook } = await subscribe();
    expect(await deliveredTo(webhook.id)).toEqual(titles("cancelled"));
    expect(webhook.filters).toEqual({ contracts: "status=canceled" });
    const saved = createBody.schema.parse({ name: "Off", dataset: "contracts", query: "status=canceled" });
    expect(saved).toMatchObject({ query: "status=canceled", filter: { status: "cancelled" } });
  });

  test("matches after the upgrade, where an earlier version saved it, and its owner sees the same query", async () => {
    const { connection } = service;
    const { webhook, accountId } = await subscribe();
    await connection.query(
      `update funding.webhook_endpoints set filters = jsonb_set(filters, '{contracts,parameters,status}', '"Canceled"') where id = $1`,
      [webhook.id],
    );
    await connection.query(
      `insert into funding.saved_searches (account_id, name, dataset, query, filter_query, filter, seen_until)
       select $1::uuid, dataset, dataset, '', '', jsonb_build_object('status', status), now()
       from (values ('contracts', 'COMING-SOON'), ('contracts', 'under protest'), ('grants', 'closed')) as saved(dataset, status)`,
      [accountId],
    );
    expect(await deliveredTo(webhook.id)).toEqual([]);
    const migration = new URL("../../supabase/migrations/20261124000910_filter_statuses.sql", import.meta.url);
    for (let run = 0; run < 2; run++) await connection.execute(readFileSync(migration, "utf8"));
    expect(await deliveredTo(webhook.id)).toEqual(titles("cancelled"));
    const { query } = await queryOne<{ query: string }>(
      connection,
      "select filters->'contracts'->>'query' as query from funding.webhook_endpoints where id = $1",
      [webhook.id],
    );
    expect(query).toBe("status=canceled");
    const saved = await connection.query<{ status: string }>(
      "select filter->>'status' as status from funding.saved_searches where account_id = $1 order by 1",
      [accountId],
    );
    expect(saved.map(({ status }) => status)).toEqual(["closed", "under protest", "upcoming"]);
  });
});
