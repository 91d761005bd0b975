import type { Connection } from "../../database/connection.ts";
import { charactersPerToken } from "../../shared/embeddings/embed-texts.ts";
import { formatCount } from "../progress.ts";

/** Texts of one dataset's records to embed for a model: each record's own, and the passages of long ones. */
export interface Backlog {
  dataset: string;
  records: number;
  /** Texts that lack a vector of the model. */
  lacking: number;
  /** Length of those. */
  characters: number;
}

/** US dollars for a million tokens, as published in November 2026. */
const prices: Record<string, number> = {
  "openai/text-embedding-3-small": 0.02,
  "openai/text-embedding-3-large": 0.13,
};

/** Price of a model, whatever the size of its vectors. */
function publishedPrice(model: string): number | undefined {
  return prices[model.replace(/@\d+$/, "")];
}

/** Reads how much there is to embed for a model, by dataset. */
export async function readBacklog(connection: Connection, model: string): Promise<Backlog[]> {
  return connection.query<Backlog>(
    `select dataset, records::float8 as records, lacking::float8 as lacking, characters::float8 as characters
     from funding.embedding_backlog($1)`,
    [model],
  );
}

/** Number of texts that lack a vector, in all datasets. */
export function sumLacking(backlog: readonly Backlog[]): number {
  return backlog.reduce((sum, { lacking }) => sum + lacking, 0);
}

/**
 * Formats the cost of embedding a backlog, in lines for the person who pays.
 *
 * @param price US dollars for a million tokens. Default: the published price.
 */
export function formatEstimate(model: string, backlog: readonly Backlog[], price = publishedPrice(model)): string[] {
  const records = backlog.reduce((sum, dataset) => sum + dataset.records, 0);
  const tokens = Math.ceil(backlog.reduce((sum, { characters }) => sum + characters, 0) / charactersPerToken);
  const parts = backlog.map(({ dataset, lacking }) => `${formatCount(lacking)} ${dataset}`).join(", ");
  return [
    `${model}: ${formatCount(sumLacking(backlog))} texts of ${formatCount(records)} records to embed (${parts})`,
    `  tokens  about ${formatCount(tokens)}, at ${charactersPerToken} characters a token`,
    price === undefined
      ? "  cost    unknown: --price says what a million tokens costs"
      : `  cost    about $${((tokens / 1_000_000) * price).toFixed(2)}, at $${price} for a million tokens`,
  ];
}
