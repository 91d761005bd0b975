import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { queryOne, queryValue } from "../../database/connection.ts";
import { dispatch } from "../../functions/dispatch/dispatcher.ts";
import { maintain } from "../../functions/dispatch/retention.ts";
import type { ClaimedEmbeddings } from "../../shared/database/rpc.ts";
import type { EmbeddingPlatform } from "../../shared/embeddings/provider.ts";
import { createQueryEmbedder } from "../../shared/embeddings/query-embedder.ts";
import { createLog } from "../../shared/log/log.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { addGrants, embedRecords, model, platformAt, secretKey, wrongVectors } from "./records.ts";
import {
  type Behaviour,
  type EmbeddingServer,
  failWith,
  hangs,
  otherDimensions,
  resets,
  right,
  short,
  startEmbeddingServer,
  vectorOf,
} from "./server.ts";

/** The queue of records for an external model, and the dispatcher that works on it. */

let server: EmbeddingServer;
let service: TestService;
let key: string;
let lines: string[];

/** Grants, and contracts. */
const kept = 40;

const log = createLog({ variable: () => undefined, level: "info", print: (_level, line) => lines.push(line) });

beforeAll(async () => {
  lines = [];
  server = await startEmbeddingServer();
  service = await openTestService(createQueryEmbedder(platformAt(server.url)), log);
  // Some of the demo's records: each change of the model makes the vectors of all.
  for (const table of ["grants", "contracts"]) {
    await service.connection.execute(`
      delete from funding.${table} where id not in (select id from funding.${table} order by id limit ${kept})`);
  }
  await embedRecords(service.connection, server.url);
  ({ key } = await service.newKey());
});
afterAll(async () => {
  await service.close();
  await server.close();
});
beforeEach(async () => {
  await service.connection.execute(`
    delete from funding.grants where source = 'test';
    update funding.settings set value = default_value where name like 'embedding\\_%' and name <> 'embedding_model';
    delete from funding.embedding_queue;
    delete from funding.embedding_state;
    insert into funding.embedding_state default values`);
  server.reset();
  lines = [];
});

const run = (embedding: EmbeddingPlatform = platformAt(server.url)) =>
  dispatch({ ...service.runtime, embedding, budgetMs: 60_000 });
const textsAsked = () => server.requests.flatMap(({ texts }) => texts);

/** Adds grants of these titles, and returns their ids in this order. */
const add = (...titles: string[]) =>
  addGrants(
    service.connection,
    titles.map((title) => ({ title })),
  );

const addMany = (count: number, word: string) => add(...Array.from({ length: count }, (_, at) => `${word} ${at}`));

async function rename(id: string | undefined, title: string): Promise<void> {
  await service.lock.run((database) =>
    database.query("update funding.grants set title = $2 where id = $1", [id, title]),
  );
}

interface Queued {
  id: string;
  is_claimed: boolean;
  refusal: string | null;
}

const queued = () =>
  service.connection.query<Queued>(
    "select record_id as id, claimed_until is not null as is_claimed, refusal from funding.embedding_queue order by queued_at",
  );

interface State {
  tokens: number;
  tokens_today: number;
  requests: number;
  records: number;
  failures: number;
  last_failure: string | null;
}

const state = () =>
  queryOne<State>(
    service.connection,
    `select tokens::int, tokens_today::int, requests::int, records::int, failures::int, last_failure from funding.embedding_state`,
  );

/** Lets the dispatcher's time pass. */
async function passTime(seconds: number): Promise<void> {
  await service.connection.execute(
    `update funding.dispatch_clock set dispatch_time = dispatch_time + interval '${seconds} seconds'`,
  );
}

async function set(name: string, value: number | string): Promise<void> {
  await service.connection.query("update funding.settings set value = $2::jsonb where name = $1", [
    name,
    JSON.stringify(value),
  ]);
}

async function claim(maximum = 100, providers = ["openai"]): Promise<ClaimedEmbeddings> {
  const outcome = await service.runtime.database.call("claim_embeddings", { providers, maximum });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.value;
}

