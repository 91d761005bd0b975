import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { revokeKey } from "../../database/accounts/keys.ts";
import { createQueryEmbedder, type QueryEmbedder } from "../../shared/embeddings/query-embedder.ts";
import { createLog } from "../../shared/log/log.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { searchedVectors, setVectors } from "../support/vectors.ts";
import { embedRecords, model, platformAt, secretKey } from "./records.ts";
import {
  type Behaviour,
  breaksOff,
  drips,
  type EmbeddingServer,
  failWith,
  garbage,
  hangs,
  html,
  infinite,
  notNumbers,
  nullVector,
  otherDimensions,
  repeated,
  resets,
  right,
  short,
  startEmbeddingServer,
  vectorOf,
} from "./server.ts";

/** Timeout of a provider that does not answer, in tests of that. */
const hastyMs = 400;
/** The database runs in this process, and on a busy machine it may hold up an answer of the server. */
const patientMs = 10_000;
const openMs = 15_000;

let server: EmbeddingServer;
let service: TestService;
let key: string;
/** The service's current embedder. A new one is in the state of a new isolate: empty cache, closed circuit. */
let embedder: QueryEmbedder;
/** The circuit breaker's clock. */
let now = 0;

beforeAll(async () => {
  server = await startEmbeddingServer();
  newIsolate();
  service = await openTestService(
    {
      getCached: (query) => embedder.getCached(query),
      embed: (query, wanted) => embedder.embed(query, wanted),
    },
    createLog({ variable: () => undefined, level: "warning", print: (_level, line) => warnings.push(line) }),
  );
  await embedRecords(service.connection, server.url);
  await set("floor_similarity", { default: 0.3 });
  ({ key } = await service.newKey());
});
afterAll(async () => {
  await service.close();
  await server.close();
});

let warnings: string[];
beforeEach(async () => {
  server.reset();
  newIsolate();
  await service.connection.execute("delete from funding.query_embeddings");
  service.calls.length = 0;
  warnings = [];
});
afterEach(() => vi.restoreAllMocks());

function newIsolate(budgetMs = patientMs): void {
  embedder = createQueryEmbedder(platformAt(server.url), {
    budgetMs,
    retry: { attempts: 2, attemptTimeoutMs: budgetMs, firstPauseMs: 20, longestPauseMs: 100 },
    breaker: { failures: 3, openMs, longestOpenMs: 60_000 },
    now: () => now,
  });
}

async function set(name: string, value: unknown): Promise<void> {
  await service.connection.query("update funding.settings set value = $2::jsonb where name = $1", [
    name,
    JSON.stringify(value),
  ]);
}

interface Answer {
  status: number;
  headers: Headers;
  ids: string[];
  titles: string[];
  scores: number[];
  mode: string | undefined;
  total: number;
  body: Record<string, unknown>;
}

async function ask(path: string, init: RequestInit = {}, asker = key): Promise<Answer> {
  const response = await service.fetch(path, { ...init, headers: { ...init.headers, ...bearer(asker) } });
  const body = (await response.json()) as Record<string, unknown> & {
    results?: { id: string; title: string; relevance_score: number }[];
    meta?: { search_mode: string };
    pagination?: { total: number };
  };
  const results = body.results ?? [];
  return {
    status: response.status,
    headers: response.headers,
    ids: results.map(({ id }) => id),
    titles: results.map(({ title }) => title),
    scores: results.map(({ relevance_score }) => relevance_score),
    mode: body.meta?.search_mode,
    total: body.pagination?.total ?? -1,
    body,
  };
}

function search(query: string, mode: string, dataset = "grants-api", asker = key): Promise<Answer> {
  return ask(`/${dataset}?search=${encodeURIComponent(query)}&search_mode=${mode}&limit=100`, {}, asker);
}

function searchByMeaning(query: string, asker = key): Promise<Answer> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ query }) };
  return ask("/semantic-search", init, asker);
}

/** The ids that the words of a query alone find, best first. */
async function keywordLeg(query: string): Promise<string[]> {
  const rows = await service.connection.query<{ id: string }>(
    "select id from funding.ranked('grants', $1, 'keyword')",
    [JSON.stringify({ search: query, search_mode: "hybrid" })],
  );
  return rows.map(({ id }) => id);
}

/** Calls of data RPCs, less what is done after the response. */
const roundTrips = () => service.calls.filter((name) => name !== "record_usage");

