import { type Connection, queryOne } from "../database/connection.ts";

/** A lexicon is stale when this share of the records has come or changed since its fit. */
const staleShare = 0.2;
/**
 * Or so many of one dataset: those are counted one by one for each new total (`funding.bitmap_total`), and at twice as many
 * all are.
 */
const staleRecords = 2_500;

/**
 * Whether the lexicon no longer speaks for the records: words that it does not know can be searched
 * for, but not by meaning, and what has no number in its indexes takes time to rank and to count.
 */
export async function isLexiconStale(connection: Connection): Promise<boolean> {
  const { records, unnumbered, most } = await queryOne<{ records: number; unnumbered: number; most: number }>(
    connection,
    `select sum(records)::int as records, sum(unnumbered)::int as unnumbered, max(unnumbered)::int as most
     from (
       select count(*) as records, count(*) filter (where posting_number is null) as unnumbered from funding.grants
       union all select count(*), count(*) filter (where posting_number is null) from funding.contracts
       union all select count(*), count(*) filter (where posting_number is null) from funding.funders
     ) as dataset`,
  );
  return unnumbered > records * staleShare || most > staleRecords;
}