async function search(query: string, mode: string): Promise<{ mode: string; ids: string[] }> {
  const path = `/grants-api?search=${encodeURIComponent(query)}&search_mode=${mode}&limit=100`;
  const response = await service.fetch(path, { headers: bearer(key) });
  const body = (await response.json()) as { results: { id: string }[]; meta: { search_mode: string } };
  return { mode: body.meta.search_mode, ids: body.results.map(({ id }) => id) };
}

describe("a record", () => {
  test("that is new is found by its words at once, and by meaning after a run of the dispatcher", async () => {
    const ids = await add("Zanzibar gondola terminals", "Zanzibar gondola boats");
    expect((await search("Zanzibar gondola", "semantic")).ids).toEqual([]);
    const before = await search("Zanzibar gondola", "hybrid");
    expect([before.mode, before.ids.sort()]).toEqual(["hybrid", [...ids].sort()]);

    await run();
    expect(await queued()).toEqual([]);
    expect((await search("Zanzibar gondola", "semantic")).ids.sort()).toEqual([...ids].sort());
    expect(await wrongVectors(service.connection, model)).toEqual([]);
    expect(lines.filter((line) => !line.includes('"level":"info"'))).toEqual([]);
  });

  test("is embedded too where webhooks are not set up", async () => {
    await add("Upkeep of lighthouses");
    await maintain({ ...service.runtime, embedding: platformAt(server.url), budgetMs: 60_000 });
    expect(await wrongVectors(service.connection, model)).toEqual([]);
  });

  test("whose text changed gets another vector, and one that changed otherwise keeps its own", async () => {
    const [first, second] = await add("Kelp farms", "Kelp ships");
    await run();
    server.reset();
    await rename(first, "Kelp forests");
    await service.connection.query("update funding.grants set status = 'closed' where id = $1", [second]);
    // Only its spelling: the words of the index are the same.
    await rename(second, "Kelp ship");
    await service.connection.query("update funding.grants set states = '{OH}' where id = $1", [first]);
    expect((await queued()).map(({ id }) => id)).toEqual([first, second]);
    await run();
    expect(textsAsked().sort()).toEqual(["Kelp forests\n\nOf the tests.", "Kelp ship\n\nOf the tests."]);
    expect(await wrongVectors(service.connection, model)).toEqual([]);
  });

  test("that changes while it is embedded does not get its old text's vector", async () => {
    const [id] = await add("Old title");
    server.next(async (seen, response) => {
      await rename(id, "New title");
      right(seen, response);
    });
    await run();
    expect(textsAsked()).toEqual(["Old title\n\nOf the tests.", "New title\n\nOf the tests."]);
    expect(await wrongVectors(service.connection, model)).toEqual([]);
  });

  test("that is deleted leaves the queue, also while it is embedded", async () => {
    const [first, second] = await add("Deleted before", "Deleted meanwhile");
    await service.connection.query("delete from funding.grants where id = $1", [first]);
    server.next(async (seen, response) => {
      await service.lock.run((database) => database.query("delete from funding.grants where id = $1", [second]));
      right(seen, response);
    });
    await run();
    expect([textsAsked().length, await queued()]).toEqual([1, []]);
  });

  test("is not queued under the lexicon", async () => {
    await set("embedding_model", "lexicon");
    try {
      const [id] = await add("Words alone");
      await rename(id, "Other words alone");
      await run();
      expect([await queued(), server.requests, await state()]).toMatchObject([[], [], { requests: 0 }]);
    } finally {
      await set("embedding_model", model);
    }
  });
});

describe("of two dispatchers", () => {
  test("each record is embedded by one", async () => {
    await addMany(330, "Shared work");
    server.always((seen, response) => setTimeout(() => right(seen, response), 20));
    await Promise.all([run(), run(), run()]);
    expect([textsAsked().length, new Set(textsAsked()).size]).toEqual([330, 330]);
    expect(await wrongVectors(service.connection, model)).toEqual([]);
  });

  test("one that was killed loses nothing: its claim ends, and comes after what is newer", async () => {
    const [lost] = await add("Lost on the way");
    expect((await claim()).records).toHaveLength(1);
    const [newer] = await add("Came later");
    expect((await claim(1)).records).toMatchObject([{ id: newer }]);
    expect((await claim()).records).toEqual([]);
    await passTime(121);
    const again = await claim(1);
    expect(again.records).toMatchObject([{ id: lost }]);
    await passTime(121);
    await run();
    expect(await wrongVectors(service.connection, model)).toEqual([]);
  });

  test("one whose claim has ended decides nothing for the other", async () => {
    await add("Slow on the way");
    const slow = await claim();
    await passTime(121);
    const other = await claim();
    if (!("claimed_until" in slow) || !("claimed_until" in other)) throw new Error("nothing was claimed");
    const [{ dataset, id, text_hash }] = slow.records;
    const batch = [{ dataset, id, text_hash, refusal: "too late" }];
    await service.runtime.database.call("finish_embeddings", { ...slow, batch, spent: {} });
    expect(await queued()).toMatchObject([{ is_claimed: true, refusal: null }]);
  });
});

