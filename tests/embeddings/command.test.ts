import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { changeOver } from "../../cli/embed/change-over.ts";
import { queryValue } from "../../database/connection.ts";
import { dispatch } from "../../functions/dispatch/dispatcher.ts";
import { listenForPostgresClients, type PostgresSocket } from "../../local/embedded/postgres-socket.ts";
import { createProvider } from "../../shared/embeddings/models.ts";
import { createQueryEmbedder } from "../../shared/embeddings/query-embedder.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { startEmbed } from "./command.ts";
import { embedRecords, platformAt, secretKey, wrongVectors } from "./records.ts";
import {
  type Behaviour,
  breaksOff,
  type EmbeddingServer,
  failWith,
  garbage,
  html,
  otherDimensions,
  repeated,
  resets,
  right,
  short,
  shuffled,
  startEmbeddingServer,
  vectorOf,
} from "./server.ts";

const model = "openai/text-embedding-3-small";
const records = 1_080;

let server: EmbeddingServer;
let service: TestService;
let socket: PostgresSocket;
let databaseUrl: string;
let key: string;

beforeAll(async () => {
  server = await startEmbeddingServer();
  service = await openTestService(createQueryEmbedder(platformAt(server.url)));
  socket = await listenForPostgresClients(service.lock, 0, { password: "postgres" });
  databaseUrl = `postgresql://postgres:postgres@127.0.0.1:${socket.port}/postgres`;
  ({ key } = await service.newKey());
});
afterAll(async () => {
  socket.close();
  await service.close();
  await server.close();
});

/** Search as it was before: the lexicon's vectors, nothing waiting. */
beforeEach(async () => {
  server.reset();
  await service.connection.query("select funding.adopt_embedding_model('lexicon')");
  await service.connection.execute("delete from funding.next_embeddings; delete from funding.query_embeddings");
});

const run = (...words: string[]) => startEmbed(databaseUrl, server.url, words).done;
const textsAsked = () => server.requests.flatMap(({ texts }) => texts);

async function currentModel(): Promise<string> {
  const [row] = await service.connection.query<{ model: string }>(
    "select funding.setting('embedding_model')#>>'{}' as model",
  );
  return row?.model ?? "";
}

async function search(query: string, mode: string): Promise<{ status: number; mode: string; ids: string[] }> {
  const path = `/grants-api?search=${encodeURIComponent(query)}&search_mode=${mode}&limit=100`;
  const response = await service.fetch(path, { headers: bearer(key) });
  const body = (await response.json()) as { results: { id: string }[]; meta: { search_mode: string } };
  return { status: response.status, mode: body.meta.search_mode, ids: body.results.map(({ id }) => id) };
}

describe("the cost estimate", () => {
  test("is said first, and nothing happens without a yes", async () => {
    const { status, output } = await run("--provider", "openai");
    expect(status).toBe(2);
    const [row] = await service.connection.query<{ characters: number }>(
      `select sum(characters)::int as characters from funding.embedding_backlog('${model}')`,
    );
    const tokens = Math.ceil((row?.characters ?? 0) / 4);
    expect(output).toContain(`${model}: 1,080 texts of 1,080 records to embed (700 grants, 300 contracts, 80 funders)`);
    expect(output).toContain(`about ${tokens.toLocaleString("en-US")}, at 4 characters a token`);
    expect(output).toContain(`about $${((tokens / 1e6) * 0.02).toFixed(2)}, at $0.02 for a million tokens`);
    expect(output).toContain("--yes goes on without asking");
    expect([server.requests, await currentModel()]).toEqual([[], "lexicon"]);
  });

  test("is unknown for a model whose price is unknown, unless --price gives it", async () => {
    expect((await run("--provider", "openai", "--model", "my/own")).output).toContain("cost    unknown: --price");
    const { output } = await run("--provider", "openai", "--model", "my/own", "--price", "1000");
    expect(output).toMatch(/about \$\d{2,}\.\d\d, at \$1000 for a million/);
  });
});

