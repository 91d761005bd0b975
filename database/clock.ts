import { type Connection, queryOne, queryValue } from "./connection.ts";

/** Clocks of a database: docs/operate/trouble.md says what the bounded one is for. */
export interface Clocks {
  /** The machine's clock, as the database reads it. */
  machine: string;
  bounded: string;
  /** Time by which the machine's clock is ahead of the bounded one, in seconds; negative where it is behind. */
  ahead_seconds: number;
}

export function readClocks(connection: Connection): Promise<Clocks> {
  return queryOne<Clocks>(
    connection,
    `select to_char(seen.moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as machine,
            to_char(seen.bounded at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as bounded,
            extract(epoch from seen.moment - seen.bounded)::float8 as ahead_seconds
     from (select moment, funding.bounded_time(clock, moment) as bounded
           from funding.dispatch_clock as clock cross join (select funding.wall_clock() as moment offset 0) as read) as seen`,
  );
}

/** Returns the time of the bounded clock, in milliseconds since 1970. */
export async function readBoundedMs(connection: Connection): Promise<number> {
  return queryValue<number>(connection, "select (extract(epoch from funding.bounded_now()) * 1000)::float8");
}

/** Lets the bounded clock follow the machine's at once. For an operator who has looked at the machine's clock. */
export async function confirmClock(connection: Connection): Promise<void> {
  await connection.query("select funding.confirm_clock()");
}
