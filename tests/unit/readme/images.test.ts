import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const named = [...readFileSync(`${root}README.md`, "utf8").matchAll(/(?:src|srcset)="(docs\/images\/[^"]+)"/g)].map(
  ([, path = ""]) => path,
);

const ofDocs = readdirSync(`${root}docs`)
  .filter((name) => name.endsWith(".md"))
  .flatMap((name) => [...readFileSync(`${root}docs/${name}`, "utf8").matchAll(/!\[[^\]]+\]\((images\/[^)]+)\)/g)])
  .map(([, path = ""]) => `docs/${path}`);

test("the README and the docs show every picture that there is; the README light and dark, in less than 300 kB", () => {
  expect([...named, ...ofDocs].toSorted()).toEqual(
    readdirSync(`${root}docs/images`)
      .map((name) => `docs/images/${name}`)
      .toSorted(),
  );
  for (const path of named) expect(named).toContain(path.replace(/-(light|dark)\./, "-dark."));
  const bytes = named.reduce((sum, path) => sum + statSync(`${root}${path}`).size, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(300_000);
});
