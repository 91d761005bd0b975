import type { Connection } from "../../database/connection.ts";

/** Records of one dataset, and those among them that lack a vector of a model. */
export interface Backlog {
  dataset: string;
  records: number;
  lacking: number;
  /** What is to be embedded of those that lack one. */
  characters: number;
}

/** English funding notices have between 4 and 5 characters a token; the estimate is on the high side. */
const charactersPerToken = 4;

/** US dollars for a million tokens, as published in November 2026. */
const prices: Record<string, number> = {
  "openai/text-embedding-3-small": 0.02,
  "openai/text-embedding-3-large": 0.13,
};

/** How much there is to embed for a model, by dataset. */
export async function readBacklog(connection: Connection, model: string): Promise<Backlog[]> {
  return connection.query<Backlog>(
    `select dataset, records::float8 as records, lacking::float8 as lacking, characters::float8 as characters
     from funding.embedding_backlog($1)`,
    [model],
  );
}

export function lackingIn(backlog: readonly Backlog[]): number {
  return backlog.reduce((sum, { lacking }) => sum + lacking, 0);
}

/**
 * What embedding a backlog will cost, for the person who pays.
 *
 * @param price US dollars for a million tokens, where the caller knows better.
 */
export function formatEstimate(model: string, backlog: readonly Backlog[], price = prices[model]): string {
  const records = backlog.reduce((sum, dataset) => sum + dataset.records, 0);
  const tokens = Math.ceil(backlog.reduce((sum, { characters }) => sum + characters, 0) / charactersPerToken);
  const parts = backlog.map(({ dataset, lacking }) => `${count(lacking)} ${dataset}`).join(", ");
  return [
    `${model}: ${count(lackingIn(backlog))} of ${count(records)} records to embed (${parts})`,
    `  tokens  about ${count(tokens)}, at ${charactersPerToken} characters a token`,
    price === undefined
      ? "  cost    unknown: --price says what a million tokens costs"
      : `  cost    about $${((tokens / 1_000_000) * price).toFixed(2)}, at $${price} for a million tokens`,
  ].join("\n");
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
