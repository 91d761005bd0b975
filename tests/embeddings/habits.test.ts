import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { queryValue } from "../../database/connection.ts";
import { dispatch } from "../../functions/dispatch/dispatcher.ts";
import { createQueryEmbedder } from "../../shared/embeddings/query-embedder.ts";
import { openTestService, type TestService } from "../support/service.ts";
import { addGrants, embedRecords, model, platformAt, wrongVectors } from "./records.ts";
import {
  answer,
  type Behaviour,
  type EmbeddingServer,
  respond,
  right,
  startEmbeddingServer,
  vectorOf,
} from "./server.ts";

/** Servers with OpenAI's protocol, each with the habits that its users and its source tell of. */

let server: EmbeddingServer;
let service: TestService;

beforeAll(async () => {
  server = await startEmbeddingServer();
  service = await openTestService(createQueryEmbedder(platformAt(server.url)));
  await service.connection.execute(
    "delete from funding.contracts; delete from funding.grants where id not in (select id from funding.grants order by id limit 60)",
  );
  await embedRecords(service.connection, server.url);
});
afterAll(async () => {
  await service.close();
  await server.close();
});
beforeEach(async () => {
  await service.connection.execute(`
    delete from funding.grants where source = 'test';
    delete from funding.embedding_queue;
    delete from funding.embedding_state;
    insert into funding.embedding_state default values`);
  server.reset();
});

/** Tokens of a text, as these servers' models count some four characters. */
const tokensOf = (text: string) => text.length / 4;
const isLong = (tokens: number) => (text: string) => tokensOf(text) > tokens;

/** 512 tokens are its physical batch: more in one text, and the whole request ends with 500. */
const llamaCpp: Behaviour = (seen, response) => {
  if (!seen.texts.some(isLong(512))) return right(seen, response);
  const message =
    "input (992 tokens) is too large to process. increase the physical batch size (current batch size: 512)";
  respond(response, 500, { error: { code: 500, message, type: "server_error" } });
};

/** A text beyond its context is refused, whatever `truncate` says. Vectors of other lengths than 1. */
const ollama: Behaviour = (seen, response) => {
  if (seen.texts.some(isLong(512)))
    return respond(response, 400, { error: "the input length exceeds the context length" });
  answer(
    response,
    seen.texts.map((text) => vectorOf(text).map((value) => value * 7)),
  );
};

/** Refuses a text beyond its context, says so with the texts' own words, and answers in any order. */
const vllm: Behaviour = (seen, response) => {
  if (seen.texts.some(isLong(512))) {
    const message = `This model's maximum context length is 512 tokens. However, you requested 992 tokens: ${seen.texts[0]}`;
    return respond(response, 400, { object: "error", message, type: "BadRequestError", param: null, code: 400 });
  }
  const data = seen.texts.map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) }));
  respond(response, 200, { object: "list", data: data.toReversed(), usage: { prompt_tokens: 7, total_tokens: 7 } });
};

/** 32 texts a request; now and then others have taken its places; and long texts are refused with 413. */
let asked = 0;
const textEmbeddingsInference: Behaviour = (seen, response) => {
  asked += 1;
  if ((Math.imul(asked, 2_654_435_761) >>> 0) % 6 === 0)
    return respond(response, 429, { message: "Model is overloaded", type: "overloaded" }, { "retry-after": "0" });
  if (seen.texts.length > 32) {
    const message = `batch size ${seen.texts.length} > maximum allowed batch size 32`;
    return respond(response, 422, { message, type: "validation" });
  }
  if (seen.texts.some(isLong(512))) {
    return respond(response, 413, { message: "inputs must have less than 512 tokens. Given: 992", type: "validation" });
  }
  right(seen, response);
};

/** At some texts the model computes NaN, which is no JSON. */
const failsAtSome: Behaviour = (seen, response) => {
  if (!seen.texts.some((text) => text.startsWith("Poison"))) return right(seen, response);
  respond(response, 500, { error: { message: "failed to encode response: json: unsupported value: NaN" } });
};

const add = (title: string, description?: string) =>
  addGrants(service.connection, [{ title, ...(description === undefined ? {} : { description }) }]);

const waiting = () =>
  queryValue<number>(service.connection, "select count(*)::int from funding.embedding_queue where refusal is null");

/** Runs the dispatcher until nothing waits, with the pauses of the queue over at once. */
async function embedAll(): Promise<number> {
  for (let run = 1; ; run++) {
    await service.connection.query("update funding.embedding_state set paused_until = null");
    await dispatch({ ...service.runtime, embedding: platformAt(server.url), budgetMs: 60_000 });
    if ((await waiting()) === 0) return run;
    if (run === 60) throw new Error("60 runs did not embed what waits");
  }
}

test.each([
  ["llama.cpp", llamaCpp],
  ["Ollama", ollama],
  ["vLLM", vllm],
  ["text-embeddings-inference", textEmbeddingsInference],
])("records short and long get their vectors from a server like %s", async (_, behaviour) => {
  for (let number = 0; number < 70; number++) await add(`Wetland ${number}`);
  await add("A long text", "Restoring wetlands takes long. ".repeat(400));
  await add("A text of one word", "w".repeat(5_000));
  server.always(behaviour);
  await embedAll();
  expect(await queryValue(service.connection, "select count(*)::int from funding.embedding_queue")).toBe(0);
  expect(await wrongVectors(service.connection, model)).toEqual([]);
});

test("a text at which the server fails each time is set aside, and holds up no other", async () => {
  for (let number = 0; number < 40; number++) await add(`Wetland ${number}`);
  await add("Poison ivy");
  server.always(failsAtSome);
  expect(await embedAll()).toBeLessThan(30);
  const refused = await service.connection.query<{ title: string; refusal: string }>(
    "select title, refusal from funding.embedding_queue join funding.grants on id = record_id",
  );
  expect(refused).toEqual([{ title: "Poison ivy", refusal: "the provider answered 500" }]);
  expect(await wrongVectors(service.connection, model)).toEqual(["Poison ivy"]);
});

test("no text is set aside while the server fails at all", async () => {
  await add("Wetland");
  server.always((_, response) => respond(response, 500, { error: { message: "out of memory" } }));
  for (let run = 0; run < 8; run++) {
    await service.connection.query("update funding.embedding_state set paused_until = null");
    await dispatch({ ...service.runtime, embedding: platformAt(server.url), budgetMs: 60_000 });
  }
  expect(await waiting()).toBe(1);
  server.always(right);
  await embedAll();
  expect(await wrongVectors(service.connection, model)).toEqual([]);
});