describe("a run", () => {
  test("gives every record the vector of its own text, whatever the server does in between, and changes search over", async () => {
    server.next(
      failWith(429, { "retry-after": "2" }),
      shuffled,
      failWith(500),
      resets,
      breaksOff,
      short,
      repeated,
      garbage,
      html,
      failWith(503),
      right,
      shuffled,
    );
    const { status, output } = await run("--provider", "openai", "--yes");
    expect([status, output]).toEqual([
      0,
      expect.stringContaining(`1080 texts embedded. Search by meaning uses ${model}.`),
    ]);
    expect(await currentModel()).toBe(model);
    expect(await wrongVectors(service.connection, model)).toEqual([]);
    expect(await service.connection.query("select from funding.next_embeddings")).toEqual([]);
    expect(output).toContain("the provider answered 429; retrying in 2 s");
    // The batch that was told to wait two seconds came again no sooner.
    const [first] = server.requests;
    const again = server.requests.slice(1).find(({ texts }) => texts[0] === first?.texts[0]);
    expect((again?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(2_000);
    expect(
      server.requests.every(({ model: asked, dimensions }) => asked === "text-embedding-3-small" && dimensions === 384),
    ).toBe(true);
    expect(output).not.toContain(secretKey);

    const [row] = await service.connection.query<{ id: string; title: string }>(
      "select id, title from funding.grants where classification = 'opportunity' and archived_at is null order by id limit 1",
    );
    const found = await search(row?.title ?? "", "semantic");
    expect([found.mode, found.ids[0]]).toEqual(["semantic", row?.id]);
  });

  test("that is killed leaves search as it was, and the next goes on where it was", async () => {
    const before = await search("clean water", "semantic");
    let answered = 0;
    const slow: Behaviour = (seen, response) => {
      answered += 1;
      setTimeout(() => right(seen, response), 100);
    };
    server.always(slow);
    const first = startEmbed(databaseUrl, server.url, [
      "--provider",
      "openai",
      "--yes",
      "--batch",
      "40",
      "--concurrency",
      "2",
    ]);
    await waitUntil(() => answered >= 10);
    first.signal("SIGKILL");
    expect((await first.done).status).not.toBe(0);
    await waitUntil(async () => (await stored()) > 0);

    const kept = await stored();
    expect(kept).toBeGreaterThanOrEqual(40);
    expect(kept).toBeLessThan(records);
    expect(await currentModel()).toBe("lexicon");
    const after = await search("clean water", "semantic");
    expect([after.mode, after.ids]).toEqual(["semantic", before.ids]);

    server.reset();
    const { status, output } = await run("--provider", "openai", "--yes");
    expect(output).toContain(`${records - kept}`.replace(/\B(?=(\d{3})+$)/g, ","));
    expect(status).toBe(0);
    expect(textsAsked()).toHaveLength(records - kept);
    expect(await wrongVectors(service.connection, model)).toEqual([]);
  });

  test("that is told to stop says how to go on", async () => {
    server.always((seen, response) => setTimeout(() => right(seen, response), 200));
    const stopped = startEmbed(databaseUrl, server.url, ["--provider", "openai", "--yes", "--batch", "20"]);
    await waitUntil(() => server.requests.length > 6);
    stopped.signal("SIGINT");
    const { status, output } = await stopped.done;
    expect([status, output]).toEqual([
      1,
      expect.stringMatching(/Stopped\.\n\d+ texts still lack a vector\. Run the same command/),
    ]);
    expect(await currentModel()).toBe("lexicon");
  });

  test("after a change embeds only what is new or has changed, which was found by its words meanwhile", async () => {
    await run("--provider", "openai", "--yes");
    server.reset();
    const [changed] = await service.connection.query<{ id: string }>(
      `update funding.grants set title = 'Zanzibar gondola terminals'
       where id = (select id from funding.grants where classification = 'opportunity' and archived_at is null order by id limit 1) returning id`,
    );
    const [added] = await service.connection.query<{ id: string }>(
      `insert into funding.grants (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash)
       select gen_random_uuid(), 'Zanzibar gondola boats', 'Boats.', 'open', 'opportunity', id, now(), 'test', 'boats', ''
       from funding.funders limit 1 returning id`,
    );
    try {
      const both = [changed?.id, added?.id].sort();
      expect((await search("Zanzibar gondola", "hybrid")).ids.sort()).toEqual(both);
      expect((await search("Zanzibar gondola", "semantic")).ids).toEqual([]);

      server.reset();
      const { status, output } = await run("--provider", "openai", "--yes");
      expect([status, output]).toEqual([
        0,
        expect.stringContaining("2 texts of 1,081 records to embed (2 grants, 0 contracts, 0 funders)"),
      ]);
      expect(textsAsked()).toHaveLength(2);
      expect((await search("Zanzibar gondola", "semantic")).ids.sort()).toEqual(both);
    } finally {
      await service.connection.query("delete from funding.grants where id = $1", [added?.id]);
    }
  });

  test("with nothing to do asks for nothing, not even for a yes", async () => {
    await run("--provider", "openai", "--yes");
    server.reset();
    const { status, output } = await run("--provider", "openai");
    expect([status, output]).toEqual([0, expect.stringContaining("0 texts embedded")]);
    expect(server.requests).toEqual([]);
  });

  test("a record that changes while it is embedded does not get its old text's vector", async () => {
    const [target] = await service.connection.query<{ id: string; title: string }>(
      "select id, title from funding.grants order by id limit 1",
    );
    server.next(async (seen, response) => {
      await service.lock.run((database) =>
        database.query("update funding.grants set title = title || ' (amended)' where id = $1", [target?.id]),
      );
      right(seen, response);
    });
    expect((await run("--provider", "openai", "--yes", "--concurrency", "1")).status).toBe(0);
    expect(await wrongVectors(service.connection, model)).toEqual([]);
    expect(textsAsked().filter((text) => text.startsWith(`${target?.title} (amended)`))).toHaveLength(1);
  });

  test("back to the lexicon costs nothing, and a refit leaves an external model's vectors alone", async () => {
    const before = await search("clean water", "semantic");
    await run("--provider", "openai", "--yes");
    await service.connection.query("select funding.reindex_records()");
    expect(await wrongVectors(service.connection, model)).toEqual([]);
    server.reset();
    expect(await run("--provider", "lexicon")).toMatchObject({
      status: 2,
      output: expect.stringContaining(`The vectors of ${model} are kept for 30 days`),
    });
    expect(await currentModel()).toBe(model);
    expect(await run("--provider", "lexicon", "--yes")).toMatchObject({ status: 0 });
    expect(server.requests).toEqual([]);
    expect((await search("clean water", "semantic")).ids).toEqual(before.ids);
    expect(await run("--provider", "lexicon")).toMatchObject({
      status: 0,
      output: expect.stringContaining("uses the lexicon already"),
    });
  });

  test.each(["supabase/gte-small", "workers-ai/bge-small-en-v1.5"])(
    "to %s, which the dispatcher alone can ask, queues all records, while search stays as it is",
    async (platformModel) => {
      const words = ["--provider", platformModel.split("/")[0] ?? ""];
      expect((await run(...words)).status).toBe(2);
      const { status, output } = await run(...words, "--yes");
      expect([status, output]).toEqual([
        0,
        expect.stringContaining("1,080 texts wait for the dispatcher, 0 have their vector."),
      ]);
      expect(await currentModel()).toBe("lexicon");
      const [row] = await service.connection.query<{ waiting: number }>(
        "select count(*)::int as waiting from funding.embedding_queue",
      );
      expect(row?.waiting).toBe(records);
      expect((await search("clean water", "semantic")).ids.length).toBeGreaterThan(0);
    },
  );

  test("to a model of the platform says how far it is when it is run again, and ends when no record waits", async () => {
    const words = ["--provider", "supabase", "--yes"];
    const embedSome = () =>
      dispatch({
        ...service.runtime,
        embedding: {
          variable: () => undefined,
          localModel: () => ({ run: async (text: string) => vectorOf(text) }),
        },
        budgetMs: 60_000,
      });
    await run(...words);
    await service.connection.execute(`
      delete from funding.embedding_queue where record_id not in (select record_id from funding.embedding_queue order by record_id limit 6);
      update funding.embedding_state set next_since = next_since - interval '10 minutes'`);
    await embedSome();
    expect((await run(...words)).output).toMatch(
      /^2 texts wait for the dispatcher, 4 have their vector: about [56] minutes left\.$/m,
    );
    expect(await currentModel()).toBe("lexicon");
    await embedSome();
    expect((await run(...words)).output).toContain("Search by meaning uses supabase/gte-small");
    expect(await currentModel()).toBe("supabase/gte-small");
    // The texts that were taken out of the queue.
    expect((await run(...words)).output).toMatch(/^[\d,]+ texts of records that are there lack a vector/m);
    const queued = "select count(*)::int from funding.embedding_queue";
    expect(await queryValue<number>(service.connection, queued)).toBeGreaterThan(1_000);
    await service.connection.query("delete from funding.embedding_queue");
    expect((await run(...words)).output).toContain("Search by meaning uses supabase/gte-small already");
  });

  test("removes the vectors of a change that was given up when the lexicon is asked for again, and keeps them for a while when another model is", async () => {
    const waiting = `insert into funding.next_embeddings (model, dataset, record_id, text_hash, embedding)
      select 'given/up', 'grants', id, '', array_fill(1, array[384])::real[]::extensions.halfvec from funding.grants limit 2`;
    await service.connection.execute(waiting);
    expect((await run("--provider", "lexicon")).output).toContain("Removed kept vectors of other models: 2.");
    expect(await service.connection.query("select from funding.next_embeddings")).toEqual([]);
    await service.connection.execute(waiting);
    expect((await run("--provider", "openai", "--yes")).status).toBe(0);
    expect(
      await service.connection.query("select model, kept_since is not null as is_kept from funding.next_embeddings"),
    ).toEqual(Array(2).fill({ model: "given/up", is_kept: true }));
  });

  test("with vectors of another size, and back to it after another model, at the price of what changed", async () => {
    const sized = ["--provider", "openai", "--dimensions", "1536", "--yes"];
    expect((await run(...sized)).output).toContain(`Search by meaning uses ${model}@1536.`);
    expect(await wrongVectors(service.connection, `${model}@1536`, 1_536)).toEqual([]);
    expect(await run("--provider", "openai", "--yes")).toMatchObject({
      status: 0,
      output: expect.stringContaining(`The vectors of ${model}@1536 are kept for 30 days`),
    });
    server.reset();
    const { status, output } = await run(...sized);
    expect([status, output]).toEqual([0, expect.stringContaining("0 texts of 1,080 records to embed")]);
    expect(textsAsked()).toEqual(["funding"]);
    expect(await wrongVectors(service.connection, `${model}@1536`, 1_536)).toEqual([]);
  });
});

describe("a provider with limits", () => {
  test("that takes fewer texts at a time gets fewer", async () => {
    const atMost32: Behaviour = (seen, response) =>
      seen.texts.length > 32 ? failWith(413)(seen, response) : right(seen, response);
    server.always(atMost32);
    expect((await run("--provider", "openai", "--yes")).status).toBe(0);
    expect(await wrongVectors(service.connection, model)).toEqual([]);
  });

  test("that refuses long texts gets their beginnings", async () => {
    const long = `Long tales\n\n${"words and more words ".repeat(500)}`;
    const [row] = await service.connection.query<{ id: string; title: string; description: string }>(
      "select id, title, description from funding.contracts order by id limit 1",
    );
    await service.connection.query(
      "update funding.contracts set title = 'Long tales', description = $2 where id = $1",
      [row?.id, long],
    );
    server.always((seen, response) =>
      seen.texts.some((text) => text.length > 3_000) ? failWith(400)(seen, response) : right(seen, response),
    );
    try {
      expect((await run("--provider", "openai", "--yes")).status).toBe(0);
      expect(await wrongVectors(service.connection, model)).toEqual([]);
      const sent = textsAsked().filter((text) => text.startsWith("Long tales"));
      expect(Math.max(...sent.map(({ length }) => length))).toBe(8_000);
      expect(sent.map(({ length }) => length)).toContain(2_000);
    } finally {
      await service.connection.query("update funding.contracts set title = $2, description = $3 where id = $1", [
        row?.id,
        row?.title,
        row?.description,
      ]);
    }
  });
});

describe("a run that cannot succeed stops with a sentence", () => {
  test.each([
    ["a wrong key", failWith(401), "Stopped: the provider answered 401."],
    ["an unknown model", failWith(404), "Stopped: the provider answered 404."],
    ["vectors of another size", otherDimensions, "Stopped: the model's vectors have 768 dimensions, not 384."],
    ["a text that it always refuses", failWith(400), "Stopped: the provider answered 400, even to this text alone: "],
    ["a server that refuses, and does not say what", failWith(422), "OPENAI_SEND_DIMENSIONS=false leaves it out."],
    ["a day to wait", failWith(429, { "retry-after": "86400" }), "Stopped: the provider answered 429."],
  ])("on %s", async (_, behaviour, sentence) => {
    server.always(behaviour);
    const { status, output } = await run("--provider", "openai", "--yes");
    expect([status, output]).toEqual([1, expect.stringContaining(sentence)]);
    expect(output).toContain("1080 texts still lack a vector. Run the same command again to continue.");
    expect(output).not.toContain(secretKey);
    expect(await currentModel()).toBe("lexicon");
  });
});

// It was a refused text: the batches were halved down to one, and the setting that helps was not named.
test.each([
  {
    of: "vLLM",
    status: 400,
    message: 'Model "x" does not support matryoshka representation, changing output size fails.',
  },
  { of: "FastAPI", status: 422, message: [{ type: "extra_forbidden", loc: ["body", "dimensions"] }] },
  { of: "LiteLLM", status: 400, message: "Setting dimensions is not supported for this model" },
])(
  "a server that refuses `dimensions` as $of does is asked once, and the setting is named",
  async ({ status, message }) => {
    server.always((seen, response) =>
      seen.dimensions === undefined ? right(seen, response) : failWith(status, {}, message)(seen, response),
    );
    const words = ["--provider", "openai", "--yes", "--concurrency", "1"];
    const refused = await run(...words);
    expect(refused.output).toContain(
      `Stopped: the provider answered ${status} and seems to refuse the parameter dimensions: set OPENAI_SEND_DIMENSIONS=false`,
    );
    expect([refused.status, server.requests.length]).toEqual([1, 1]);
    const { done } = startEmbed(databaseUrl, server.url, words, { OPENAI_SEND_DIMENSIONS: "false" });
    expect((await done).status).toBe(0);
  },
);

test("a text about dimensions that is refused is not taken for the parameter", async () => {
  const text = "New dimensions of kelp";
  const provider = createProvider(model, platformAt(server.url));
  server.always(failWith(400, {}, `this text cannot be embedded: ${text}`));
  await expect(provider.embed([text], new AbortController().signal)).rejects.toMatchObject({ failure: "refused" });
});

describe("a wrong call", () => {
  test.each([
    [[], 2, "--provider is missing: expected one of lexicon, openai, supabase, workers-ai."],
    [["--provider", "openia"], 2, "not openia (did you mean openai?)"],
    [["--provider", "lexicon", "--model", "x"], 2, "--model has no meaning for the lexicon"],
    [["--provider", "openai", "--batch", "0"], 2, "--batch must be a whole number from 1 to 2048."],
    [["--provider", "openai", "--price", "free"], 2, "--price must be US dollars for a million tokens"],
  ])("%j", async (words, status, sentence) => {
    expect(await run(...words)).toEqual({ status, output: expect.stringContaining(sentence) });
    expect(server.requests).toEqual([]);
  });
});

test("a fit that is being made is given up for a model whose vectors are all there, and for no other", async () => {
  const { connection } = service;
  const fits = () => connection.query("select from funding.next_fit");
  await connection.query("select funding.begin_fit(documents, average_length, dimensions) from funding.lexicon_fit");
  expect(await changeOver(connection, "openai/of-nobody")).toBeGreaterThan(0);
  expect(await fits()).toHaveLength(1);
  await embedRecords(connection, server.url);
  expect(await fits()).toEqual([]);
});

/** Vectors that wait for the change-over. */
async function stored(): Promise<number> {
  return service.lock.run(async (database) => {
    const { rows } = await database.query<{ stored: number }>(
      "select count(*)::int as stored from funding.next_embeddings",
    );
    return rows[0]?.stored ?? 0;
  });
}

async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}