async function aTitle(dataset = "grants"): Promise<string> {
  const [row] = await service.connection.query<{ title: string }>(
    `select title from funding.${dataset} where classification = 'opportunity' and archived_at is null order by id limit 1`,
  );
  return row?.title ?? "";
}

describe("search by the vectors of an external model", () => {
  test("finds the record that the query's vector is nearest to, and shows the similarity", async () => {
    const title = await aTitle();
    const { titles, scores, mode } = await search(title, "semantic");
    expect(titles[0]).toBe(title);
    expect(scores[0]).toBeCloseTo(1, 3);
    expect(scores.every((score) => score >= 0.3)).toBe(true);
    expect(mode).toBe("semantic");
  });

  test("fuses them with the keyword leg", async () => {
    // The server's vectors know "and", which is no word to the keyword leg; that one knows descriptions.
    const query = "and lakes";
    const byMeaning = await search(query, "semantic");
    const byWords = await keywordLeg(query);
    const { ids, total, mode } = await search(query, "hybrid");
    const both = new Set([...byMeaning.ids, ...byWords]);
    expect([mode, total]).toEqual(["hybrid", both.size]);
    expect(ids.filter((id) => !both.has(id))).toEqual([]);
    // Neither leg alone has them all.
    expect(Math.max(byMeaning.ids.length, byWords.length)).toBeLessThan(both.size);
  });

  test("finds funders", async () => {
    const [row] = await service.connection.query<{ name: string }>(
      "select name from funding.funders order by id limit 1",
    );
    const { body } = await search(row?.name ?? "", "semantic", "funders-api");
    expect((body.results as { name: string }[])[0]?.name).toBe(row?.name);
  });

  test("counts, and pages", async () => {
    const title = await aTitle();
    const { total, ids } = await search(title, "hybrid");
    const path = `/grants-api?search=${encodeURIComponent(title)}&search_mode=hybrid`;
    expect((await ask(`${path}&count_only=true`)).body).toEqual({ total });
    const page = await ask(`${path}&limit=3&offset=2`);
    expect(page.ids).toEqual(ids.slice(2, 5));
  });

  test("nonsense finds nothing", async () => {
    expect((await search("qqq zzz xxx", "semantic")).ids).toEqual([]);
    expect((await search("qqq zzz xxx", "hybrid")).ids).toEqual([]);
  });

  test("records without a vector are found by their words alone", async () => {
    const title = await aTitle();
    const { ids } = await search(title, "semantic");
    const id = ids[0] ?? "";
    const [{ vector = "" } = {}] = await service.connection.query<{ vector: string }>(
      `select known.embedding::text as vector from funding.grants as record
       join ${searchedVectors("grants")} as known on known.slot = record.slot where record.id = $1`,
      [id],
    );
    await setVectors(service.connection, "grants", `record.id = '${id}'`, null);
    try {
      expect((await search(title, "semantic")).ids).not.toContain(id);
      expect((await search(title, "hybrid")).ids).toContain(id);
    } finally {
      await setVectors(service.connection, "grants", `record.id = '${id}'`, vector);
    }
  });
});

