import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { asCurl, asTypeScript, requestFor } from "../../../dashboard/src/explorer/request.ts";

const base = "https://api.example/functions/v1";

/** The arguments that a shell hands to curl. */
function argumentsOfCurl(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; FUNDING_API_KEY=key\n${command}`;
  return execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

const awkward = `it's "10%" & $HOME \`date\` ñ`;

test("a list's request has the parameters that were given, and no others", () => {
  const values = { search: " water ", search_mode: "hybrid", states: "", query: "of another dataset", limit: "5" };
  expect(requestFor({ dataset: "grants", values }, base)).toEqual({
    method: "GET",
    url: `${base}/grants-api?search=water&search_mode=hybrid&limit=5`,
  });
  expect(requestFor({ dataset: "funders", values: {} }, base).url).toBe(`${base}/funders-api`);
});

test("a semantic search is a body, with numbers as numbers", () => {
  expect(requestFor({ dataset: "semantic", values: { query: "lakes", limit: "3" } }, base)).toEqual({
    method: "POST",
    url: `${base}/semantic-search`,
    body: { query: "lakes", limit: 3 },
  });
});

test("curl is called with the same request, whatever is in it", () => {
  const list = requestFor({ dataset: "contracts", values: { search: awkward } }, base);
  const [, header, url] = argumentsOfCurl(asCurl(list));
  expect([header, url]).toEqual(["Authorization: Bearer key", list.url]);
  expect(new URL(url ?? "").searchParams.get("search")).toBe(awkward);

  const search = requestFor({ dataset: "semantic", values: { query: awkward } }, base);
  const words = argumentsOfCurl(asCurl(search));
  expect(JSON.parse(words[words.indexOf("-d") + 1] ?? "")).toEqual({ query: awkward });
});

test.each(["contracts", "semantic"] as const)("the TypeScript for %s sends the same request", async (dataset) => {
  const request = requestFor({ dataset, values: { search: awkward, query: awkward } }, base);
  const sent: Request[] = [];
  const fetch = async (url: URL, init: RequestInit) => {
    sent.push(new Request(url, init));
    return Response.json({});
  };
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  const run = new AsyncFunction("fetch", "process", "console", asTypeScript(request));
  await run(fetch, { env: { FUNDING_API_KEY: "key" } }, { log: () => undefined });
  expect([sent[0]?.method, sent[0]?.url]).toEqual([request.method, new URL(request.url).href]);
  expect(sent[0]?.headers.get("authorization")).toBe("Bearer key");
  if (request.body !== undefined) expect(await sent[0]?.json()).toEqual(request.body);
});
