import type { Connection } from "../../database/connection.ts";

/** Columns with a time whose default is the server's clock. */
const clockColumns = [
  "events.created_at",
  "record_changes.changed_at",
  "imports.started_at",
  "stripe_events.received_at",
  "usage_writers.created_at",
  "usage_writers.written_at",
];

/** Gives a scratch database a clock that is moved by {@link setClock}: the server's, and the day that requests are counted on. */
export async function makeClock(connection: Connection): Promise<void> {
  await connection.execute(`
    create table public.bench_clock (moment timestamptz not null);
    insert into public.bench_clock values (now());
    create or replace function funding.wall_clock() returns timestamptz language sql volatile as
      $$ select moment from public.bench_clock $$;
    create or replace function funding.quota_day() returns date language sql stable as
      $$ select (moment at time zone 'UTC')::date from public.bench_clock $$;
  `);
  for (const column of clockColumns) {
    const [table, name] = column.split(".");
    await connection.execute(`alter table funding.${table} alter column ${name} set default funding.wall_clock()`);
  }
}

export async function setClock(connection: Connection, moment: Date): Promise<void> {
  await connection.query("update public.bench_clock set moment = $1", [moment.toISOString()]);
  await connection.query("select funding.confirm_clock()");
}
