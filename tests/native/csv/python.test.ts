import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvFile } from "../../support/csv-readers.ts";
import { csvText } from "../../support/csv-text.ts";
import { publishedTexts } from "../../support/published-texts.ts";
import { bearer } from "../../support/service.ts";
import { readByPython } from "./python.ts";

test("text of every line break, separator, quote and formula sign comes back as it was", async () => {
  const text = csvText().map((given) => given.toWellFormed());
  const row = fc.record({ title: text, description: text, categories: fc.array(text, { maxLength: 4 }) });
  const page = fc.array(row, { minLength: 1, maxLength: 2_000, size: "max" });
  const property = fc.asyncProperty(page, async (rows) => {
    expect(await readByPython(await csvFile(["title", "description", "categories"], rows))).toEqual(rows);
  });
  await fc.assert(property, { numRuns: 20 });
});

for (const { name, path, texts } of publishedTexts) {
  test.skipIf(path === undefined)(`the records of ${name} come back as they were`, async () => {
    const rows = await texts();
    expect(await readByPython(await csvFile(["title", "description", "categories"], rows))).toEqual(rows);
  });
}

const { API_BASE_URL, API_KEY } = process.env;

describe.skipIf(API_BASE_URL === undefined || API_KEY === undefined)("the stack's CSV answers", () => {
  test.each(["grants-api", "contracts-api", "funders-api"])(
    "%s is read whole, and is what its JSON answers say",
    async (name) => {
      const query = name === "funders-api" ? "" : "&opportunity_type=all&include_archived=true";
      const send = (asked: string) =>
        fetch(`${API_BASE_URL}/${name}?${asked}${query}`, { headers: bearer(API_KEY ?? "") });
      const read = await readByPython(await (await send("format=csv")).text());
      for (let offset = 0; offset < 1_000; offset += 100) {
        const { results } = (await (await send(`limit=100&offset=${offset}`)).json()) as {
          results: Record<string, unknown>[];
        };
        for (const [index, record] of results.entries()) {
          const row = read[offset + index] ?? {};
          for (const [field, value] of Object.entries(record)) {
            expect(row[field], `${field} of ${record.id}`).toEqual(
              Array.isArray(value) ? value : value === null ? "" : String(value),
            );
          }
        }
      }
      expect(read.length).toBeGreaterThan(50);
    },
  );
});
