import { afterAll, beforeAll, expect, test } from "vitest";
import { readBackup } from "../../database/backup/read.ts";
import { restoreBackup } from "../../database/backup/restore.ts";
import { writeBackup } from "../../database/backup/write.ts";
import { type Connection, queryValue } from "../../database/connection.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { readSchemaFaults } from "../../database/schema-faults.ts";
import { dispatch } from "../../functions/dispatch/dispatcher.ts";
import { createProvider } from "../../shared/embeddings/models.ts";
import { createQueryEmbedder } from "../../shared/embeddings/query-embedder.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { embedRecords, platformAt, wrongVectors } from "./records.ts";
import { type EmbeddingServer, startEmbeddingServer } from "./server.ts";

/** Models whose vectors have other sizes than 384. */

let server: EmbeddingServer;
let service: TestService;
let key: string;

beforeAll(async () => {
  server = await startEmbeddingServer();
  service = await openTestService(createQueryEmbedder(platformAt(server.url)));
  // Enough for a vector index, and few enough to be embedded often.
  await service.connection.execute(`
    update funding.settings set value = '100' where name = 'vector_index_minimum';
    delete from funding.contracts;
    delete from funding.grants where id not in (select id from funding.grants order by id limit 150)`);
  ({ key } = await service.newKey());
});
afterAll(async () => {
  await service.close();
  await server.close();
});