describe("a provider", () => {
  test.each<[string, Behaviour, string]>([
    ["is down", resets, "could not be reached"],
    ["is overloaded", failWith(503), "answered 503"],
    ["has another key", failWith(401), "answered 401"],
    ["breaks its protocol", short, "vectors for"],
    ["has another model", otherDimensions, "768 dimensions"],
  ])("that %s is left alone for a while, and then gets what waits", async (_, behaviour, words) => {
    const ids = await add("First to wait", "Second to wait");
    server.always(behaviour);
    await run();
    await run();
    // A failure that may be the texts' own is tried on another text.
    const requests = () => server.requests.filter(({ texts }) => texts[0] !== "funding");
    expect(requests()).toHaveLength(1);
    expect((await queued()).map(({ id, is_claimed }) => [id, is_claimed]).sort()).toEqual(
      ids.map((id) => [id, false]).sort(),
    );
    expect(await state()).toMatchObject({ failures: 1, last_failure: expect.stringContaining(words) });
    expect(lines.join("\n")).toContain(words);
    expect(lines.join("\n")).not.toContain(secretKey);

    await passTime(6);
    await run();
    expect(requests()).toHaveLength(2);
    server.always(right);
    await passTime(6);
    await run();
    expect(requests()).toHaveLength(2);
    await passTime(6);
    await run();
    expect(await wrongVectors(service.connection, model)).toEqual([]);
    expect(await state()).toMatchObject({ failures: 2, last_failure: null });
  });

  test("that asks for a pause gets it, but for an hour at most", async () => {
    await add("Asked to wait");
    server.next(failWith(429, { "retry-after": "86400" }));
    await run();
    await passTime(3_500);
    await run();
    expect(server.requests).toHaveLength(1);
    await passTime(101);
    await run();
    expect(await wrongVectors(service.connection, model)).toEqual([]);
  });

  test("that is down gets few records of many at a time", async () => {
    await addMany(30, "In the dark");
    server.next(resets, resets);
    await run();
    await passTime(6);
    await run();
    expect(server.requests.map(({ texts }) => texts.length)).toEqual([30, 8]);
  });

  test("that does not answer does not keep the server from stopping", async () => {
    await add("Unanswered");
    const stop = new AbortController();
    server.always((seen, response) => {
      hangs(seen, response);
      stop.abort();
    });
    const { database, webhooks, log } = service.runtime;
    const embedding = platformAt(server.url);
    await dispatch({ database, webhooks, log, embedding, budgetMs: Infinity, signal: stop.signal, stay: true });
    expect([await queued(), await state()]).toMatchObject([[{ is_claimed: false }], { failures: 0 }]);
  });

  test("that refuses a text gets the others, and the reason is shown until the text changes", async () => {
    const poisoned: Behaviour = (seen, response) =>
      seen.texts.some((text) => text.includes("poison")) ? failWith(400)(seen, response) : right(seen, response);
    server.always(poisoned);
    await addMany(20, "Wholesome");
    const [id] = await add("A poison for all");
    await addMany(20, "Wholesome too");
    await run();
    expect(await queued()).toEqual([{ id, is_claimed: false, refusal: "the provider answered 400" }]);
    expect(lines.filter((line) => line.includes("set aside"))).toHaveLength(1);
    expect(lines.join()).toContain(id);
    expect(await wrongVectors(service.connection, model)).toEqual(["A poison for all"]);
    expect(await state()).toMatchObject({ failures: 0, records: 40 });

    server.reset();
    server.always(poisoned);
    await run();
    await service.connection.query("update funding.grants set states = '{OH}' where id = $1", [id]);
    await run();
    expect(server.requests).toEqual([]);
    await rename(id, "A cure for all");
    await run();
    expect(await wrongVectors(service.connection, model)).toEqual([]);
  });

  test("that refuses a long text gets its beginning", async () => {
    await set("embedding_passage_characters", 0);
    const [id] = await add("Long tales");
    await service.connection.query("update funding.grants set description = repeat('words ', 2000) where id = $1", [
      id,
    ]);
    server.always((seen, response) =>
      seen.texts.some((text) => text.length > 3_000) ? failWith(413)(seen, response) : right(seen, response),
    );
    await run();
    expect(textsAsked().map(({ length }) => length)).toEqual([8_000, 4_000, 2_000]);
    expect(await wrongVectors(service.connection, model)).toEqual([]);
  });

  test("that refuses every text is at fault itself: no record is set aside, and the setting that may help is named", async () => {
    await addMany(40, "Innocent");
    server.always(failWith(422));
    await run();
    expect((await queued()).filter(({ refusal }) => refusal !== null)).toEqual([]);
    expect((await state()).last_failure).toContain("OPENAI_SEND_DIMENSIONS=false");
    expect(server.requests.length).toBeLessThan(12);
  });

  test("gets titles alone where the setting says so, also of a text that was claimed before", async () => {
    const [first, second] = await add("Private words", "Public words");
    server.next(async (seen, response) => {
      await service.lock.run((database) =>
        database.query("update funding.settings set value = '\"title\"' where name = 'embedding_text'"),
      );
      right(seen, response);
    });
    await run();
    server.reset();
    await service.connection.query("update funding.grants set description = 'Secret.' where id = any ($1)", [
      [first, second],
    ]);
    await run();
    expect(textsAsked().sort()).toEqual(["Private words", "Public words"]);
    expect(await queued()).toEqual([]);
    await expect(set("embedding_text", "none")).rejects.toThrow("The setting embedding_text must be all or title");
  });

  test("that is not set up here is not asked, and the log says so", async () => {
    await add("For somebody else");
    await run({ variable: () => undefined });
    expect([await queued(), await state()]).toMatchObject([[{ is_claimed: false }], { failures: 0, tokens: 0 }]);
    expect(lines.join()).toContain(`the provider of ${model} is not set up`);
  });
});

