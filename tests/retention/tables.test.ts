import { readFile } from "node:fs/promises";
import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Retention } from "../../functions/dispatch/retention.ts";
import type { RpcClient } from "../../shared/database/rpc.ts";
import { type LogFields, silentLog } from "../../shared/log/log.ts";
import { runs } from "../support/properties.ts";
import { openTestService, type TestService } from "../support/service.ts";
import { pruneAll, pruneBatch } from "./prune.ts";

/** Rows of a table with a retention: SQL that inserts `$1` of them, each as old as `$2`, and what else goes with a row. */
const makers: Record<string, { sql: string; goesWith?: string[] }> = {
  events: {
    sql: `with event as (
        insert into funding.events (event, dataset, record_id, created_at, fanned_out_at)
        select 'grant.created', 'grants', gen_random_uuid(), now() - $2::interval, now() from generate_series(1, $1::integer) returning id
      ), delivery as (
        insert into funding.webhook_deliveries (endpoint_id, event_id, state, due_at, created_at, finished_at)
        select endpoint.id, event.id, 'succeeded', now(), now(), now() from event, funding.webhook_endpoints as endpoint
        returning endpoint_id, event_id
      )
      insert into funding.webhook_attempts (endpoint_id, event_id, number, url, started_at)
      select endpoint_id, event_id, number, 'https://hooks.example.org/', now() from delivery, generate_series(1, 2) as number`,
    goesWith: ["webhook_deliveries", "webhook_attempts"],
  },
  usage: {
    sql: `insert into funding.usage select id, (now() at time zone 'UTC' - $2::interval)::date, 'grants-api', 200, number, 1
      from (select id from funding.api_keys limit 1) as key, generate_series(1, $1::integer) as number`,
  },
  usage_hours: {
    sql: `insert into funding.usage_hours
      select id, date_trunc('hour', now() - $2::interval, 'UTC'), 1, 0, 0, '{"50": 1}' from funding.api_keys order by id limit $1`,
  },
  daily_quota: {
    sql: `insert into funding.daily_quota select id, (now() at time zone 'UTC' - $2::interval)::date, 1
      from funding.accounts order by id limit $1`,
  },
  daily_key_quota: {
    sql: `insert into funding.daily_key_quota select id, (now() at time zone 'UTC' - $2::interval)::date, 1
      from funding.api_keys order by id limit $1`,
  },
  next_embeddings: {
    sql: `insert into funding.next_embeddings (model, dataset, record_id, text_hash, embedding, kept_since)
      select 'openai/former', 'grants', gen_random_uuid(), '', '[1,2]', now() - $2::interval from generate_series(1, $1::integer)`,
  },
  record_changes: {
    sql: `insert into funding.record_changes (dataset, record_id, changed_at, previous)
      select 'grants', gen_random_uuid(), now() - $2::interval, '{}' from generate_series(1, $1::integer)`,
  },
  imports: {
    sql: `insert into funding.imports (source, importer, datasets, file, is_full, as_of, started_at, finished_at, outcome)
      select 'tables', 'csv', '{grants}', 'a', true, now() - $2::interval, now() - $2::interval, now(), 'completed'
      from generate_series(1, $1::integer)`,
  },
  deadline_notices: {
    sql: `insert into funding.deadline_notices (endpoint_id, record_id, days, noted_at)
      select (select id from funding.webhook_endpoints limit 1), gen_random_uuid(), 7, now() - $2::interval from generate_series(1, $1::integer)`,
  },
  stripe_events: {
    sql: `insert into funding.stripe_events (id, received_at)
      select gen_random_uuid(), now() - $2::interval from generate_series(1, $1::integer)`,
  },
  idempotency_keys: {
    sql: `insert into funding.idempotency_keys (account_id, key_hash, request_hash, response, created_at)
      select (select id from funding.accounts limit 1), gen_random_uuid(), 'hash', '{}', now() - $2::interval
      from generate_series(1, $1::integer)`,
  },
  digest_mails: {
    sql: `insert into funding.digest_mails
        (saved_search_id, due_at, records_from, records_until, state, attempts, token_hash, first_tried_at, created_at)
      select (select id from funding.saved_searches limit 1), now() - $2::interval + number * interval '1 ms', now(), now(), 'sent', 1,
        gen_random_uuid(), now(), now() - $2::interval
      from generate_series(1, $1::integer) as number`,
  },
  request_log: {
    sql: `insert into funding.request_log
        (account_id, at, request_id, api_key_id, key_name, method, endpoint, status, duration_ms, parameters, searches)
      select gen_random_uuid(), now() - $2::interval, 'request', gen_random_uuid(), 'a key', 'GET', 'grants-api', 200, 1, '{}', '{}'
      from generate_series(1, $1::integer)`,
  },
  audit_log: {
    sql: `insert into funding.audit_log (account_id, at, actor, action, subject_kind, subject_id, subject_name, changes)
      select gen_random_uuid(), now() - $2::interval, 'system', 'webhook.disabled', 'webhook', gen_random_uuid(), 'a webhook', '[]'
      from generate_series(1, $1::integer)`,
  },
  invitations: {
    sql: `insert into funding.invitations (account_id, email, role, created_at)
      select (select id from funding.accounts limit 1), gen_random_uuid() || '@people.example', 'member', now() - $2::interval
      from generate_series(1, $1::integer)`,
  },
  request_log_counts: {
    sql: `insert into funding.request_log_counts
      select date_trunc('hour', now() - $2::interval, 'UTC'), gen_random_uuid(), 1, 0 from generate_series(1, $1::integer)`,
  },
};
const tables = Object.keys(makers);
const emptied = [...tables, ...tables.flatMap((table) => makers[table]?.goesWith ?? []), "usage_months"];

