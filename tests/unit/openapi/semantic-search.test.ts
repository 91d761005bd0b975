import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { expect, test } from "vitest";
import document from "../../../functions/openapi/openapi.json" with { type: "json" };
import { semanticSearch } from "../../../shared/validation/semantic-search.ts";

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
const isAllowed = ajv.compile(document.components.schemas.SemanticSearchRequest);

const similar_to = "cb75c555-bd5f-891d-a251-07bba87727b9";

test.each([
  [{ query: "water" }, true],
  [{ similar_to }, true],
  [{ query: "water", type: "grants", explain: true, limit: 5 }, true],
  [{}, false],
  [{ type: "grants" }, false],
  [{ query: "water", similar_to }, false],
])("a search by meaning of %j is allowed, %s, by the document as by the API", (body, expected) => {
  expect(isAllowed(body)).toBe(expected);
  expect(semanticSearch.schema.safeParse(body).success).toBe(expected);
});