describe("the bill", () => {
  test("is what the counter says, whatever the provider refuses meanwhile", async () => {
    server.always((seen, response) => (seen.texts.length > 16 ? failWith(413)(seen, response) : right(seen, response)));
    await addMany(150, "Paid for");
    await run();
    const { tokens, tokens_today, requests, records } = await state();
    expect([tokens, tokens_today]).toEqual([server.billed(), server.billed()]);
    expect([requests, records]).toEqual([server.requests.length, 150]);
  });

  test("counts what a provider may have embedded in vain, and what a killed dispatcher had claimed", async () => {
    await add("Counted once");
    server.always(short);
    await run();
    const text = Math.ceil("Counted once\n\nOf the tests.".length / 4);
    // And the text by which it tries whether the provider fails at any.
    const vain = text + Math.ceil("funding".length / 4);
    expect((await state()).tokens).toBe(vain);
    await passTime(6);
    await claim();
    expect((await state()).tokens).toBe(vain + text);
  });

  test("ends with the day's tokens, and goes on the next day", async () => {
    await addMany(30, "Dear words");
    await set("embedding_daily_tokens", 70);
    await run();
    const embedded = textsAsked().length;
    expect(embedded).toBeGreaterThan(5);
    expect(embedded).toBeLessThan(20);
    await run();
    expect([textsAsked().length, (await queued()).length]).toEqual([embedded, 30 - embedded]);
    // The next day: the counter is of another.
    await service.connection.execute("update funding.embedding_state set day = day - 1");
    await set("embedding_daily_tokens", 1_000_000);
    await run();
    expect([await queued(), textsAsked().length]).toEqual([[], 30]);
    const { tokens, tokens_today } = await state();
    expect(tokens).toBe(server.billed());
    expect(tokens_today).toBeLessThan(tokens);
  });

  test("of 0 tokens a day embeds nothing", async () => {
    await add("Not for sale");
    await set("embedding_daily_tokens", 0);
    await run();
    expect(server.requests).toEqual([]);
  });

  test("has no more requests a minute than the setting, however many are halved", async () => {
    await set("embedding_requests_per_minute", 20);
    server.always((seen, response) => (seen.texts.length > 1 ? failWith(413)(seen, response) : right(seen, response)));
    await addMany(60, "Few at a time");
    // In the middle of a minute.
    await service.connection.execute(
      "update funding.dispatch_clock set dispatch_time = date_trunc('minute', dispatch_time) + interval '61 seconds', wall = clock_timestamp()",
    );
    await run();
    expect(server.requests).toHaveLength(20);
    const left = (await queued()).length;
    expect(left).toBeLessThan(60);
    await passTime(60);
    await run();
    expect(server.requests).toHaveLength(40);
    expect((await queued()).length).toBeLessThan(left);
  });

  test("is in the metrics, with what waits", async () => {
    await add("Measured");
    server.next(failWith(503));
    await run();
    await service.connection.execute(`
      update funding.embedding_queue set queued_at = now() - interval '10 minutes';
      insert into funding.embedding_queue (dataset, record_id, refusal) values ('grants', gen_random_uuid(), 'of the tests')`);
    const outcome = await service.runtime.database.call("get_metrics", {});
    const metrics = outcome.ok ? outcome.value.embeddings : undefined;
    expect(metrics).toEqual({
      waiting: 1,
      oldest_seconds: expect.closeTo(600, -2),
      refused: 1,
      tokens: 0,
      tokens_today: 0,
      requests: 1,
      records: 0,
      failures: 1,
      daily_tokens: 10_000_000,
    });
  });
});

