import { type Connection, queryOne, queryValue } from "../connection.ts";

/** The lexicon is stale when this share of a dataset's records came or changed since its fit: its words and lists are of other records. */
const staleRecords = 0.1;
/** Age of a fit's last step at which its command was probably ended. The longest step builds a vector index. */
const abandonedAfter = "10 minutes";

/**
 * Whether the lexicon should be fitted again: whether its fit was made by version 1.1, which did not order the dimensions, or whether enough
 * has changed. Records that came or changed since are indexed without a fit (`funding.seal`), and slots of those that are gone are given up
 * without one (`funding.clean_segments`). False while another fit is being made: the next import measures again.
 */
export async function isLexiconStale(connection: Connection): Promise<boolean> {
  const is_fitting = await queryValue<boolean>(
    connection,
    "select exists (select from funding.next_fit where prepared_at > now() - $1::interval)",
    [abandonedAfter],
  );
  if (is_fitting) return false;
  const { drift, is_unordered } = await queryOne<{ drift: number | null; is_unordered: boolean }>(
    connection,
    `select funding.lexicon_drift() as drift, fit.dimensions > 0 and not fit.has_singular_order as is_unordered
     from funding.lexicon_fit as fit`,
  );
  return drift !== null && (is_unordered || drift > staleRecords);
}
