import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CollectionError, readCollection } from "../../../bench/relevance/read-collection.ts";

let folder: string;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "relevance-")), "tiny");
  await mkdir(join(folder, "qrels"), { recursive: true });
  await write("corpus.jsonl", '{"_id":"d1","title":"","text":"water"}\n{"_id":"d2","title":"Roads"}\n\n');
  await write("queries.jsonl", '{"_id":"q1","text":"rivers"}\n{"_id":"q2","text":"nobody judged this"}\n');
  await write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t2\r\n");
});

afterEach(() => rm(join(folder, ".."), { recursive: true }));

const write = (name: string, content: string) => writeFile(join(folder, name), content);

describe("a collection", () => {
  test("is called as its folder, and has documents without a title or a text", async () => {
    const { name, documents } = await readCollection(`${folder}/`);
    expect(name).toBe("tiny");
    expect(documents).toEqual([
      { id: "d1", title: "", text: "water" },
      { id: "d2", title: "Roads", text: "" },
    ]);
  });

  test("leaves out the queries that nobody judged", async () => {
    expect((await readCollection(folder)).queries).toEqual([{ id: "q1", text: "rivers" }]);
  });

  test("has the judgements of every file in qrels", async () => {
    await write("qrels/dev.tsv", "query-id\tcorpus-id\tscore\nq1\td2\t1\n");
    const { judgements } = await readCollection(folder);
    expect(judgements.get("q1")).toEqual(
      new Map([
        ["d2", 1],
        ["d1", 2],
      ]),
    );
  });

  test.each([
    ["qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1 d1 2\n", "qrels/test.tsv:2"],
    ["qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\thigh\n", "qrels/test.tsv:2"],
    ["corpus.jsonl", '{"_id":"d1","text":"water"}\nnot JSON\n', "corpus.jsonl:2"],
    ["corpus.jsonl", '{"_id":7,"text":"water"}\n', "corpus.jsonl:1"],
  ])("a broken line of %s is named, not passed over", async (name, content, location) => {
    await write(name, content);
    const reading = readCollection(folder);
    await expect(reading).rejects.toThrow(CollectionError);
    await expect(reading).rejects.toThrow(location);
  });
});