describe("a change of the model", () => {
  test("makes nothing of the vectors of the model before it", async () => {
    await add("Between two models");
    server.next(async (seen, response) => {
      await service.lock.run((database) =>
        database.query("update funding.settings set value = '\"openai/another\"' where name = 'embedding_model'"),
      );
      right(seen, response);
    });
    try {
      await run();
      const [first, second] = server.requests.map((request) => request.model);
      expect([first, second]).toEqual(["test-model", "another"]);
    } finally {
      await set("embedding_model", model);
    }
  });

  test("queues the records that came too late for it, and forgets what the former provider refused", async () => {
    const { connection } = service;
    await add("In time");
    await run();
    await connection.execute(`
      insert into funding.next_embeddings (model, dataset, record_id, text_hash, embedding)
      select 'openai/next', known.dataset, known.id, md5(known.bodies[1]), array_fill(1, array[384])::real[]::extensions.halfvec
      from (
        select 'grants' as dataset, id, funding.embedded_texts(title, description) as bodies from funding.grants
        union all select 'contracts', id, funding.embedded_texts(title, description) from funding.contracts
        union all select 'funders', id, funding.embedded_texts(name, summary) from funding.funders) as known;
      insert into funding.embedding_queue (dataset, record_id, refusal) select 'grants', id, 'no' from funding.grants limit 1;
      create function pg_temp.come_late() returns trigger language plpgsql as $$
      begin
        delete from funding.grants_vectors_0 where slot = (select slot from funding.grants where title = 'In time');
        delete from funding.grants_vectors_1 where slot = (select slot from funding.grants where title = 'In time');
        return null;
      end $$;
      create trigger come_late after update on funding.settings for each row execute function pg_temp.come_late()`);
    try {
      expect(await queryValue(connection, "select funding.adopt_embedding_model('openai/next')::int")).toBe(0);
      const waiting = await connection.query<{ title: string; refusal: string | null }>(
        "select title, refusal from funding.embedding_queue join funding.grants on id = record_id",
      );
      expect(waiting).toEqual([{ title: "In time", refusal: null }]);
    } finally {
      await connection.execute("drop trigger come_late on funding.settings");
      await connection.query("select funding.adopt_embedding_model('lexicon')");
      expect(await queued()).toEqual([]);
      await embedRecords(connection, server.url);
    }
  });

  test("under way does not keep new records from the present model", async () => {
    const [id] = await add("Meanwhile");
    await service.connection.query(
      "select funding.store_embeddings('grants', 'openai/next', jsonb_build_array(jsonb_build_object('id', $1::text, 'text_hash', $2::text, 'vector', array_fill(1, array[384])::real[]::extensions.vector::text)))",
      [id, "of another text"],
    );
    await run();
    expect(await wrongVectors(service.connection, model)).toEqual([]);
  });
});

