import { expect, expectTypeOf, test } from "vitest";
import openapi from "../../../functions/openapi/openapi.json" with { type: "json" };
import type { Contract, components, Funder, Grant, Page } from "../../../packages/client/src/index.ts";

type Schemas = components["schemas"];

/** Held by `tsc`: a member of the envelope that a page lacks, or has otherwise, does not compile. */
test("a page is the list envelope of the OpenAPI document, whatever its records", () => {
  expectTypeOf<Page<Grant>>().toEqualTypeOf<Schemas["GrantList"]>();
  expectTypeOf<Page<Contract>>().toEqualTypeOf<Schemas["ContractList"]>();
  expectTypeOf<Page<Funder>>().toEqualTypeOf<Schemas["FunderList"]>();
  const { GrantList, ContractList, FunderList } = openapi.components.schemas;
  for (const { properties, required } of [GrantList, ContractList, FunderList]) {
    expect(Object.keys(properties)).toEqual(
      Object.keys({ results: 0, missing: 0, archived: 0, pagination: 0, meta: 0, facets: 0 } satisfies Record<
        keyof Page<Grant>,
        0
      >),
    );
    expect(required).toEqual(["results", "pagination", "meta"]);
  }
});
