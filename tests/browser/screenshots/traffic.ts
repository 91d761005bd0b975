import { connectPostgres } from "../../../database/postgres.ts";
import { type DashboardUnderTest, sessionKey } from "../dashboard.ts";

/** Usage of the demo account on the 29 days before today, which no request makes any more: fewer at weekends, a few errors. */
export async function inventUsage(dashboard: DashboardUnderTest): Promise<void> {
  const connection = await connectPostgres(dashboard.server.ready.database_url);
  await connection.query(
    `insert into funding.usage (api_key_id, day, endpoint, status, latency_bucket_ms, requests)
     select key.id, day, call.endpoint, call.status, call.latency_bucket_ms,
            greatest(1, (call.share * (case when extract(isodow from day) > 5 then 300 else 1000 end)
                         * (0.9 + 0.012 * number) * (1 + 0.15 * sin(number * 2.3))))::bigint
     from generate_series(1, 29) as number
     cross join lateral (select (now() at time zone 'UTC')::date - 30 + number as day) as calendar
     cross join (values ('grants-api', 200, 25, .42), ('grants-api', 200, 50, .11), ('contracts-api', 200, 25, .2),
                        ('semantic-search', 200, 75, .14), ('funders-api', 200, 10, .1), ('grants-api', 400, 10, .025),
                        ('grants-api/{id}', 404, 10, .004)) as call(endpoint, status, latency_bucket_ms, share)
     cross join (select api_key.id from funding.api_keys as api_key
                 where api_key.account_id = funding.account_id('developer@demo.example') order by api_key.created_at limit 1) as key`,
  );
  await connection.close();
}

/** A hundred answered requests of the demo account's key, and a refused one. */
export async function sendRequests(dashboard: DashboardUnderTest): Promise<void> {
  const { base_url, api_key } = dashboard.server.ready;
  const ask = async (path: string) => {
    await (await fetch(`${base_url}${path}`, { headers: { authorization: `Bearer ${api_key}` } })).text();
  };
  const paths = [
    "/grants-api?search=water&search_mode=hybrid&states=OH",
    "/contracts-api?set_aside=HUBZone&limit=5",
    "/funders-api?limit=5",
    "/grants-api?stats=OH",
    "/grants-api?search=soil&limit=20",
  ];
  for (let round = 0; round < 40; round++) {
    for (const path of round === 39 ? paths : paths.slice(0, 3)) await ask(path);
  }
}

/** Webhooks, saved searches and keys of the demo account, some with the longest names. */
export async function fillAccount(dashboard: DashboardUnderTest): Promise<void> {
  const { page, context } = await dashboard.visitSignedIn();
  const token = await page.evaluate(
    (key) => JSON.parse(localStorage.getItem(key) ?? "{}").access_token as string,
    sessionKey,
  );
  await context.close();
  const send = async (path: string, body: object) => {
    const response = await fetch(`${dashboard.server.ready.base_url}/account-api${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  };
  for (const name of ["production-east", "a".repeat(60)]) await send("/keys", { name });
  for (const [name, dataset, query] of [
    ["Rural water in Ohio and Pennsylvania", "grants", "search=rural+water&states=OH,PA&status=open"],
    ["Roof repair", "contracts", "search=roof+repair&set_aside=SBA"],
    ["Everything about broadband for schools, libraries and clinics in tribal areas", "grants", "search=broadband"],
  ] as const) {
    await send("/saved-searches", { name, dataset, query });
  }
  for (const url of ["https://hooks.example.com/funding", `https://hooks.example.com/${"very-long-".repeat(12)}path`]) {
    await send("/webhooks", {
      url,
      events: ["grant.created", "grant.updated"],
      description: "CRM of the grants office",
    });
  }
}