describe("the way to a query's vector", () => {
  test("a new query takes two round trips and one request to the provider, which gets the model and the size", async () => {
    await search("clean  water ", "hybrid");
    expect(roundTrips()).toEqual(["list_grants", "list_grants"]);
    expect(server.requests.map(({ texts, model, dimensions }) => ({ texts, model, dimensions }))).toEqual([
      { texts: ["clean water"], model: "test-model", dimensions: 384 },
    ]);
  });

  test("the same query again takes one round trip and none to the provider", async () => {
    const first = await search("clean water", "hybrid");
    service.calls.length = 0;
    const second = await search("clean water", "hybrid");
    expect(roundTrips()).toEqual(["list_grants"]);
    expect(server.requests).toHaveLength(1);
    expect([second.ids, second.scores]).toEqual([first.ids, first.scores]);
  });

  test("so it does in a new isolate, from what the database remembers, on every endpoint", async () => {
    const first = await search("clean water", "semantic");
    newIsolate();
    service.calls.length = 0;
    const second = await search("clean water", "semantic");
    expect([second.ids, second.scores]).toEqual([first.ids, first.scores]);
    await search("clean water", "hybrid", "contracts-api");
    await search("clean water", "semantic", "funders-api");
    await searchByMeaning("clean water");
    expect(roundTrips()).toEqual(["list_grants", "list_contracts", "list_funders", "semantic_search"]);
    expect(server.requests).toHaveLength(1);
  });

  test("POST /semantic-search over both datasets asks for one vector", async () => {
    const { status, body } = await searchByMeaning(await aTitle("contracts"));
    expect(status).toBe(200);
    expect((body.results as { title: string }[])[0]?.title).toBe(await aTitle("contracts"));
    expect(server.requests).toHaveLength(1);
    expect(roundTrips()).toEqual(["semantic_search", "semantic_search"]);
  });

  test("words that the query excludes are not embedded, and still exclude", async () => {
    const { body } = await search("water -water", "semantic");
    expect(server.requests.map(({ texts }) => texts)).toEqual([["water"]]);
    const shown = (body.results as { title: string; description: string }[]).map(
      ({ title, description }) => `${title} ${description}`,
    );
    expect(shown.filter((text) => /\bwater\b/i.test(text))).toEqual([]);
  });

  test("a query of nothing but excluded words needs no vector and finds nothing", async () => {
    const { status, ids } = await search("-water", "semantic");
    expect([status, ids, server.requests.length]).toEqual([200, [], 0]);
  });

  test("keyword searches and wrong requests need no vector", async () => {
    await search("clean water", "keyword");
    const { titles } = await ask("/grants-api?search=clean+water&sort_by=relevance");
    expect(titles.length).toBeGreaterThan(0);
    await ask("/grants-api?search=water&search_mode=hybrid&limit=0");
    expect([roundTrips(), server.requests.length]).toEqual([["list_grants", "list_grants", "admit_request"], 0]);
  });

  test("the database keeps a hash of the query, not the query", async () => {
    await search("an unusual question", "semantic");
    const rows = await service.connection.query<{ text: string }>(
      "select q::text as text from funding.query_embeddings as q",
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain("unusual");
  });

  test("a model that was changed while the provider worked is not given the old one's vector", async () => {
    server.next(async (seen, response) => {
      await set("embedding_model", "openai/newer-model");
      right(seen, response);
    });
    try {
      const { status, mode } = await search("clean water", "hybrid");
      expect([status, mode]).toEqual([200, "keyword"]);
      const rows = await service.connection.query("select from funding.query_embeddings");
      expect(rows).toEqual([]);
    } finally {
      await set("embedding_model", model);
    }
  });

  test("back on the lexicon, a vector that the isolate remembers changes nothing", async () => {
    await search("clean water", "semantic");
    await set("embedding_model", "lexicon");
    try {
      const remembered = await search("clean water", "semantic");
      newIsolate();
      expect((await search("clean water", "semantic")).ids).toEqual(remembered.ids);
      expect(server.requests).toHaveLength(1);
    } finally {
      await set("embedding_model", model);
    }
  });
});

describe("admission comes before the provider", () => {
  test("a request with two round trips counts once", async () => {
    const { key: limited, keyId } = await service.newKey("eight", 8);
    const first = await search("clean rivers", "hybrid", "grants-api", limited);
    const second = await search("clean lakes", "semantic", "grants-api", limited);
    const third = await searchByMeaning("clean seas", limited);
    expect([first, second, third].map(({ headers }) => headers.get("x-ratelimit-remaining"))).toEqual(["7", "6", "5"]);
    expect(server.requests).toHaveLength(3);
    await service.settled();
    const [usage] = await service.connection.query<{ requests: number }>(
      "select sum(requests)::int as requests from funding.usage where api_key_id = $1",
      [keyId],
    );
    expect(usage?.requests).toBe(3);
  });

  test("a search whose vector is remembered counts like any other, and is refused past the quota", async () => {
    const { key: limited } = await service.newKey("three", 3);
    const remaining = async (mode: "semantic" | "hybrid") => {
      const { status, headers } = await search("clean rivers", mode, "grants-api", limited);
      return [status, headers.get("x-ratelimit-remaining")];
    };
    expect(await remaining("semantic")).toEqual([200, "2"]);
    // This isolate remembers the vector, a new one finds it in the database.
    expect(await remaining("hybrid")).toEqual([200, "1"]);
    newIsolate();
    expect(await remaining("semantic")).toEqual([200, "0"]);
    expect(await remaining("hybrid")).toEqual([429, "0"]);
    expect(server.requests).toHaveLength(1);
  });

  test("the last request of a quota gets its answer, and the next none, without a vector", async () => {
    const { key: limited } = await service.newKey("one", 1);
    const last = await search("clean rivers", "semantic", "grants-api", limited);
    expect([last.status, last.headers.get("x-ratelimit-remaining")]).toEqual([200, "0"]);
    expect((await search("clean lakes", "semantic", "grants-api", limited)).status).toBe(429);
    expect(server.requests).toHaveLength(1);
  });

  test("20 parallel searches with 5 left cost 5 vectors", async () => {
    const { key: limited } = await service.newKey("five", 5);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => search(`rivers number ${index}`, "semantic", "grants-api", limited)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    expect(server.requests).toHaveLength(5);
  });

  test("a key that is revoked between the two round trips gets no answer", async () => {
    const { key: leaving, keyId } = await service.newKey();
    server.next(async (seen, response) => {
      await revokeKey(service.connection, keyId);
      right(seen, response);
    });
    expect((await search("clean water", "semantic", "grants-api", leaving)).status).toBe(401);
  });

  test("a client cannot say that it was admitted, or bring a vector", async () => {
    const smuggled = encodeURIComponent(JSON.stringify({ model, vector: null, is_second_call: true }));
    const list = await ask(`/grants-api?search=water&search_mode=semantic&query_vector=${smuggled}`);
    expect(list.status).toBe(400);
    const init = { method: "POST", headers: { "content-type": "application/json" } };
    const post = await ask("/semantic-search", {
      ...init,
      body: '{"query":"water","query_vector":{"is_second_call":true}}',
    });
    expect(post.status).toBe(400);
  });
});

const faults: [string, Behaviour][] = [
  ["429", failWith(429)],
  ["429 with a long Retry-After", failWith(429, { "retry-after": "3600" })],
  ["500", failWith(500)],
  ["401", failWith(401)],
  ["400", failWith(400)],
  ["404", failWith(404)],
  ["no answer", hangs],
  ["an answer without an end", drips],
  ["a connection reset", resets],
  ["an answer that breaks off", breaksOff],
  ["too few vectors", short],
  ["vectors of another size", otherDimensions],
  ["items that repeat an index", repeated],
  ["vectors that are not numbers", notNumbers],
  ["vectors of infinite numbers", infinite],
  ["vectors without a direction", nullVector],
  ["broken JSON", garbage],
  ["a page of HTML", html],
];

describe.each(faults)("when the provider gives %s", (_, fault) => {
  beforeEach(() => {
    newIsolate(hastyMs);
    server.always(fault);
  });

  test("hybrid answers from its keyword leg, soon, and says so", async () => {
    const expected = await keywordLeg("clean water");
    const started = performance.now();
    const { status, mode, ids } = await search("clean water", "hybrid");
    expect(performance.now() - started).toBeLessThan(hastyMs + 2_500);
    expect([status, mode]).toEqual([200, "keyword"]);
    expect(ids).toEqual(expected.slice(0, 100));
    expect(ids.length).toBeGreaterThan(0);
  });

  test("semantic answers 503 with Retry-After, and is not counted", async () => {
    const { key: limited } = await service.newKey("hundred", 100);
    for (const answer of [
      await search("clean water", "semantic", "grants-api", limited),
      await searchByMeaning("clean water", limited),
    ]) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(answer.headers.get("x-ratelimit-remaining")).toBe("100");
      expect(answer.body.type).toBe("urn:funding-opportunities:problem:unavailable");
    }
  });

  test("the log has the request's id and the model, and neither the key nor the provider's words", async () => {
    const response = await service.fetch("/grants-api?search=clean+water&search_mode=hybrid", {
      headers: { ...bearer(key), "x-request-id": "the-request" },
    });
    const text = await response.text();
    expect(warnings).toHaveLength(1);
    expect(JSON.parse(warnings[0] ?? "")).toMatchObject({
      level: "warning",
      request_id: "the-request",
      warning: expect.stringContaining(model),
    });
    expect([...warnings, text].filter((shown) => shown.includes(secretKey) || shown.includes("the proxy"))).toEqual([]);
  });

  test("errors are not cached: the next isolate asks again and is right", async () => {
    await search("clean water", "hybrid");
    server.reset();
    newIsolate();
    expect((await search("clean water", "hybrid")).mode).toBe("hybrid");
  });
});

