import { type Connection, queryOne } from "../database/connection.ts";

/** A lexicon is stale when this share of the records was added or changed since its fit. */
const staleShare = 0.2;
/**
 * It is also stale when a dataset has this many such records. They are counted one by one for each new total
 * (`funding.bitmap_total`); at twice as many, all records of the dataset are.
 */
const staleRecords = 2_500;

/**
 * Whether the lexicon should be fitted again. Semantic search cannot use words that are not in it, and records that are
 * not in its indexes are slow to rank and to count.
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
