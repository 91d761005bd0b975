import { beforeAll, describe, expect, test } from "vitest";
import type { Collection } from "../../bench/relevance/collection.ts";
import { fuse } from "../../bench/relevance/fusion.ts";
import { readLegs } from "../../bench/relevance/legs.ts";
import { type Measurement, measure, type QueryMeasurement, worstTenth } from "../../bench/relevance/measure.ts";
import { modes } from "../../bench/relevance/modes.ts";
import { measureParts, type PartMeasurement, parts } from "../../bench/relevance/parts.ts";
import { prepareCollection } from "../../bench/relevance/prepare.ts";
import { withScratchDatabase } from "../../bench/relevance/scratch-database.ts";

/** Defaults of the settings `fusion_k`, `fusion_sum_weight` and `fusion_similarity_weight`. */
const defaults = { k: 10, sum_weight: 4, similarity_weight: 2.5 };

/** Two subjects, so that each query has one right answer and several wrong ones. */
const collection: Collection = {
  name: "rivers-and-roads",
  documents: [
    { id: "salmon", title: "", text: "Salmon return to rivers where dams were removed" },
    { id: "rivers", title: "Rivers", text: "Restoring rivers and streams for fish" },
    { id: "fish", title: "Fish", text: "Fish in streams and rivers" },
    { id: "roads", title: "Roads", text: "Paving roads and repairing bridges" },
    { id: "bridges", title: "Bridges", text: "Repairing bridges on county roads" },
    { id: "paving", title: "Paving", text: "Paving county roads with asphalt" },
  ],
  queries: [
    { id: "1", text: "salmon" },
    { id: "2", text: "asphalt -rivers" },
  ],
  judgements: new Map([
    ["1", new Map([["salmon", 1]])],
    ["2", new Map([["paving", 1]])],
  ]),
};

let measurements: Measurement[];
let ofParts: PartMeasurement[];
/** Settings that are not their defaults after the parts were left out. */
let changedSettings: string[];
const results: QueryMeasurement[] = [];
/** Each query's ranking by the service, and by the copy of its fusion that calibration tries settings with. */
let rankings: { ofService: string[]; ofCopy: string[] }[];
const of = (mode: string) => measurements.find((row) => row.mode === mode);

beforeAll(async () => {
  const setup = { settings: new Map([["search_candidates", "50"]]), dimensions: 16 };
  measurements = await withScratchDatabase(undefined, async (connection) => {
    await prepareCollection(connection, collection, setup, () => undefined);
    const queries = [
      { id: "3", text: "restoring rivers for fish" },
      { id: "4", text: "repairing roads of the county" },
    ];
    const legs = await readLegs(connection, { ...collection, queries });
    const documents = new Map(
      (await connection.query<{ id: string; source_id: string }>("select id, source_id from funding.grants")).map(
        ({ id, source_id }) => [id, source_id],
      ),
    );
    rankings = [];
    for (const [index, { text }] of queries.entries()) {
      const found = (await modes.find(({ name }) => name === "hybrid")?.search(connection, text, undefined)) ?? [];
      const copy = fuse(legs[index] ?? { found: [] }, defaults, 0.21);
      rankings.push({ ofService: found.map((id) => documents.get(id) ?? id), ofCopy: copy });
    }
    const misspelt = { ...collection, queries: [{ id: "2", text: "asphlat" }] };
    ofParts = await measureParts(connection, misspelt);
    changedSettings = (
      await connection.query<{ name: string }>("select name from funding.settings where value <> default_value")
    ).map(({ name }) => name);
    return measure(connection, collection, modes, (result) => results.push(result));
  });
});

describe("npm run relevance -- --parts", () => {
  test("leaves out each part in turn: a misspelt word finds nothing without spelling", () => {
    expect(ofParts.map(({ part }) => part)).toEqual(parts.map(({ name }) => name));
    expect(ofParts[0]).toMatchObject({ part: "spelling", with: 1, without: 0, brings: 1, found_without: 0 });
    for (const { with: whole } of ofParts) expect(whole).toBe(1);
  });

  test("changes no setting for good", () => {
    expect(changedSettings).toEqual(["search_candidates"]);
  });
});

describe("npm run relevance", () => {
  test("measures every mode on every collection", () => {
    expect(measurements.map(({ mode }) => mode)).toEqual(modes.map(({ name }) => name));
    for (const row of measurements) {
      expect(Object.keys(row)).toEqual(["collection", "mode", "ndcg_10", "recall_100", "p50_ms", "p95_ms"]);
      expect(row.collection).toBe("rivers-and-roads");
      expect(row.p95_ms).toBeGreaterThanOrEqual(row.p50_ms);
    }
  });

  test.each(["keyword", "hybrid", "textbook_bm25", "ts_rank_cd"])(
    "%s finds the one document that has the word",
    (mode) => {
      expect(of(mode)).toMatchObject({ ndcg_10: 1, recall_100: 1 });
    },
  );

  test("fuses legs for calibration as the service does", () => {
    for (const { ofService, ofCopy } of rankings) {
      expect(ofService.length).toBeGreaterThan(1);
      expect(ofCopy).toEqual(ofService);
    }
  });

  test("lists the worst tenth of a mode's queries", () => {
    expect(results).toHaveLength(collection.queries.length * modes.length);
    const result = { collection: "any", mode: "hybrid", query: "water" };
    const all = Array.from({ length: 20 }, (_, index) => ({
      ...result,
      id: String(index),
      ndcg_10: index < 3 ? 0 : 0.5,
      first_relevant: index === 1 ? null : 20 + index,
    }));
    const others = all.map((one) => ({ ...one, mode: "keyword", ndcg_10: 0 }));
    expect(worstTenth([...others, ...all], "hybrid").map(({ id }) => id)).toEqual(["1", "2"]);
  });

  test("an unknown setting is refused", async () => {
    const setup = { settings: new Map([["bm25_k7", "1"]]), dimensions: 16 };
    const measuring = withScratchDatabase(undefined, (connection) =>
      prepareCollection(connection, collection, setup, () => undefined),
    );
    await expect(measuring).rejects.toThrow("There is no setting bm25_k7.");
  });
});