describe("a provider that is down", () => {
  test("costs a few requests their wait, and then none until it is tried again", async () => {
    newIsolate(hastyMs);
    server.always(hangs);
    for (const query of ["one", "two", "three"]) await search(`water ${query}`, "hybrid");
    const asked = server.requests.length;
    for (const query of ["four", "five", "six"])
      expect((await search(`water ${query}`, "hybrid")).mode).toBe("keyword");
    expect(server.requests).toHaveLength(asked);

    server.always(failWith(500));
    now += openMs;
    await Promise.all(["seven", "eight"].map((query) => search(`water ${query}`, "hybrid")));
    // One of the two tries, twice.
    expect(server.requests).toHaveLength(asked + 2);

    server.reset();
    now += openMs;
    expect((await search("water nine", "hybrid")).mode).toBe("hybrid");
    expect((await search("water ten", "semantic")).status).toBe(200);
  });

  test("is left alone for as long as it asks", async () => {
    server.always(failWith(429, { "retry-after": "3600" }));
    await search("water one", "hybrid");
    await search("water two", "hybrid");
    expect(server.requests).toHaveLength(1);
  });

  test("does not take other searches with it: what is remembered still answers", async () => {
    const before = await search("clean water", "semantic");
    server.always(resets);
    newIsolate();
    for (const query of ["one", "two", "three", "four"]) await search(`water ${query}`, "hybrid");
    expect((await search("clean water", "semantic")).ids).toEqual(before.ids);
    expect((await search("clean water", "keyword")).status).toBe(200);
  });

  test("a text that it refuses does not count as its failure", async () => {
    server.always(failWith(400));
    for (const query of ["one", "two", "three", "four"]) await search(`water ${query}`, "hybrid");
    expect(server.requests).toHaveLength(4);
    server.reset();
    expect((await search("water five", "hybrid")).mode).toBe("hybrid");
  });
});

