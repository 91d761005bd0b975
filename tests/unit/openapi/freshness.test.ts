import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import openapi from "../../../functions/openapi/openapi.json" with { type: "json" };

const docs = readFileSync(new URL("../../../docs/api.md", import.meta.url), "utf8");
const { ListMeta, SemanticSearchAnswer } = openapi.components.schemas;

test.each([
  ["lists", ListMeta.properties.data_as_of.description],
  ["the search by meaning", SemanticSearchAnswer.properties.meta.properties.data_as_of.description],
])("`data_as_of` of %s is a file's time, as docs/api.md says, and not that of a change", (_, description) => {
  const meaning = "the time of its newest imported file, or of its last change where none was imported";
  expect(docs).toContain(`| \`meta.data_as_of\` | date-time | how fresh the dataset is: ${meaning}`);
  expect(description).toContain(`How fresh the dataset is: ${meaning}`);
  expect(description).toContain("`sort_by=updated_at&order=asc`");
});
