import { beforeAll, describe, expect, test } from "vitest";
import type { Collection } from "../../bench/relevance/collection.ts";
import { type Measurement, measure } from "../../bench/relevance/measure.ts";
import { modes } from "../../bench/relevance/modes.ts";
import { prepareCollection } from "../../bench/relevance/prepare.ts";
import { withScratchDatabase } from "../../bench/relevance/scratch-database.ts";

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
const of = (mode: string) => measurements.find((row) => row.mode === mode);

beforeAll(async () => {
  const setup = { settings: new Map([["search_candidates", "50"]]), dimensions: 16 };
  measurements = await withScratchDatabase(undefined, async (connection) => {
    await prepareCollection(connection, collection, setup, () => undefined);
    return measure(connection, collection, modes);
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

  test("an unknown setting is refused", async () => {
    const setup = { settings: new Map([["bm25_k7", "1"]]), dimensions: 16 };
    const measuring = withScratchDatabase(undefined, (connection) =>
      prepareCollection(connection, collection, setup, () => undefined),
    );
    await expect(measuring).rejects.toThrow("There is no setting bm25_k7.");
  });
});
