import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { summaryCases } from "../../../bench/speed/summary.ts";
import manifest from "../../../package.json" with { type: "json" };

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const documents = ["README.md", ...readdirSync(new URL("../../../docs", import.meta.url)).map((name) => `docs/${name}`)]
  .filter((path) => path.endsWith(".md"))
  .map(read)
  .join("\n");
const script = read("tests/figures/run.sh");
const cases =
  read("cli/bench.ts")
    .match(/^ {2}([a-z][a-z-]*) {2,}/gm)
    ?.map((name) => name.trim()) ?? [];

// `npm run bench -- --only libraries` and `bench:cold-start` stopped at an error, and nobody noticed.
test("each command that measures is run nightly", () => {
  const measuring = Object.keys(manifest.scripts).filter((name) => /^(bench|relevance|calibrate)/.test(name));
  expect(measuring.length).toBeGreaterThan(8);
  const isRun = (name: string) => new RegExp(`npm run --silent ${name}(?![\\w:-])`).test(script);
  expect(measuring.filter((name) => !isRun(name))).toEqual([]);
  expect(read(".ci/nightly")).toContain("npm run --silent test:figures");
  expect(read(".github/workflows/nightly.yml")).toContain("run: .ci/nightly");
});

test("each case of the benchmark is run nightly, and so is each that the documents name", () => {
  const named = [...documents.matchAll(/(?:npm run bench -- [^\n`]*?|`)--only ([\w-]+)/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(3);
  expect(cases.length).toBeGreaterThan(8);
  expect(script).toMatch(/npm run --silent bench -- .*--summary /m);
  const inSummary: readonly string[] = summaryCases;
  const isRun = (name: string) =>
    inSummary.includes(name) ||
    new RegExp(`for case in[^;]*\\b${name}\\b|--only ${name}\\b|bench-${name} `).test(script);
  expect([...new Set([...named, ...cases])].filter((name) => !isRun(name))).toEqual([]);
});