let service: TestService;

beforeAll(async () => {
  service = await openTestService(undefined, silentLog);
  for (let account = 0; account < 30; account++) await service.newKey();
  await service.connection.execute(
    `insert into funding.webhook_endpoints (id, account_id, url, events, secret)
     select gen_random_uuid(), id, 'https://hooks.example.org/', '{grant.created}', 'sealed' from funding.accounts limit 3`,
  );
  await service.connection.execute(
    `insert into funding.saved_searches (account_id, name, dataset, query, filter_query, filter, seen_until)
     select id, 'Water', 'grants', '', '', '{}', now() from funding.accounts limit 1`,
  );
});
beforeEach(async () => {
  for (const table of emptied) await service.connection.execute(`delete from funding.${table}`);
  await service.connection.execute("update funding.settings set value = default_value");
});
afterAll(() => service.close());

const make = (table: string, rows: number, age: string) =>
  service.connection.query(makers[table]?.sql ?? "", [rows, age]);

async function count(table: string): Promise<number> {
  const [row] = await service.connection.query<{ rows: number }>(
    `select count(*)::integer as rows from funding.${table}`,
  );
  return row?.rows ?? 0;
}

async function countAll(table: string): Promise<number> {
  let rows = 0;
  for (const each of [table, ...(makers[table]?.goesWith ?? [])]) rows += await count(each);
  return rows;
}

interface Retained {
  table_name: string;
  setting_name: string;
}
const retained = () =>
  service.connection.query<Retained>("select table_name, setting_name from funding.retention() order by 1");

