import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { entryOf, functionNames, graphOf, reachOf, root } from "./modules.ts";

/** Limit of our files that a function loads before its first answer. `import()` loads further files when a request needs them. */
const mostFiles: Record<string, number> = {
  // They answer with data, and are asked most.
  "grants-api": 52,
  "contracts-api": 52,
  "funders-api": 52,
  "semantic-search": 52,
  suggest: 52,
  documents: 52,
  snapshots: 52,
  // Those and a protocol.
  "common-grants": 63,
  mcp: 64,
  "multi-search": 60,
  // Those and a file for each page and part of one.
  catalogue: 84,
  // What people and programs ask now and then.
  health: 32,
  metrics: 30,
  billing: 30,
  "saved-searches": 30,
  openapi: 20,
  // Work in the background, and the whole of the dashboard's API.
  dispatch: 60,
  "account-api": 105,
};

/** Parts of the application, by their files, and the functions that have a use for them. */
const parts: { part: string; files: RegExp; usedBy: string[] }[] = [
  { part: "the mailers", files: /^functions\/dispatch\/mail\//, usedBy: ["dispatch"] },
  { part: "mail settings", files: /^shared\/mail\//, usedBy: ["dispatch", "account-api"] },
  { part: "the webhook transport", files: /^functions\/dispatch\/.*transport/, usedBy: ["dispatch"] },
  { part: "webhooks", files: /^shared\/webhooks\//, usedBy: ["dispatch", "account-api"] },
  {
    part: "calls of Stripe",
    files: /^functions\/account-api\/stripe|^functions\/billing\//,
    usedBy: ["account-api", "billing"],
  },
  { part: "the shapes of the account API", files: /^shared\/responses\/account\//, usedBy: ["account-api"] },
  { part: "external embedding models", files: /^shared\/embeddings\//, usedBy: [] },
  { part: "replicas", files: /^shared\/database\/replicas/, usedBy: [] },
  { part: "what streams CSV", files: /^shared\/(csv\/|endpoint\/answer-stream)/, usedBy: [] },
  { part: "storage of snapshots", files: /^functions\/snapshots\//, usedBy: ["snapshots"] },
  { part: "readiness", files: /^functions\/health\//, usedBy: ["health"] },
  { part: "CommonGrants", files: /common-grants/, usedBy: ["common-grants"] },
  { part: "the place reader", files: /^shared\/geography\/(?!states\.ts)/, usedBy: ["account-api"] },
  {
    part: "what reads data",
    files: /^shared\/endpoint\/endpoint\.ts/,
    usedBy: [
      "grants-api",
      "contracts-api",
      "funders-api",
      "semantic-search",
      "suggest",
      "documents",
      "snapshots",
      "common-grants",
      "mcp",
      "multi-search",
    ],
  },
];

describe.each(functionNames())("%s loads", (name) => {
  const reach = reachOf(entryOf(name));
  const paths = [...reach.keys()];

  test("no more files than it may", () => {
    expect(paths.length, paths.join("\n")).toBeLessThanOrEqual(mostFiles[name] ?? 0);
  });

  test("nothing from outside of functions/ and shared/, which alone are deployed", () => {
    expect(paths.filter((path) => !/^(functions|shared)\//.test(path))).toEqual([]);
  });

  test.each(parts.filter(({ usedBy }) => !usedBy.includes(name)))("nothing of $part", ({ files }) => {
    const found = paths.filter((path) => files.test(path)).map((path) => `${path}, imported by ${reach.get(path)}`);
    expect(found).toEqual([]);
  });
});

test("shared/ imports nothing from outside of itself, not even types", () => {
  const files = readdirSync(join(root, "shared"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `shared/${name}`);
  const outside = files.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)]
      .map(([, specifier = ""]) => join(dirname(file), specifier))
      .filter((imported) => !imported.startsWith("shared/"))
      .map((imported) => `${file} -> ${imported}`),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(outside).toEqual([]);
});

test("files of functions/ and shared/ import each other in no circle, not even types", () => {
  const files = ["functions", "shared"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${folder}/${name}`),
  );
  const imports = new Map(
    files.map((file) => [
      file,
      [...readFileSync(join(root, file), "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)].map(
        ([, specifier = ""]) => join(dirname(file), specifier),
      ),
    ]),
  );
  const isInCircle = (file: string) => {
    const reached = new Set(imports.get(file));
    // The loop also visits what is added meanwhile.
    for (const one of reached) for (const next of imports.get(one) ?? []) reached.add(next);
    return reached.has(file);
  };
  expect(files.filter(isInCircle)).toEqual([]);
});

test("each part is where its files are looked for", () => {
  const files = functionNames().flatMap((name) => graphOf(entryOf(name)).files);
  expect(parts.filter((part) => !files.some((path) => part.files.test(path)))).toEqual([]);
});
