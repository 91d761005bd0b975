import { type Connection, queryOne } from "../database/connection.ts";

/** A lexicon is stale when this share of the records has come since its fit. */
const staleShare = 0.2;

/**
 * Whether the lexicon no longer speaks for the records: words that it does not know can be searched
 * for, but not by meaning.
 */
export async function isLexiconStale(connection: Connection): Promise<boolean> {
  const { records, fitted } = await queryOne<{ records: number; fitted: number }>(
    connection,
    `select ((select count(*) from funding.grants) + (select count(*) from funding.contracts)
             + (select count(*) from funding.funders))::int as records,
            (select documents from funding.lexicon_fit) as fitted`,
  );
  return records - fitted > records * staleShare;
}
