import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { curlOf } from "../../../dashboard/src/requests/curl.ts";
import { minutesOf } from "../../../dashboard/src/requests/minutes.ts";
import { parameterTexts, requestHasWords } from "../../../dashboard/src/requests/texts.ts";
import type { LoggedRequest } from "../../../shared/responses/account/requests.ts";

const base = "https://api.example/functions/v1";
const id = "cb75c555-bd5f-891d-a251-07bba87727b9";
const request: LoggedRequest = {
  request_id: "r-1",
  at: "2026-11-20T16:43:31.250Z",
  key: { id, name: "Nightly sync" },
  method: "GET",
  endpoint: "grants-api",
  status: 400,
  duration_ms: 12.5,
  problem: { name: "invalid-parameters", detail: "limit must be 1 or more", errors: [] },
  head: {},
  parameters: { states: "OH", limit: "0" },
  withheld: { search: 11 },
};

describe("a request as curl", () => {
  const send = (given: Partial<LoggedRequest>) => {
    const script = `curl() { printf '%s\\0' "$@"; }; FUNDING_API_KEY=key\n${curlOf({ ...request, ...given }, base)}`;
    return execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
  };

  test("has its parameters, however they are written, and the key by its variable", () => {
    expect(send({ parameters: { category: `it's "a" & $HOME`, limit: "0" } })).toEqual([
      "-H",
      "Authorization: Bearer key",
      `${base}/grants-api?category=it%27s+%22a%22+%26+%24HOME&limit=0`,
    ]);
  });

  test("has the record in its path", () => {
    expect(send({ endpoint: "grants-api/{id}/changes", parameters: { id, limit: "2" } }).at(-1)).toBe(
      `${base}/grants-api/${id}/changes?limit=2`,
    );
  });

  test("of a body has it as JSON", () => {
    const words = send({ method: "POST", endpoint: "semantic-search", parameters: { limit: "3", explain: "true" } });
    expect(words.slice(2)).toEqual([
      ...["-H", "Content-Type: application/json", "-d", '{"limit":3,"explain":true}'],
      `${base}/semantic-search`,
    ]);
  });

  test("is none where the log does not have its body", () => {
    expect(curlOf({ ...request, method: "POST", endpoint: "mcp" }, base)).toBeUndefined();
  });
});

test("requests are counted by minute, by class of their status, with the minutes that have none", () => {
  const from = Date.parse("2026-11-20T16:00:00Z");
  const at = (time: string, status: number) => ({ at: `2026-11-20T${time}Z`, status });
  const requests = [
    ...[at("16:02:59.999", 200), at("16:02:00.000", 404), at("16:00:30", 503), at("16:00:01", 304)],
    ...[at("15:59:59.999", 200), at("16:03:00", 200)],
  ];
  expect(minutesOf(requests, from, from + 180_000)).toEqual([
    { at: from, counts: [1, 0, 1] },
    { at: from + 60_000, counts: [0, 0, 0] },
    { at: from + 120_000, counts: [1, 1, 0] },
  ]);
});

test("the parameters of a request are texts, and those that are not kept say how long they were", () => {
  expect(parameterTexts(request)).toEqual(["states=OH", "limit=0", "search=… (11 characters)"]);
  expect(parameterTexts({ parameters: {}, withheld: { query: 1 } })).toEqual(["query=… (1 character)"]);
});

test.each(["nightly OH", "LIMIT  must", "400 /grants-api", "r-1", "invalid-parameters"])(
  "a request is found by %s",
  (text) => expect(requestHasWords(request, text)).toBe(true),
);

test("a request without one of the words is not found", () => {
  expect(requestHasWords(request, "OH water")).toBe(false);
});
