import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { codeFor } from "../../../dashboard/src/explorer/code.ts";
import { type ExplorerForm, requestFor } from "../../../dashboard/src/explorer/request.ts";
import { type ClientOptions, createFundingClient } from "../../../packages/client/src/client.ts";
import { grantList } from "../../../shared/validation/opportunities.ts";
import { repeatedNames } from "../../../shared/validation/query.ts";

const base = "https://api.example/functions/v1";
const awkward = `it's "10%" & $HOME \`date\` ñ\n\\`;
const id = "cb75c555-bd5f-891d-a251-07bba87727b9";

/** Parameters whose values may have commas. */
const names = repeatedNames(grantList.schema);

/** Forms whose code sends what the explorer sends. */
const forms: Record<string, ExplorerForm> = {
  "a search": { dataset: "contracts", values: { search: awkward } },
  "a list with every type of parameter": {
    dataset: "grants",
    values: {
      search: "water",
      search_mode: "hybrid",
      states: "OH, PA",
      category: "Food, Nutrition | Health",
      exclude_agency: "Department of Energy",
      exclude_assistance_listing: "10.557,84.",
      applicant_type: "government_county,individual",
      min_amount: "50000",
      cost_sharing: "false",
      include_national: "true",
      deadline_after: "2026-12-31",
      expand: "details",
      facets: "status,states",
      limit: "5",
    },
  },
  "a page by its cursor": { dataset: "funders", values: { cursor: "abc=", limit: "2" } },
  "a record with details": { dataset: "grants", values: { id, expand: "details", search: "left out" } },
  "fields of a list": { dataset: "grants", values: { fields: "title, source", limit: "3" } },
  "fields of a record": { dataset: "funders", values: { id, fields: "website" } },
  "a count": { dataset: "funders", values: { search: "health", count_only: "true" } },
  "more like a record, explained": { dataset: "contracts", values: { similar_to: id, explain: "true" } },
  "a semantic search like a record, explained": { dataset: "semantic", values: { similar_to: id, explain: "true" } },
  "a semantic search": { dataset: "semantic", values: { query: awkward, type: "grants", limit: "3" } },
};

/** Method, path, parameters in any order, and body of a request. A list of codes is separated by commas, or repeats its parameter. */
function summary(method: string, url: string, body?: unknown) {
  const { pathname, searchParams } = new URL(url);
  const query = [...new Set(searchParams.keys())].toSorted().map((name) => {
    const values = searchParams.getAll(name);
    return [name, names.has(name) ? values : values.join().replaceAll(", ", ",")];
  });
  return { method, pathname, query, body };
}

function expected(form: ExplorerForm) {
  const { method, url, body } = requestFor(form, base);
  return summary(method, url, body);
}

describe("the code sends the explorer's request", () => {
  test.each(Object.entries(forms))("in curl: %s", (_, form) => {
    const script = `curl() { printf '%s\\0' "$@"; }; FUNDING_API_KEY=key\n${codeFor(form, base, "curl")}`;
    const words = execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
    expect(words[1]).toBe("Authorization: Bearer key");
    const body = words.includes("-d") ? JSON.parse(words[words.indexOf("-d") + 1] ?? "") : undefined;
    expect(summary(body === undefined ? "GET" : "POST", words.at(-1) ?? "", body)).toEqual(expected(form));
  });

  test.each(Object.entries(forms))("in TypeScript, by the client: %s", async (_, form) => {
    const sent: Request[] = [];
    const fetch = async (request: Request | URL | string) => {
      sent.push(request as Request);
      return Response.json({ results: [], total: 0, pagination: { total: 0, next: null } });
    };
    const create = (options: ClientOptions) =>
      createFundingClient({ ...options, fetch: fetch as typeof globalThis.fetch });
    const code = codeFor(form, base, "typescript").replace(/^import .*\n/, "");
    const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
    const run = new AsyncFunction("createFundingClient", "process", "console", code);
    await run(create, { env: { FUNDING_API_KEY: "fo_live_key" } }, { log: () => undefined });
    const [request] = sent;
    expect(request?.headers.get("authorization")).toBe("Bearer fo_live_key");
    const body = request?.method === "POST" ? await request.json() : undefined;
    expect(summary(request?.method ?? "", request?.url ?? "", body)).toEqual(expected(form));
  });

  test("in Python, by the client", () => {
    const code = Object.values(forms).map((form) => codeFor(form, base, "python"));
    const output = execFileSync("python3", [fileURLToPath(new URL("run_python_code.py", import.meta.url))], {
      input: JSON.stringify(code),
      encoding: "utf8",
      env: { ...process.env, FUNDING_API_KEY: "fo_live_key" },
    });
    const sent = JSON.parse(output) as {
      method: string;
      path: string;
      params: Record<string, string | string[]>;
      json?: unknown;
    }[];
    const requests = sent.map(({ method, path, params, json }) => {
      const pairs = Object.entries(params).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
      return summary(method, `${base}/${path}?${new URLSearchParams(pairs)}`, json ?? undefined);
    });
    expect(requests).toEqual(Object.values(forms).map(expected));
  });
});