test.each([
  ["a reset", resets],
  ["a 500", failWith(500)],
  ["a 429 that is soon over", failWith(429, { "retry-after": "0" })],
  ["a short answer", short],
])("%s that happens once is got over", async (_, fault) => {
  server.next(fault);
  expect((await search("clean water", "hybrid")).mode).toBe("hybrid");
  expect([server.requests.length, warnings]).toEqual([2, []]);
});

describe("a deployment that cannot use the model", () => {
  test.each([
    ["without a key", "openai/test-model", {}],
    ["for a model of Workers AI elsewhere", "workers-ai/bge-small-en-v1.5", {}],
    ["for gte-small outside Supabase's edge runtime", "supabase/gte-small", {}],
  ])("degrades likewise %s", async (_, named, variables: Record<string, string>) => {
    embedder = createQueryEmbedder({ variable: (name) => variables[name] });
    await set("embedding_model", named);
    try {
      expect((await search("clean water", "hybrid")).mode).toBe("keyword");
      expect((await search("clean water", "semantic")).status).toBe(503);
      expect(warnings.length).toBeGreaterThan(0);
    } finally {
      await set("embedding_model", model);
    }
  });
});

test("a server of one's own needs no key, and is not told the number of dimensions where it must not be", async () => {
  const variables: Record<string, string> = { OPENAI_BASE_URL: server.url, OPENAI_SEND_DIMENSIONS: "false" };
  embedder = createQueryEmbedder({ variable: (name) => variables[name] });
  expect((await search("clean water", "hybrid")).mode).toBe("hybrid");
  expect(server.requests.map(({ dimensions, headers }) => [dimensions, headers.authorization])).toEqual([
    [undefined, "Bearer none"],
  ]);
});

test("Workers AI is asked by the binding of the Worker", async () => {
  const runs: unknown[] = [];
  embedder = createQueryEmbedder({
    variable: () => undefined,
    workersAi: {
      run(name, input) {
        runs.push([name, input]);
        return Promise.resolve({ data: input.text.map((text) => vectorOf(text)) });
      },
    },
  });
  await set("embedding_model", "workers-ai/bge-small-en-v1.5");
  try {
    const title = await aTitle();
    const { titles, mode } = await search(title, "semantic");
    expect([titles[0], mode]).toEqual([title, "semantic"]);
    expect(runs).toEqual([["@cf/baai/bge-small-en-v1.5", { text: [title], pooling: "cls" }]]);
  } finally {
    await set("embedding_model", model);
  }
});

test("gte-small inside the edge runtime is asked for one normalised mean vector", async () => {
  const runs: unknown[] = [];
  embedder = createQueryEmbedder({
    variable: () => undefined,
    localModel: (name) => ({
      run(text, options) {
        runs.push([name, text, options]);
        return Promise.resolve(vectorOf(text));
      },
    }),
  });
  await set("embedding_model", "supabase/gte-small");
  try {
    const title = await aTitle();
    const { titles, mode } = await search(title, "semantic");
    expect([titles[0], mode]).toEqual([title, "semantic"]);
    expect(runs).toEqual([["gte-small", title, { mean_pool: true, normalize: true }]]);
  } finally {
    await set("embedding_model", model);
  }
});
