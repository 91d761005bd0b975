import { createReadStream } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Reject } from "../../../ingest/entry-file.ts";
import { importRows } from "../../../ingest/import-rows.ts";
import { readFiles } from "../../../ingest/read/files.ts";
import type { Dataset } from "../../../ingest/record.ts";
import { namedMapping } from "../../../ingest/sources/named.ts";
import { sources } from "../../../ingest/sources/registry.ts";
import { emptySummary } from "../../../ingest/summary.ts";
import { realFile } from "./source-records.ts";

interface Outcome extends Partial<Record<Dataset, number>> {
  read: number;
  reasons: Record<string, number>;
}

/** Counts of a real file's records, and of its rejects by reason. */
async function dryRun(name: string, path: string): Promise<Outcome> {
  const source = sources.find((one) => one.name === name);
  if (source === undefined) throw new Error(`no source ${name}`);
  const rejects: Reject[] = [];
  const summary = emptySummary();
  await importRows(readFiles([{ chunks: createReadStream(path) }], source.read), {
    prepare: namedMapping(source),
    rejects: { write: async (more) => void rejects.push(...more) },
    summary,
  });
  const accepted = Object.fromEntries([...summary.records].map(([dataset, counts]) => [dataset, counts.accepted]));
  const reasons: Record<string, number> = {};
  for (const { reason } of rejects) {
    const kind = reason.replace(/ since .*| of line .*|^is .* itself,/, (text) =>
      text.startsWith("is") ? "is itself," : "",
    );
    reasons[kind] = (reasons[kind] ?? 0) + 1;
  }
  expect([...summary.missingColumns, ...summary.unusedColumns], "columns that the summary names").toEqual([]);
  return { read: summary.read, ...accepted, reasons };
}

const files: [source: string, file: string, expected: Outcome][] = [
  [
    "federal-organizations",
    "funders/federal-organizations.json",
    { read: 247, funders: 190, reasons: { "is inactive": 40, "is itself, listed again within it": 17 } },
  ],
  [
    "irs-990pf",
    "funders/irs-990pf-index.csv",
    { read: 1_633, funders: 1_569, reasons: { "name is missing": 56, "repeats the source_id": 8 } },
  ],
  [
    "sam-gov",
    "contracts/sam-gov-full-csv-excerpt.csv",
    { read: 526, contracts: 510, reasons: { "funder_name is missing": 16 } },
  ],
  ["sam-gov", "contracts/sam-gov-legislative-branch.csv", { read: 2_735, contracts: 2_735, reasons: {} }],
  ["sam-gov", "contracts/sam-gov-with-contacts.csv", { read: 450, contracts: 450, reasons: {} }],
  ["usaspending", "awards/usaspending-contract-awards.csv", { read: 5_000, contracts: 5_000, reasons: {} }],
  ["nsf", "awards/nsf-awards-fy2026.csv", { read: 1_151, grants: 1_151, reasons: {} }],
  ["360giving", "awards/360giving-grants.json", { read: 870, grants: 870, funders: 1, reasons: {} }],
];

describe("real files", () => {
  for (const [source, file, expected] of files) {
    const path = realFile(file);
    test.skipIf(path === undefined)(
      `${file} is read by ${source}, every row a record or rejected for its reason`,
      async () => {
        expect(await dryRun(source, path ?? "")).toEqual(expected);
      },
    );
  }
});
