import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type StandInModel, withStandInModel } from "../../bench/relevance/stand-in/model.ts";
import { type StandInServer, serveStandIn } from "../../bench/relevance/stand-in/server.ts";

/** In each subject, the first two texts share words with the third, and none with each other. */
const texts = ["salmon spawning", "hatchery trout", "asphalt paving", "bridge repair"].flatMap((words, index) => {
  const subject = index < 2 ? "rivers streams fishing" : "roads county highways";
  return Array.from({ length: 3 }, (_, copy) => `${words} ${subject} number${copy}`);
});

let model: StandInModel;
let server: StandInServer;
let client: OpenAI;
let end: () => void;
let ended: Promise<void>;

beforeAll(async () => {
  await new Promise<void>((started, failed) => {
    ended = withStandInModel(
      texts,
      4,
      () => undefined,
      async (trained) => {
        model = trained;
        server = await serveStandIn(trained);
        client = new OpenAI({ baseURL: server.url, apiKey: "none", maxRetries: 0 });
        const isOver = new Promise<void>((resolve) => {
          end = resolve;
        });
        started();
        await isOver;
        await server.close();
      },
    );
    ended.catch(failed);
  });
});
afterAll(async () => {
  end();
  await ended;
});

const cosine = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0) / (Math.hypot(...one) * Math.hypot(...other));

test("words that occur in like texts have like vectors", async () => {
  const vectors = await model.embed(["salmon", "hatchery trout", "asphalt"]);
  // Two numbers tell two subjects apart; all four, the four kinds of texts.
  const [salmon = [], trout = [], asphalt = []] = vectors.map((vector) => vector.slice(0, 2));
  expect(cosine(salmon, trout)).toBeGreaterThan(0.5);
  expect(cosine(salmon, trout)).toBeGreaterThan(cosine(salmon, asphalt) + 0.4);
});

test("a text without a known word has a vector, and so has none at all", async () => {
  for (const vector of await model.embed(["zanzibar", ""])) expect(Math.hypot(...vector)).toBeGreaterThan(0);
});

test("the server answers OpenAI's client: in order, of length 1, shortened where asked, as numbers or in base64", async () => {
  const { data, usage } = await client.embeddings.create({
    model: "stand-in",
    input: ["salmon", "asphalt"],
    encoding_format: "float",
  });
  const expected = await model.embed(["salmon", "asphalt"]);
  expect(data.map(({ index }) => index)).toEqual([0, 1]);
  for (const [at, { embedding }] of data.entries()) {
    expect(Math.hypot(...embedding)).toBeCloseTo(1, 6);
    expect(cosine(embedding, expected[at] ?? [])).toBeCloseTo(1, 6);
  }
  expect(usage.total_tokens).toBe(4);
  // The client asks for base64 unless told otherwise.
  const short = await client.embeddings.create({ model: "stand-in", input: "salmon", dimensions: 2 });
  const [first] = short.data;
  expect(first?.embedding).toHaveLength(2);
  expect(cosine(first?.embedding ?? [], expected[0]?.slice(0, 2) ?? [])).toBeCloseTo(1, 5);
});

test.each([
  { reason: "input", body: { model: "x", input: [] } },
  { reason: "dimensions must be 4 or fewer.", body: { model: "x", input: "a", dimensions: 5 } },
  { reason: "input 1 is longer than 32000 characters.", body: { model: "x", input: ["a", "b".repeat(32_001)] } },
  { reason: "model", body: { input: "a" } },
])("a request is refused with the reason: $reason", async ({ body, reason }) => {
  const response = await fetch(`${server.url}/embeddings`, { method: "POST", body: JSON.stringify(body) });
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(reason)]);
});
