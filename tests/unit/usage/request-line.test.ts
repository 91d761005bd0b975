import { expect, test } from "vitest";
import { requestLine } from "../../../shared/usage/request-line.ts";

test("the log has every value of a list that was given several times", () => {
  const line = requestLine({
    requestId: "1",
    request: new Request("https://api.example/functions/v1/grants-api?states=OH&limit=5&states=PA"),
    at: "2026-11-28T00:00:00Z",
    elapsedMs: 1,
    segments: {},
    body: undefined,
    problem: undefined,
  });
  expect(line.parameters).toEqual({ states: "OH,PA", limit: "5" });
});