async function* inChunks(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const modelOf = (size: number) => `openai/test-model${size === 384 ? "" : `@${size}`}`;

/** Type of the searched vectors of grants, and how Postgres stores them: `p` is in the row itself. */
async function columnOf(connection: Connection): Promise<string> {
  return queryValue<string>(
    connection,
    `select format_type(atttypid, atttypmod) || ' ' || attstorage::text
     from funding.lexicon_fit as fit
     join pg_attribute on attrelid = to_regclass('funding.' || funding.vectors_table('grants', fit.vectors)) and attname = 'embedding'`,
  );
}

async function search(query: string, mode: string): Promise<{ mode: string; ids: string[] }> {
  const path = `/grants-api?search=${encodeURIComponent(query)}&search_mode=${mode}&limit=100`;
  const response = await service.fetch(path, { headers: bearer(key) });
  const body = (await response.json()) as { results: { id: string }[]; meta: { search_mode: string } };
  return { mode: body.meta.search_mode, ids: body.results.map(({ id }) => id) };
}

/** A grant of the usual scope, which search finds by its title. */
async function firstGrant(): Promise<{ id: string; title: string }> {
  const [grant] = await service.connection.query<{ id: string; title: string }>(
    "select id, title from funding.grants where classification = 'opportunity' and archived_at is null and superseded_by is null order by id limit 1",
  );
  if (grant === undefined) throw new Error("There is no grant.");
  return grant;
}

test.each([256, 3_072])(
  "search by meaning uses vectors of %i numbers, also of records that come or change",
  async (size) => {
    const { connection } = service;
    server.reset();
    await embedRecords(connection, server.url, modelOf(size));
    expect(new Set(server.requests.map(({ dimensions }) => dimensions))).toEqual(new Set([size]));
    expect(await columnOf(connection)).toBe(`extensions.halfvec(${size}) p`);
    expect(await wrongVectors(connection, modelOf(size), size)).toEqual([]);
    expect(await queryValue(connection, "select funding.has_vector_index('grants')")).toBe(true);
    expect(await readSchemaFaults(connection)).toEqual([]);

    const { id, title } = await firstGrant();
    for (const mode of ["semantic", "hybrid"]) {
      const found = await search(title, mode);
      expect([found.mode, found.ids[0]]).toEqual([mode, id]);
    }
    // The second time from the cache of vectors.
    server.reset();
    expect((await search(title, "semantic")).ids[0]).toBe(id);
    expect(server.requests).toEqual([]);

    await service.lock.run((database) =>
      database.query("update funding.grants set title = $2 where id = $1", [id, `Kelp of size ${size}`]),
    );
    await dispatch({ ...service.runtime, embedding: platformAt(server.url), budgetMs: 60_000 });
    expect(await wrongVectors(connection, modelOf(size), size)).toEqual([]);
    expect((await search(`Kelp of size ${size}`, "semantic")).ids[0]).toBe(id);
    const similar = await service.fetch(`/grants-api?similar_to=${id}`, { headers: bearer(key) });
    expect(similar.status).toBe(200);
  },
);

test("a former model's vectors are kept, so that going back embeds what has changed since alone", async () => {
  const { connection } = service;
  await embedRecords(connection, server.url, modelOf(768));
  await embedRecords(connection, server.url, modelOf(384));
  expect(await columnOf(connection)).toBe("extensions.halfvec(384) p");
  const { id } = await firstGrant();
  await service.lock.run((database) =>
    database.query("update funding.grants set title = 'Eelgrass meadows' where id = $1", [id]),
  );
  server.reset();
  await embedRecords(connection, server.url, modelOf(768));
  expect(server.requests.flatMap(({ texts }) => texts)).toEqual([expect.stringMatching(/^Eelgrass meadows/)]);
  expect(await wrongVectors(connection, modelOf(768), 768)).toEqual([]);

  // After their days they go, those of every model that search does not use.
  const kept = "select count(*)::int from funding.next_embeddings where kept_since is not null";
  expect(await queryValue<number>(connection, kept)).toBeGreaterThan(200);
  await connection.query("update funding.next_embeddings set kept_since = kept_since - interval '31 days'");
  while (
    (await queryValue<{ rows: number }>(connection, "select public.prune_table('next_embeddings', 1000)")).rows > 0
  );
  expect(await queryValue<number>(connection, kept)).toBe(0);
});

test("a backup brings vectors of any size back, with their index", async () => {
  const { connection } = service;
  await embedRecords(connection, server.url, modelOf(768));
  const chunks: Uint8Array[] = [];
  const about = { version: "9.8.7", created_at: "2026-11-23T00:00:00Z", files: {} };
  const silent = { step: () => undefined, table: () => undefined, leftOut: () => undefined };
  for await (const chunk of writeBackup(connection, about, silent)) chunks.push(chunk);
  const restored = pgliteConnection(await openPGlite());
  try {
    await restoreBackup(restored, await readBackup(inChunks(chunks)), silent);
    expect(await columnOf(restored)).toBe("extensions.halfvec(768) p");
    expect(await wrongVectors(restored, modelOf(768), 768)).toEqual([]);
    expect(await queryValue(restored, "select funding.has_vector_index('grants')")).toBe(true);
    expect(await readSchemaFaults(restored)).toEqual([]);
    // The tables that are not searched take the lexicon's vectors.
    await restored.query("select funding.adopt_embedding_model('lexicon')");
    expect(await columnOf(restored)).toBe("extensions.halfvec(384) p");
  } finally {
    await restored.close();
  }
});

test("back to the lexicon, vectors have 384 numbers again, and a fit makes them", async () => {
  const { connection } = service;
  await embedRecords(connection, server.url, modelOf(768));
  await connection.query("select funding.adopt_embedding_model('lexicon')");
  await connection.query("select funding.reindex_records()");
  expect(await columnOf(connection)).toBe("extensions.halfvec(384) p");
  const { id, title } = await firstGrant();
  expect((await search(title, "semantic")).ids).toContain(id);
});

test("a vector of another size than its model's is refused, and a search with one goes by words", async () => {
  const { connection } = service;
  await embedRecords(connection, server.url, modelOf(512));
  await expect(
    connection.query(
      "select funding.vector_of('openai/test-model@512', array_fill(1, array[384])::real[]::extensions.vector::text)",
    ),
  ).rejects.toThrow("a vector of openai/test-model@512 has 512 numbers, and not 384");
  const { id } = await firstGrant();
  const title = "Seagrass between two sizes";
  await service.lock.run((database) =>
    database.query("update funding.grants set title = $2 where id = $1", [id, title]),
  );
  const ranked = await connection.query<{ id: string }>(
    "select id from funding.ranked('grants', jsonb_build_object('search', $1::text), 'hybrid', array_fill(1, array[384])::real[]::extensions.halfvec, 5)",
    [title],
  );
  expect(ranked[0]?.id).toBe(id);
});

test.each(["openai/x@255", "openai/x@3073", "openai/x@0", "supabase/gte-small@512", "openai/"])(
  "the setting embedding_model cannot be %s",
  async (name) => {
    await expect(
      service.connection.query(
        "update funding.settings set value = to_jsonb($1::text) where name = 'embedding_model'",
        [name],
      ),
    ).rejects.toThrow("must be lexicon, openai/NAME, openai/NAME@SIZE with a size from 256 to 3072");
  },
);

test("a model of the platform has one size", () => {
  expect(() => createProvider("supabase/gte-small@512", platformAt(server.url))).toThrow("no provider has a model");
});
