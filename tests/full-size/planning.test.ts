import { afterAll, beforeAll, expect, test } from "vitest";
import { openService, type Service } from "./service.ts";

// Planning costs more than running for most statements of a small request. PL/pgSQL keeps the plans of its statements; an SQL function that cannot be
// inlined, and a statement put together from text, are planned at each call.

let service: Service;
beforeAll(async () => {
  service = await openService();
  await service.session.query("create extension if not exists pg_stat_statements schema public");
  await service.session.query("truncate funding.pages");
});
afterAll(async () => {
  await service.session.query("drop extension pg_stat_statements");
  await service.close();
});

/** Calls before the count: PL/pgSQL plans a statement for its values five times, then decides whether one plan is for all. */
const warmUp = 12;
const counted = 10;

/** Statements inside functions that were planned at each of ten calls, by how they begin. */
async function plannedEachTime(ask: (call: number) => Promise<unknown>): Promise<string[]> {
  const { session } = service;
  for (let call = 0; call < warmUp; call++) await ask(call);
  await session.query("set pg_stat_statements.track = 'all'; set pg_stat_statements.track_planning = on");
  await session.query("select pg_stat_statements_reset()");
  try {
    for (let call = 0; call < counted; call++) await ask(warmUp + call);
  } finally {
    await session.query("reset pg_stat_statements.track; reset pg_stat_statements.track_planning");
  }
  const { rows } = await session.query<{ query: string }>(
    "select query from pg_stat_statements where not toplevel and plans >= $1 order by plans desc, query",
    [counted],
  );
  return rows.map(({ query }) => query.replace(/\s+/g, " ").trim().slice(0, 80));
}

test("a list that was asked before plans nothing", async () => {
  const path = "/grants-api?states=CA&min_amount=1000";
  expect(await plannedEachTime(() => service.get(path))).toEqual([]);
});

test("a single record plans nothing", async () => {
  const { results } = await service.get<{ results: { id: string }[] }>("/grants-api?limit=30");
  expect(await plannedEachTime((call) => service.get(`/grants-api/${results[call]?.id}`))).toEqual([]);
});

test("a new list plans nothing", async () => {
  expect(await plannedEachTime((call) => service.get(`/grants-api?states=CA&min_amount=${1000 + call}`))).toEqual([]);
});

const searches = ["clean water", "rural health", "schools"];

test("a new keyword list plans nothing", async () => {
  const path = (call: number) => `/grants-api?search=${searches[call % 3]}&min_amount=${1000 + call}`;
  expect(await plannedEachTime((call) => service.get(path(call)))).toEqual([]);
});

test("a new hybrid search plans its vector search, which has its filters' text, and the fusion, and no more", async () => {
  const path = (call: number) =>
    `/grants-api?search=${searches[call % 3]}&search_mode=hybrid&min_amount=${1000 + call}`;
  const planned = await plannedEachTime((call) => service.get(path(call)));
  expect(planned.toSorted()).toEqual([
    expect.stringMatching(/^select array_agg\(found\.slot\)/),
    expect.stringMatching(/^with scored as materialized/),
  ]);
});

test("a dispatcher that polls, as twenty times a second while a receiver is slow, plans nothing", async () => {
  const poll = async () => {
    await service.session.query("select public.fan_out_events(100)");
    await service.session.query("select public.claim_deliveries(10, 2)");
  };
  expect(await plannedEachTime(poll)).toEqual([]);
});
