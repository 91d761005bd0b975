import { changeOver } from "../../cli/embed/change-over.ts";
import { fillVectors } from "../../cli/embed/fill.ts";
import type { Connection } from "../../database/connection.ts";
import { createProvider } from "../../shared/embeddings/models.ts";
import type { EmbeddingPlatform } from "../../shared/embeddings/provider.ts";
import { normalized, type Vector } from "../../shared/embeddings/vector.ts";
import { searchedVectors } from "../support/vectors.ts";
import { vectorOf } from "./server.ts";

/** The model that the server stands for. */
export const model = "openai/test-model";

export const secretKey = "sk-test-0123456789abcdefghij";

export function platformAt(url: string): EmbeddingPlatform {
  const variables: Record<string, string> = { OPENAI_BASE_URL: url, OPENAI_API_KEY: secretKey };
  return { variable: (name) => variables[name] };
}

/** Adds open grants of the source `test`. @returns their ids, in the same order. */
export async function addGrants(
  connection: Connection,
  grants: readonly { title: string; description?: string }[],
): Promise<string[]> {
  const ids = grants.map(() => crypto.randomUUID());
  await connection.query(
    `insert into funding.grants (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash)
     select given.id::uuid, given.title, given.description, 'open', 'opportunity', (select id from funding.funders limit 1), now(), 'test', given.id, ''
     from unnest($1::text[], $2::text[], $3::text[]) as given(id, title, description)`,
    [ids, grants.map(({ title }) => title), grants.map(({ description = "Of the tests." }) => description)],
  );
  return ids;
}

/** Gives all records the server's vectors and makes search use them. */
export async function embedRecords(connection: Connection, url: string, name = model): Promise<void> {
  await fillVectors({
    connection,
    provider: createProvider(name, platformAt(url)),
    model: name,
    batchSize: 200,
    concurrency: 2,
    signal: new AbortController().signal,
    onStored: () => undefined,
    onPause: () => undefined,
  });
  const lacking = await changeOver(connection, name);
  if (lacking > 0) throw new Error(`${lacking} records lack a vector`);
}

/** Records with a vector that is not the one that the server gives for that text of theirs, as titles. */
export async function wrongVectors(connection: Connection, expectedModel: string, size?: number): Promise<string[]> {
  const wrong: string[] = [];
  for (const [dataset, title, body] of [
    ["grants", "title", "description"],
    ["contracts", "title", "description"],
    ["funders", "name", "summary"],
  ] as const) {
    const rows = await connection.query<{ title: string; text: string; model: string; embedding: string | null }>(
      `select ${title} as title, text.body as text, funding.setting('embedding_model')#>>'{}' as model, known.embedding::text as embedding
       from funding.${dataset} as record
       cross join lateral unnest(funding.embedded_texts(${title}, ${body})) with ordinality as text(body, number)
       left join ${searchedVectors(dataset)} as known on known.slot = record.slot and known.passage = text.number - 1`,
    );
    for (const row of rows) {
      const expected = normalized(vectorOf(row.text, size)) ?? [];
      const stored = JSON.parse(row.embedding ?? "[]") as Vector;
      const isRight =
        row.model === expectedModel && expected.every((value, index) => Math.abs(value - (stored[index] ?? 9)) < 1e-3);
      if (!isRight) wrong.push(row.title);
    }
  }
  return wrong;
}
