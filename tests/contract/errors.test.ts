import { beforeAll, describe, expect, test } from "vitest";
import { generateKey } from "../../shared/auth/key.ts";
import { apiClient, parse, readJson } from "./client.ts";
import { problemDocument } from "./schemas.ts";
import { type Caller, contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);
const json = { "content-type": "application/json" };

/** A way to fail: what is asked, and the status it must have (docs/errors.md, "Errors"). */
interface Failure {
  what: string;
  status: number;
  path: string;
  init?: RequestInit;
  caller?: Caller;
}

const search = (body: string, headers: Record<string, string> = json): RequestInit => ({
  method: "POST",
  body,
  headers,
});
const missing = crypto.randomUUID();

const failures: Failure[] = [
  { what: "an invalid parameter", status: 400, path: "/grants-api?limit=0" },
  { what: "an unknown parameter", status: 400, path: "/contracts-api?nonsense=1" },
  { what: "a malformed id", status: 400, path: "/funders-api/not-a-uuid" },
  { what: "a body that is not JSON", status: 400, path: "/semantic-search", init: search("{") },
  { what: "a body with a wrong field", status: 400, path: "/semantic-search", init: search('{"query":7}') },
  { what: "no key", status: 401, path: "/grants-api", caller: "nobody" },
  { what: "an unknown key", status: 401, path: "/grants-api", caller: { key: generateKey() } },
  { what: "a tier without API access", status: 403, path: "/grants-api", caller: "free" },
  { what: "a record that does not exist", status: 404, path: `/grants-api/${missing}` },
  { what: "a path below a record", status: 404, path: `/grants-api/${missing}/categories` },
  { what: "a path below semantic search", status: 404, path: "/semantic-search/grants", init: search("{}") },
  { what: "a method that the path does not take", status: 405, path: "/grants-api", init: { method: "DELETE" } },
  { what: "GET where POST is taken", status: 405, path: "/semantic-search" },
  { what: "a body that is too large", status: 413, path: "/semantic-search", init: search(" ".repeat(70_000)) },
  {
    what: "a body of another type",
    status: 415,
    path: "/semantic-search",
    init: search("{}", { "content-type": "text/plain" }),
  },
];

describe.each(failures)("$what is $status", ({ status, path, init, caller }) => {
  let response: Response;
  let text: string;
  beforeAll(async () => {
    response = await target.send(
      path,
      { ...init, headers: { ...init?.headers, "x-request-id": "errors-test-1" } },
      caller,
    );
    text = await response.clone().text();
  });

  const problem = async () => parse(problemDocument, await readJson(response.clone(), status, path), path);

  test("with a problem document (RFC 9457) of that status", async () => {
    expect((await problem()).status).toBe(status);
    expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json\b/);
  });

  test("that names the request as the headers do, and the path", async () => {
    const { request_id, instance } = await problem();
    expect(request_id).toBe("errors-test-1");
    expect(response.headers.get("x-request-id")).toBe("errors-test-1");
    expect(instance.endsWith(path.split("?")[0] ?? "")).toBe(true);
  });

  test("that lists the wrong fields where fields are wrong, and nothing of the kind otherwise", async () => {
    const isAboutFields = status === 400 && init?.body !== "{";
    expect((await problem()).errors !== undefined).toBe(isAboutFields);
  });

  test("without a word of the code or the database", () => {
    expect(text).not.toMatch(
      /\bat .*[.][jt]s\b|node_modules|file:\/\/|\bstack\b|SQLSTATE|PT\d{3}|PGRST|plpgsql|\bselect\b.*\bfrom\b|pg_|postgres|zod|fo_live_/i,
    );
  });
});

describe("problem types", () => {
  test("each is one status and one title, and different failures differ", async () => {
    const seen = new Map<string, string>();
    for (const { path, init, caller, status } of failures) {
      const { type, title } = parse(
        problemDocument,
        await readJson(await target.send(path, init, caller), status, path),
        path,
      );
      expect(seen.get(type) ?? `${status} ${title}`).toBe(`${status} ${title}`);
      seen.set(type, `${status} ${title}`);
    }
    expect(seen.size).toBeGreaterThanOrEqual(new Set(failures.map(({ status }) => status)).size);
  });

  test("a client's own text comes back without control characters and cut short", async () => {
    const problem = await client.refused(`/grants-api?%1b[2J${"x".repeat(3_000)}=1`, 400);
    const shown = JSON.stringify(problem);
    expect(shown.length).toBeLessThan(2_500);
    expect(shown).not.toMatch(/\\u001b/);
  });
});

describe("paths that do not exist", () => {
  test.each([`/grants-api/${missing}/`, `/grants-api/${missing}/x/y`, "/contracts-api/a/b", "/funders-api//x"])(
    "%s is 404, with a key and without",
    async (path) => {
      await client.refused(path, 404);
      await client.refused(path, 404, "nobody");
    },
  );

  // The platform, not the service, may answer here: only the status is promised.
  test.each(["/no-such-api", "/grants", "/__proto__", "/constructor"])("%s is 404", async (path) => {
    expect((await target.send(path)).status).toBe(404);
  });
});

describe("methods", () => {
  const paths = ["/grants-api", "/contracts-api", "/funders-api", `/grants-api/${missing}`, `/funders-api/${missing}`];
  const rows = paths.flatMap((path) => ["POST", "PUT", "PATCH", "DELETE"].map((method) => ({ method, path })));

  test.each(rows)("$method $path is 405 with Allow, with a key and without", async ({ method, path }) => {
    for (const caller of ["developer", "nobody"] as const) {
      const response = await target.send(path, { method }, caller);
      const allow = response.headers
        .get("allow")
        ?.split(/\s*,\s*/)
        .sort();
      expect(response.status).toBe(405);
      expect(allow).toEqual(["GET", "HEAD", "OPTIONS"]);
    }
  });
});
