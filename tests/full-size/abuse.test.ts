import { afterAll, beforeAll, expect, test } from "vitest";
import { textTable } from "../../cli/table.ts";
import { type Abuse, abusesOf, readsAll } from "./abuse.ts";
import { openService, type Service } from "./service.ts";

/** Longest that any search may take, whatever is searched for, on two cores that others use too (a load of 5 to 12). */
const mostMs = 3_000;
/** The RPCs' time limit, as PostgREST sets it. */
const timeLimitMs = 5_000;
/** Limit for searches whose exclusions leave almost nothing: they read every record, up to the time limit. */
const mostMsReadingAll = timeLimitMs + 1_000;

/** And that refusing one may take. */
const refusedMs = 250;

const encoded = encodeURIComponent;
/** Each way to ask for a search. Every other filter is at its broadest. */
const ways: { way: string; path: (search: string) => string }[] = [
  { way: "keyword", path: (text) => `/grants-api?opportunity_type=all&include_archived=true&search=${encoded(text)}` },
  { way: "relevance", path: (text) => `/grants-api?opportunity_type=all&sort_by=relevance&search=${encoded(text)}` },
  { way: "semantic", path: (text) => `/grants-api?opportunity_type=all&search_mode=semantic&search=${encoded(text)}` },
  { way: "hybrid", path: (text) => `/grants-api?opportunity_type=all&search_mode=hybrid&search=${encoded(text)}` },
  { way: "hybrid_states", path: (text) => `/grants-api?states=OH,PA&search_mode=hybrid&search=${encoded(text)}` },
  {
    way: "facets",
    path: (text) =>
      `/contracts-api?opportunity_type=all&facets=status,states,category,naics&limit=1&search=${encoded(text)}`,
  },
  {
    way: "hybrid_facets",
    path: (text) => `/grants-api?search_mode=hybrid&facets=status,states,category&limit=1&search=${encoded(text)}`,
  },
  { way: "funders", path: (text) => `/funders-api?search_mode=hybrid&search=${encoded(text)}` },
];

/** Lists that make the database pass over, count or sort as much as they can. */
const lists = [
  "/grants-api?opportunity_type=all&include_archived=true&offset=10000&limit=100",
  "/grants-api?opportunity_type=all&include_archived=true&offset=10000&limit=100&sort_by=title",
  "/grants-api?opportunity_type=all&include_archived=true&offset=10000&limit=100&sort_by=amount_max&order=asc",
  `/grants-api?opportunity_type=all&include_archived=true&geography=${encoded("%".repeat(200))}`,
  `/grants-api?opportunity_type=all&include_archived=true&geography=${encoded("a_%".repeat(66))}`,
  "/grants-api?opportunity_type=all&include_archived=true&facets=status,states,category&limit=1",
  "/contracts-api?opportunity_type=all&include_archived=true&facets=status,states,category,naics,set_aside&limit=1",
  "/grants-api?opportunity_type=all&include_archived=true&search=the&sort_by=relevance&offset=10000&limit=100",
];

let service: Service;
let abuses: Abuse[];

beforeAll(async () => {
  service = await openService();
  // Drops the pages remembered from an earlier run.
  await service.session.query("truncate funding.pages");
  await service.session.query(`set statement_timeout = ${timeLimitMs}`);
  abuses = await abusesOf(service.session);
});
afterAll(() => service.close());

/** Milliseconds until an answer, or until it was refused, which is told by a minus. */
async function millisecondsOf(ask: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  const isAnswered = await ask().then(
    () => true,
    () => false,
  );
  const ms = Math.round(performance.now() - started);
  return isAnswered ? ms : -ms;
}

test(`no search takes longer than ${mostMs} ms, whatever is searched for`, async () => {
  const rows = [];
  for (const { what, search } of abuses) {
    const row: Record<string, string | number> = { what };
    for (const { way, path } of ways) row[way] = await millisecondsOf(() => service.get(path(search)));
    row.semantic_search = await millisecondsOf(() => service.post("/semantic-search", { query: search }));
    rows.push(row);
  }
  console.log(`milliseconds at full size; refused with a minus\n${textTable(rows)}`);
  const isWrong = (row: Record<string, string | number>, value: string | number) => {
    if (typeof value === "string") return false;
    if (row.what === readsAll) return Math.abs(value) > mostMsReadingAll;
    return value > mostMs || value < -refusedMs;
  };
  const slow = rows.filter((row) => Object.values(row).some((value) => isWrong(row, value)));
  expect(slow).toEqual([]);
});

test.each(lists)("no list takes longer: %s", async (path) => {
  const ms = await millisecondsOf(() => service.get(path));
  console.log(`${ms} ms ${path.slice(0, 120)}`);
  expect(ms).toBeGreaterThan(0);
  expect(ms).toBeLessThan(mostMs);
});
