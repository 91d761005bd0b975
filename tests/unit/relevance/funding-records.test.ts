import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Collection } from "../../../bench/relevance/collection.ts";
import { fundingFiles } from "../../../bench/relevance/funding-files.ts";
import { readFundingQuestions, readFundingRecords } from "../../../bench/relevance/funding-questions.ts";
import { readCollections } from "../../../bench/relevance/read-collections.ts";

const fixtures = fileURLToPath(new URL("../../fixtures/sources", import.meta.url));

/** Small files as the publishers make them, in place of the large ones. */
const samples: Record<string, string> = {
  "grants/assistance-programs.jsonl": "assistance-programs.jsonl",
  "grants/grants-gov-opportunities.csv": "opportunities.csv",
  "grants/grants-gov-search2/00-first.json": "search2.json",
  "grants/grants-gov-search2/example.json": "search2-nothing-found.json",
  "contracts/sam-gov-full-csv-excerpt.csv": "ContractOpportunitiesFullCSV.csv",
  "contracts/sam-gov-legislative-branch.csv": "ContractOpportunitiesFullCSV.csv",
  "contracts/sam-gov-with-contacts.csv": "ContractOpportunitiesFullCSV.csv",
  "awards/nsf-awards-fy2026.csv": "nsf-awards-table.csv",
  "awards/nsf/00-first.json": "nsf-awards.json",
  "awards/usaspending-contract-awards.csv": "usaspending-database-export.csv",
  "funders/federal-organizations.json": "federal-organizations.json",
  "funders/irs-990pf-index.csv": "irs-990pf-index.csv",
};

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-records-"));
  for (const [path, sample] of Object.entries(samples)) await cp(join(fixtures, sample), join(folder, path));
  await write("grants/pennsylvania.json", {
    grants: [{ slug: "lake1", title: "Boat ramps", overview: "<p>For lakes.</p>", issuingAgency: "Lakes" }],
  });
  await write("grants/california.json", {
    fields: ["PortalID", "Title", "AgencyDept", "Purpose", "Description"].map((id) => ({ id })),
    records: [["123", "Trails", "Parks", "To walk.", "In parks."]],
  });
});

afterEach(() => rm(folder, { recursive: true }));

async function write(path: string, content: unknown): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), JSON.stringify(content));
}

async function namesOf(collections: AsyncIterable<Collection>): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of collections) names.push(name);
  return names;
}

describe("records of grants, contracts and funders", () => {
  test("are read from every file, each with a title and an id of its publisher", async () => {
    const documents = await readFundingRecords(folder, fundingFiles);
    expect(new Set(documents.map(({ id }) => id.split(":")[0]))).toEqual(
      new Set(fundingFiles.map(({ prefix }) => prefix)),
    );
    expect(documents.filter(({ title }) => title === "")).toEqual([]);
    expect(new Set(documents.map(({ id }) => id)).size).toBe(documents.length);
  });

  test("have a title, a text, a funder and states where their file has them", async () => {
    const documents = new Map((await readFundingRecords(folder, fundingFiles)).map((one) => [one.id, one]));
    expect(documents.get("pa:lake1")).toEqual({
      id: "pa:lake1",
      title: "Boat ramps",
      text: "For lakes.",
      funder: "Lakes",
      states: ["PA"],
    });
    expect(documents.get("ca:123")).toMatchObject({ title: "Trails", states: ["CA"] });
    expect(documents.get("ca:123")?.text).toMatch(/To walk\.\s+In parks\./);
    expect(documents.get("aln:99.001")?.funder).toBe("Department of Lakes");
  });

  test("are a sample where a file says so", async () => {
    const [file] = fundingFiles.filter(({ prefix }) => prefix === "usaspending");
    if (file === undefined) throw new Error("There is no file of awards.");
    const [every] = await readFundingRecords(folder, [{ ...file, step: 1 }]);
    const sample = await readFundingRecords(folder, [{ ...file, step: 1_000 }]);
    expect(sample).toEqual([every]);
  });

  test("are one collection with the questions and what two readings agree on", async () => {
    const { name, queries, agreement } = await readFundingQuestions(folder);
    expect(name).toBe("funding-questions");
    expect(queries).toHaveLength(200);
    expect(agreement?.pairs).toBeGreaterThan(5_000);
  });
});

describe("the project's own judged sets", () => {
  test("are both read when their files are there", async () => {
    const said: string[] = [];
    await write("programs.jsonl", { cfda: "99.001", title: "Lakes", objective: "Clean water" });
    const judged = { programs: join(folder, "programs.jsonl"), data: folder };
    expect(await namesOf(readCollections([], judged, (message) => said.push(message)))).toEqual([
      "assistance-programs",
      "funding-questions",
    ]);
    expect(said).toEqual([]);
  });

  test("are skipped with a message when a file is missing", async () => {
    const said: string[] = [];
    await rm(join(folder, "funders"), { recursive: true });
    const judged = { programs: join(folder, "nowhere.jsonl"), data: folder };
    expect(await namesOf(readCollections([], judged, (message) => said.push(message)))).toEqual([]);
    expect(said).toEqual([
      expect.stringContaining(`there is no ${join(folder, "nowhere.jsonl")}`),
      expect.stringContaining(`there is no ${join(folder, "funders/federal-organizations.json")}`),
    ]);
  });

  test("are left out silently when not asked for", async () => {
    expect(await namesOf(readCollections([], undefined, () => expect.fail("said something")))).toEqual([]);
  });
});