describe("the list of tables in docs/database.md", () => {
  const bounds = async () => {
    const docs = await readFile(new URL("../../docs/database.md", import.meta.url), "utf8");
    const section = docs.slice(docs.indexOf("## What bounds each table"));
    return [...section.matchAll(/^\| (`[^|]+`) \| [^|]+ \| ([^|]+) \|$/gm)].flatMap(([, names = "", bound = ""]) =>
      names.split(", ").map((name) => ({ table: name.replaceAll("`", ""), bound })),
    );
  };

  test("has every table of the schema, so that the author of a new one says what bounds it", async () => {
    const inDatabase = await service.connection.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'funding'::regnamespace and relkind in ('r', 'p', 'm')
       order by relname collate "C"`,
    );
    const listed = (await bounds()).map(({ table }) => table);
    expect(listed.sort()).toEqual(inDatabase.map(({ name }) => name));
  });

  test("says of each table with a retention which setting has it, and of no other", async () => {
    const listed = (await bounds()).flatMap(({ table, bound }) => {
      const setting_name = bound.match(/^retention: `(\w+)`/)?.[1];
      return setting_name === undefined ? [] : [{ table_name: table, setting_name }];
    });
    expect(listed).toEqual(await retained());
    expect(listed.map(({ table_name }) => table_name).sort()).toEqual([...tables].sort());
  });

  test("names settings that there are", async () => {
    const known = await service.connection.query<{ name: string }>("select name from funding.settings");
    const names = new Set(known.map(({ name }) => name));
    for (const { bound } of await bounds()) {
      for (const [, name = ""] of bound.matchAll(/`(\w+_(?:days|kept|maximum|megabytes))`/g))
        expect(names).toContain(name);
    }
  });
});

describe.each(tables)("%s", (table) => {
  const days = async () => {
    const { setting_name } = (await retained()).find(({ table_name }) => table_name === table) as Retained;
    const [setting] = await service.connection.query<{ minimum: number; maximum: number; default_value: number }>(
      `select (schema->'minimum')::integer as minimum, (schema->'maximum')::integer as maximum, default_value::integer
       from funding.settings where name = $1`,
      [setting_name],
    );
    if (setting === undefined) throw new Error(`${setting_name} is not a setting`);
    return { setting_name, ...setting };
  };

  test("is kept for as long as its setting says, at both ends of the range and by default", async () => {
    const { setting_name, minimum, maximum, default_value } = await days();
    // Usage goes by whole months, and a day of a quota or an hour's count of requests when it is over.
    const early = { usage: 32, usage_hours: 1, daily_quota: 1, daily_key_quota: 1, request_log_counts: 1 }[table] ?? 0;
    for (const kept of [minimum, default_value, maximum]) {
      for (const each of emptied) await service.connection.execute(`delete from funding.${each}`);
      await service.connection.query("update funding.settings set value = to_jsonb($2::integer) where name = $1", [
        setting_name,
        kept,
      ]);
      await make(table, 3, `${kept + early} days 10 seconds`);
      const old = table === "imports" ? 2 : await countAll(table);
      await make(table, 4, `${kept} days -10 minutes`);
      const both = await countAll(table);
      await pruneAll(service.runtime.database);
      expect(await countAll(table), `${kept} days`).toBe(both - old - (table === "imports" ? 1 : 0));
      expect(await service.connection.query("select table_name from funding.overdue() where seconds > 0")).toEqual([]);
    }
  });

  test("loses no more rows in a batch than the limit, whatever hangs on them", async () => {
    await make(table, 25, "4000 days");
    await make(table, 1, "0 days");
    for (const limit of [1, 7, 0, -1]) {
      const before = await countAll(table);
      const pruned = await pruneBatch(service.connection, table, limit);
      expect(pruned).toBe(Math.max(0, limit));
      expect(before - (await countAll(table))).toBe(pruned);
    }
  });

  test("says how long its oldest row is overdue", async () => {
    const overdue = async () =>
      (
        await service.connection.query<{ days: number }>(
          "select (seconds / 86400)::double precision as days from funding.overdue() where table_name = $1",
          [table],
        )
      )[0]?.days;
    expect(await overdue()).toBe(0);
    const { default_value } = await days();
    await make(table, 2, `${default_value + 100} days`);
    const expected = await overdue();
    expect(expected).toBeLessThanOrEqual(100.1);
    expect(expected).toBeGreaterThan(table === "usage" ? 68 : 98);
  });
});

test("a table without a retention is refused, and so is what is no table", async () => {
  for (const table of ["grants", "accounts", "events; drop table funding.events", "", null]) {
    await expect(service.connection.query("select public.prune_table($1, 10)", [table])).rejects.toMatchObject({
      code: "PT400",
    });
  }
});

describe("imports", () => {
  const run = fc.record({
    source: fc.constantFrom("one", "two"),
    importer: fc.constantFrom("csv", "ndjson"),
    datasets: fc.constantFrom("{grants}", "{grants,contracts}"),
    outcome: fc.constantFrom("completed", "completed", "refused", "failed", "interrupted", "running"),
    daysAgo: fc.integer({ min: 300, max: 900 }),
    has_final_line_break: fc.constantFrom(true, false, null),
  });
  /** Everything that the service reads of the log. */
  const told = () =>
    service.connection.query(
      `select funding.data_as_of('grants') as grants, funding.data_as_of('contracts') as contracts,
         public.get_metrics()->'sources' as sources,
         (select json_agg(funding.had_final_line_break(source, importer) order by source, importer)
          from unnest(array['one', 'two']) as source, unnest(array['csv', 'ndjson']) as importer) as line_breaks`,
    );
  const withoutAges = (rows: unknown) =>
    JSON.parse(JSON.stringify(rows), (name, value) =>
      name === "age_seconds" && value !== null ? Math.round(value / 100) : value,
    );

  test("that tell of a source stay: freshness, outcome and line breaks are the same before and after", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 25 }), async (imports) => {
        await service.connection.execute("delete from funding.imports");
        await service.connection.query(
          `insert into funding.imports
             (source, importer, datasets, file, is_full, as_of, started_at, finished_at, outcome, has_final_line_break)
           select source, importer, datasets::text[], 'a', true, now() - "daysAgo" * interval '1 day', now() - interval '500 days',
             case when outcome <> 'running' then now() end, outcome, has_final_line_break
           from jsonb_to_recordset($1) as run(source text, importer text, datasets text, outcome text, "daysAgo" integer, has_final_line_break boolean)`,
          [JSON.stringify(imports)],
        );
        const before = withoutAges(await told());
        await pruneAll(service.runtime.database);
        expect(withoutAges(await told())).toEqual(before);
      }),
      { numRuns: runs(150) },
    );
  });

  test("of a source that is imported every day stay as few as its importers, failures too", async () => {
    for (const [days, outcome] of [
      [900, "completed"],
      [800, "failed"],
      [700, "completed"],
      [600, "failed"],
      [500, "failed"],
    ] as const) {
      await service.connection.query(
        `insert into funding.imports (source, importer, datasets, file, is_full, as_of, started_at, finished_at, outcome)
         select 'daily', 'csv', '{grants}', 'a', true, moment, moment, moment, $2
         from (select now() - ($1 - number) * interval '1 day' as moment from generate_series(1, 50) as number) as run`,
        [days, outcome],
      );
    }
    await pruneAll(service.runtime.database);
    expect(await service.connection.query("select outcome from funding.imports order by id")).toEqual([
      { outcome: "completed" },
      { outcome: "failed" },
    ]);
  });
});

describe("the dispatcher's retention", () => {
  const lines: LogFields[] = [];
  const log = { write: (_level: unknown, fields: LogFields) => void lines.push(fields) };
  beforeEach(() => void lines.splice(0));

  test("goes on with the other tables when one fails, and tells of both in the log", async () => {
    for (const table of tables) await make(table, 5, "4000 days");
    const { database } = service.runtime;
    const failing = {
      call: (name: never, parameters: never) =>
        (parameters as { table_name?: string }).table_name === "record_changes"
          ? Promise.resolve({ ok: false, failure: { code: "57014", message: "canceling statement" } })
          : database.call(name, parameters),
    } as unknown as RpcClient;
    await pruneAll(failing, log);
    expect(await count("record_changes")).toBe(5);
    for (const table of tables)
      expect([table, await count(table)]).toEqual([table, { record_changes: 5, imports: 1 }[table] ?? 0]);
    expect(lines).toContainEqual({
      function: "dispatch",
      error: "prune_table record_changes: 57014 canceling statement",
    });
    expect(lines).toContainEqual({ function: "dispatch", table: "stripe_events", pruned: 5 });
  });

  test("keeps events whose deliveries wait for their time for twice as long", async () => {
    await service.connection.query(
      `with event as (
         insert into funding.events (event, dataset, record_id, created_at, fanned_out_at)
         select 'grant.created', 'grants', gen_random_uuid(), now() - interval '40 days', case when number > 1 then now() end
         from generate_series(1, 4) as number returning id, fanned_out_at
       ), endpoint as (
         select id, row_number() over (order by id) as number from funding.webhook_endpoints
       ), numbered as (select id, row_number() over (order by id) as number from event where fanned_out_at is not null)
       insert into funding.webhook_deliveries (endpoint_id, event_id, state, due_at, created_at, finished_at)
       select endpoint.id, numbered.id, case when number = 1 then 'succeeded' else 'pending' end, now(), now(), case when number = 1 then now() end
       from numbered join endpoint using (number)`,
    );
    // The first delivery arrived, the second waits, the third waits for an endpoint that is paused, and the fourth event has no deliveries yet.
    const paused = "(select id from funding.webhook_endpoints order by id offset 2 limit 1)";
    await service.connection.execute(`update funding.webhook_endpoints set state = 'paused' where id = ${paused}`);
    await pruneAll(service.runtime.database, log);
    expect(await count("events")).toBe(2);
    expect(await service.connection.query("select seconds from funding.overdue() where table_name = 'events'")).toEqual(
      [{ seconds: 0 }],
    );
    await service.connection.execute("update funding.events set created_at = now() - interval '61 days'");
    await pruneAll(service.runtime.database, log);
    expect(await count("events")).toBe(0);
    await service.connection.execute(`update funding.webhook_endpoints set state = 'active' where id = ${paused}`);
  });

  test("takes one batch of one table a call, in turns", async () => {
    await make("stripe_events", 2_500, "40 days");
    await make("record_changes", 1_500, "500 days");
    const calls: string[] = [];
    const { database } = service.runtime;
    const counting = {
      call: (name: never, parameters: never) => {
        calls.push((parameters as { table_name?: string }).table_name ?? name);
        return database.call(name, parameters);
      },
    } as unknown as RpcClient;
    const retention = new Retention({ database: counting, log, isOver: () => false });
    while ((await retention.runBatch()).found > 0);
    expect(calls).toEqual([
      "list_overdue_tables",
      "record_changes",
      "stripe_events",
      "record_changes",
      "stripe_events",
      "stripe_events",
    ]);
    expect(lines).toEqual([
      { function: "dispatch", table: "record_changes", pruned: 1_500 },
      { function: "dispatch", table: "stripe_events", pruned: 2_500 },
    ]);
  });
});