describe("a model of the platform", () => {
  const use = (name: string) => service.connection.query("select funding.begin_embedding_model($1)", [name]);

  /** As many records as a test waits for. */
  const keepWaiting = (count: number) =>
    service.connection.execute(`
      delete from funding.embedding_queue where (dataset, record_id) not in (
        select dataset, record_id from funding.embedding_queue where dataset = 'grants' order by record_id limit ${count})`);

  const adoptNext = () => queryValue<boolean>(service.connection, "select funding.adopt_next_model()");
  /** The dispatcher's upkeep, which takes a new model into use where the catalogue is small. */
  const upkeep = async () => {
    await set("vector_index_minimum", 4_000);
    await service.connection.query("select public.seal_records()");
  };

  // A large catalogue, unless a test has `upkeep`.
  beforeEach(() => set("vector_index_minimum", 1));

  afterEach(async () => {
    await service.connection.query("select funding.begin_embedding_model()");
    await service.connection.query("select funding.adopt_embedding_model('lexicon')");
    await service.connection.query("delete from funding.next_embeddings");
    await set("vector_index_minimum", 4_000);
    await embedRecords(service.connection, server.url);
  });

  test("on Workers embeds up to a hundred beginnings of texts in a request of its binding", async () => {
    const asked: { name: string; input: { text: string[]; pooling: string } }[] = [];
    const workersAi = {
      run: async (name: string, input: { text: string[]; pooling: "cls" }) => {
        asked.push({ name, input });
        return { shape: [input.text.length, 384], data: input.text.map((text) => vectorOf(text)) };
      },
    };
    const [id] = await add("Long tales");
    await service.connection.query("update funding.grants set description = repeat('words ', 350) where id = $1", [id]);
    await use("workers-ai/bge-small-en-v1.5");
    const records =
      2 * kept + (await queryValue<number>(service.connection, "select count(*)::int from funding.funders")) + 1;
    expect((await queued()).length).toBe(records);
    await run(platformAt(server.url));
    expect([(await queued()).length, server.requests]).toEqual([records, []]);
    // Until the last record has its vector, search uses the former model.
    expect(await adoptNext()).toBe(false);
    expect(await wrongVectors(service.connection, model)).toEqual(["Long tales"]);
    await run({ variable: () => undefined, workersAi });
    await upkeep();
    expect(await wrongVectors(service.connection, "workers-ai/bge-small-en-v1.5")).toEqual([]);
    expect(await adoptNext()).toBe(false);
    const texts = asked.flatMap(({ input }) => input.text);
    expect([asked.length, texts.length]).toEqual([Math.ceil(records / 100), records]);
    expect(texts.find((text) => text.startsWith("Long tales"))).toHaveLength(1_800);
    expect(asked[0]).toMatchObject({ name: "@cf/baai/bge-small-en-v1.5", input: { pooling: "cls" } });
    expect((await state()).tokens).toBe(texts.reduce((sum, { length }) => sum + Math.ceil(length / 4), 0));
  });

  test.each([
    ["3040: Capacity temporarily exceeded, please try again.", "Workers AI failed with 3040"],
    ["InferenceUpstreamError: 5007: No such model", "Workers AI failed with 5007"],
    ["a secret text", "Workers AI failed"],
  ])("on Workers that fails with %j is asked again later", async (message, words) => {
    await use("workers-ai/bge-small-en-v1.5");
    await keepWaiting(5);
    let fails = true;
    const workersAi = {
      run: async (_name: string, { text }: { text: string[] }) => {
        if (fails) throw new Error(message);
        return { data: text.map((one) => vectorOf(one)) };
      },
    };
    await run({ variable: () => undefined, workersAi });
    expect((await state()).last_failure).toBe(words);
    expect((await queued()).filter(({ refusal }) => refusal !== null)).toEqual([]);
    fails = false;
    await passTime(6);
    await run({ variable: () => undefined, workersAi });
    expect(await queued()).toEqual([]);
  });

  const localModel = () => ({ run: async (text: string) => vectorOf(text) });

  test("whose change is given up leaves search as it was, and gives new records to the present model", async () => {
    await use("supabase/gte-small");
    await run({ variable: () => undefined, localModel });
    await service.connection.query("select funding.begin_embedding_model()");
    expect(await queued()).toEqual([]);
    await add("After the change was given up");
    await run();
    expect(textsAsked()).toEqual(["After the change was given up\n\nOf the tests."]);
    expect(await wrongVectors(service.connection, model)).toEqual([]);
  });

  test("gets records that come and change meanwhile, and is used without those whose text it refuses", async () => {
    await use("supabase/gte-small");
    await keepWaiting(2);
    const [id] = await add("Came meanwhile");
    await run({ variable: () => undefined, localModel });
    await rename(id, "Changed meanwhile");
    expect((await queued()).map((record) => record.id)).toEqual([id]);
    await service.connection.query("update funding.embedding_queue set refusal = 'no'");
    await upkeep();
    expect(await queryValue(service.connection, "select funding.external_model()")).toBe("supabase/gte-small");
    // The others were taken out of the queue above; a change of the model tries what was refused once more.
    expect((await queued()).every(({ refusal }) => refusal === null)).toBe(true);
    expect((await queued()).map((record) => record.id)).toContain(id);
  });

  test("of a large catalogue is used when the command says so, not by upkeep", async () => {
    await use("supabase/gte-small");
    await keepWaiting(4);
    await run({ variable: () => undefined, localModel });
    expect(await queued()).toEqual([]);
    await service.connection.query("select public.seal_records()");
    expect(await queryValue(service.connection, "select funding.external_model()")).toBe(model);
    expect(await adoptNext()).toBe(true);
    expect(await queryValue(service.connection, "select funding.external_model()")).toBe("supabase/gte-small");
  });

  test("is not taken into use while a fit is being made", async () => {
    await use("supabase/gte-small");
    await keepWaiting(0);
    await service.connection.query(
      "select funding.begin_fit(documents, average_length, dimensions) from funding.lexicon_fit",
    );
    expect(await adoptNext()).toBe(false);
    await service.connection.query("select funding.forget_fit()");
    expect(await adoptNext()).toBe(true);
  });

  test("on Supabase embeds few records in a run, one text at a time", async () => {
    const texts: string[] = [];
    const localModel = () => ({
      run: async (text: string) => {
        texts.push(text);
        return vectorOf(text);
      },
    });
    await use("supabase/gte-small");
    await keepWaiting(6);
    await run({ variable: () => undefined, localModel });
    expect([texts.length, (await queued()).length]).toEqual([4, 2]);
    await run({ variable: () => undefined, localModel });
    expect([texts.length, (await queued()).length]).toEqual([6, 0]);
  });
});

