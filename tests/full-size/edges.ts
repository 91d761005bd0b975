import type pg from "pg";

/** Values of a dataset's columns that few records are beyond: dates as text, since that is how they are asked for. */
export interface Edges {
  lowAmount: number;
  highAmount: number;
  firstDeadline: string;
  lastDeadline: string;
  /** A few days in which some records have their deadline. */
  deadlineWindow: [string, string];
  lastPosted: string;
  lastUpdated: string;
  /** The funder of most records, by id. */
  funder: string;
}

/** The values beyond which one in a hundred records is. */
export async function edgesOf(session: pg.Client, dataset: "grants" | "contracts"): Promise<Edges> {
  const { rows } = await session.query(`
    select
      percentile_disc(0.01) within group (order by amount_min) as "lowAmount",
      percentile_disc(0.99) within group (order by amount_max) as "highAmount",
      to_char(percentile_disc(0.01) within group (order by deadline_date), 'YYYY-MM-DD') as "firstDeadline",
      to_char(percentile_disc(0.99) within group (order by deadline_date), 'YYYY-MM-DD') as "lastDeadline",
      array[
        to_char(percentile_disc(0.5) within group (order by deadline_date), 'YYYY-MM-DD'),
        to_char(percentile_disc(0.5) within group (order by deadline_date) + 10, 'YYYY-MM-DD')
      ] as "deadlineWindow",
      to_char(percentile_disc(0.99) within group (order by created_at) at time zone 'UTC', 'YYYY-MM-DD') as "lastPosted",
      to_char(percentile_disc(0.95) within group (order by updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastUpdated",
      mode() within group (order by funder_id) as funder
    from funding.${dataset}`);
  return rows[0] as Edges;
}
