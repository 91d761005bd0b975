import { expect, test } from "vitest";
import { accountRoutes } from "../../../functions/account-api/index.ts";
import { handlers } from "../../../functions/handlers.ts";
import { openApiDocument } from "../../../openapi/document.ts";
import { problemTypes } from "../../../shared/http/problems.ts";

const described = Object.entries(openApiDocument.paths).flatMap(([path, item]) =>
  Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
);

test("every route of the account API is described, and no other", () => {
  const routes = accountRoutes.map(({ method, path }) => `${method} /account-api${path}`);
  expect(described.filter((route) => route.includes("/account-api")).sort()).toEqual(routes.sort());
});

test("every function is described, but for what the provider, the scheduler and monitoring call, the pages for people, and MCP, which describes itself", () => {
  const names = new Set(described.map((route) => route.split("/")[1]));
  expect([...names, "billing", "catalogue", "dispatch", "mcp", "metrics"].sort()).toEqual(Object.keys(handlers).sort());
});

test("every type of problem has an example, but for those of requests that no operation describes", () => {
  const examples = Object.values(openApiDocument.components.responses).flatMap((response) => {
    const { content } = response as { content: Record<string, { examples: Record<string, { value: object }> }> };
    return Object.values(content["application/problem+json"]?.examples ?? {}).map(({ value }) => value);
  });
  const types = new Set(examples.map((example) => (example as { type: string }).type));
  expect(problemTypes.filter((type) => !types.has(type)).map((type) => type.replace(/^.*:/, ""))).toEqual([
    "invalid-signature",
    "unknown-route",
    "method-not-allowed",
  ]);
});
