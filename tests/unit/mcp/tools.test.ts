import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tools } from "../../../functions/mcp/tools.ts";
import { funderList } from "../../../shared/validation/funders.ts";
import { contractList, grantList } from "../../../shared/validation/opportunities.ts";

const lists = { search_grants: grantList, search_contracts: contractList, search_funders: funderList };
const docs = readFileSync(new URL("../../../docs/mcp.md", import.meta.url), "utf8");

test("a tool has every parameter of its list, described, but those that docs/mcp.md leaves out", () => {
  const leftOut = [...(/the lists, without (.*) \|/.exec(docs)?.[1] ?? "").matchAll(/`(\w+)`/g)].map(
    ([, name]) => name,
  );
  expect(leftOut.length).toBeGreaterThan(0);
  for (const [name, { names }] of Object.entries(lists)) {
    const properties = tools.find((tool) => tool.name === name)?.input.properties ?? {};
    expect(Object.keys(properties).toSorted(), name).toEqual(names.filter((one) => !leftOut.includes(one)).toSorted());
    for (const [parameter, schema] of Object.entries(properties)) {
      expect((schema as { description?: string }).description, parameter).toMatch(/\w/);
    }
  }
});
