import { expect, test } from "vitest";
import document from "../../../functions/openapi/openapi.json" with { type: "json" };

const bodies = Object.entries(document.paths as Record<string, Record<string, { requestBody?: unknown }>>).flatMap(
  ([path, item]) =>
    Object.entries(item).flatMap(([method, { requestBody }]) =>
      requestBody === undefined ? [] : [{ operation: `${method.toUpperCase()} ${path}`, requestBody }],
    ),
);

// openapi-typescript made each such member required, outside of a body that is written in place: `explain` and `limit` of a semantic search,
// and eleven of the account API. tests/client runs it on the whole document.
test.each(bodies)("$operation may leave out what has a default, by generators, too", ({ requestBody }) => {
  expect(defaultsInNamed(requestBody)).toEqual([]);
});

test("a member that has a default says it in words", () => {
  const { SemanticSearchRequest, NewInvitation } = document.components.schemas;
  expect(SemanticSearchRequest.properties.limit.description).toMatch(/ Default: 10\.$/);
  expect(NewInvitation.properties.role.description).toMatch(/ Default: "member"\.$/);
});

/** Places of the members with a `default` in the named schemas that a schema refers to. */
function defaultsInNamed(value: unknown, place = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === "string") return defaultsInNamed(at($ref), $ref);
  const isProperties = place.startsWith("#") && place.endsWith("/properties");
  return Object.entries(value).flatMap(([name, member]) => [
    ...(isProperties && "default" in member ? [`${place}/${name}`] : []),
    ...(/^examples?$/.test(name) ? [] : defaultsInNamed(member, `${place}/${name}`)),
  ]);
}

function at(pointer: string): unknown {
  const names = pointer.slice(2).split("/");
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], document);
}