describe("the command", () => {
  test("takes no record that a dispatcher has claimed, and no dispatcher claims one meanwhile", async () => {
    const [mine, theirs] = await add("Claimed by a dispatcher", "Left to the command");
    await service.connection.query(
      "update funding.embedding_queue set queued_at = now() - interval '1 hour' where record_id = $1",
      [mine],
    );
    expect((await claim(1)).records).toMatchObject([{ id: mine }]);
    server.next(async (seen, response) => {
      expect((await claim()).records).toEqual([]);
      right(seen, response);
    });
    const { fillVectors } = await import("../../cli/embed/fill.ts");
    const { createProvider } = await import("../../shared/embeddings/models.ts");
    await fillVectors({
      connection: service.connection,
      provider: createProvider(model, platformAt(server.url)),
      model,
      batchSize: 1,
      concurrency: 1,
      signal: new AbortController().signal,
      onStored: () => undefined,
      onPause: () => undefined,
    });
    expect(textsAsked()).toEqual(["Left to the command\n\nOf the tests."]);
    expect((await queued()).map(({ id }) => id)).toEqual([mine]);
    expect(theirs).not.toBe(mine);
    const { tokens, tokens_today } = await state();
    // Its tokens are of nobody's day, since somebody was asked.
    expect(tokens - tokens_today).toBe(server.billed());
    await passTime(121);
    await run();
    expect(await wrongVectors(service.connection, model)).toEqual([]);
  });
});
