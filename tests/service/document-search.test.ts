import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noteDocuments, storeDocuments } from "../../database/documents.ts";
import { documentOf as document, type GivenFile, loadFiles } from "../support/documents.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

/** Searches that look into the documents of opportunities, and what a record says of its documents. */

let service: TestService;
let headers: Record<string, string>;
/** Ids of open grants, in the order of their titles, and of two open contracts. */
let grants: string[];
let contracts: string[];

interface Passage {
  document_id: string;
  url: string | null;
  name: string | null;
  page: number | null;
  heading: string | null;
  text: string;
  ranges: { start: number; end: number }[];
}
interface Found {
  id: string;
  title: string;
  relevance_score: number;
  passages?: Passage[];
  highlights?: object;
  explanation?: {
    keyword: { rank: number } | null;
    semantic: { rank: number } | null;
    passage?: { page: number } | null;
  };
  details?: { documents_read?: { problem: string | null; pages: number | null }[]; document_facts?: object[] };
}
interface List {
  results: Found[];
  pagination: { total: number; next: string | null };
  meta: { search_mode: string };
  facets?: Record<string, { value: string; count: number }[]>;
}

async function get(path: string): Promise<Response> {
  return service.fetch(path, { headers });
}
async function list(query: Record<string, string>, dataset = "grants"): Promise<List> {
  const response = await get(`/${dataset}-api?${new URLSearchParams({ fields: "title", ...query })}`);
  expect(response.status, JSON.stringify(query)).toBe(200);
  return (await response.json()) as List;
}
const idsOf = ({ results }: List) => results.map(({ id }) => id);

/** Ids of all grants that a filter keeps. */
async function everyId(filter: Record<string, string>): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += 100) {
    const page = await list({ ...filter, limit: "100", offset: String(offset) });
    ids.push(...idsOf(page));
    if (page.pagination.next === null) return ids;
  }
}

/** Brings the documents to these, as a load does. */
const load = (...given: GivenFile[]) => loadFiles(service.connection, ...given);

const url = (name: string) => `https://documents.example.gov/${name}.pdf`;
const filler = "Applicants describe the community that they serve and the partners they work with.";

beforeAll(async () => {
  service = await openTestService();
  headers = bearer((await service.newKey()).key);
  grants = idsOf(await list({ status: "open", sort_by: "title", order: "asc", limit: "20" }));
  contracts = idsOf(await list({ status: "open", limit: "2" }, "contracts"));
});
afterAll(() => service.close());

describe("a search in documents", () => {
  test("finds a record by a passage, and shows its page with what to mark", async () => {
    await load(
      {
        url: url("one"),
        documents: [document(filler, "The zygomorphic orchid survey pays for herbarium visits.")],
        of: [grants[0] ?? ""],
      },
      { url: url("two"), documents: [document("Orchid growers send a survey.", filler)], of: [grants[1] ?? ""] },
    );
    const query = { search: "zygomorphic orchid survey", passages: "true" };
    const found = await list({ ...query, search_in: "documents" });
    expect(idsOf(found)).toEqual([grants[0], grants[1]]);
    expect(found.meta.search_mode).toBe("keyword");
    const [passage] = found.results[0]?.passages ?? [];
    expect(passage).toMatchObject({ url: `${url("one")}#page=2`, page: 2, name: null, heading: null });
    const marked = passage?.ranges.map(({ start, end }) => passage.text.slice(start, end));
    expect(marked).toEqual(["zygomorphic", "orchid", "survey"]);
    expect(found.results[0]).not.toHaveProperty("highlights");
    expect(idsOf(await list({ ...query, search_in: "records" }))).toEqual([]);
    expect(idsOf(await list(query))).toEqual([]);
    const both = await list({ ...query, search_in: "documents", highlight: "true" });
    expect(both.results[0]?.highlights).toBeDefined();
    expect(both.results[0]?.passages).toEqual(found.results[0]?.passages);
  });

  test("ranks by the best passage, not by the words of the whole document", async () => {
    await load(
      {
        url: url("scattered"),
        documents: [document("The quokka is an animal.", "A lighthouse stands on the island.", filler)],
        of: [grants[2] ?? ""],
      },
      {
        url: url("together"),
        documents: [document(filler, "The quokka near the lighthouse is counted.")],
        of: [grants[3] ?? ""],
      },
    );
    const found = await list({ search: "quokka lighthouse", search_in: "documents", explain: "true" });
    expect(idsOf(found)[0]).toBe(grants[3]);
    expect(found.results[0]?.explanation).toMatchObject({ keyword: { rank: 1 }, semantic: null, passage: { page: 2 } });
  });

  test("with all, adds records to those of their own words, and is the same where there are no documents", async () => {
    await load();
    const query = { search: "water", sort_by: "relevance", limit: "100" };
    const own = await list(query);
    expect(own.results.length).toBeGreaterThan(5);
    expect(await list({ ...query, search_in: "all" })).toMatchObject({
      results: own.results,
      pagination: own.pagination,
    });
    const others = grants.filter((id) => !idsOf(own).includes(id)).slice(0, 2);
    await load({
      url: url("water"),
      documents: [document("Water for all: the water plan names water rights.")],
      of: others,
    });
    const all = await list({ ...query, search_in: "all" });
    expect(all.pagination.total).toBe(own.pagination.total + others.length);
    expect(idsOf(all).toSorted()).toEqual([...idsOf(own), ...others].slice(0, 100).toSorted());
    const hybrid = await list({ ...query, search_in: "all", search_mode: "hybrid", explain: "true" });
    const added = hybrid.results.find(({ id }) => id === others[0]);
    expect(added?.explanation).toMatchObject({ keyword: {}, semantic: {}, passage: { page: 1 } });
  });

  test("keeps filters, totals, facets, cursors and orders", async () => {
    await load({ url: url("many"), documents: [document("A xylophone workshop.")], of: grants.slice(0, 12) });
    const query = { search: "xylophone", search_in: "documents" };
    const all = await list({ ...query, facets: "status", limit: "5" });
    expect(all.pagination.total).toBe(12);
    expect(all.facets?.status?.reduce((sum, { count }) => sum + count, 0)).toBe(12);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: List = await list({ ...query, limit: "5", ...(cursor === "" ? {} : { cursor }) });
      seen.push(...idsOf(page));
      cursor = page.pagination.next;
    }
    expect(seen.toSorted()).toEqual(grants.slice(0, 12).toSorted());
    const byTitle = await list({ ...query, sort_by: "title", order: "asc", limit: "100" });
    expect(idsOf(byTitle)).toEqual(grants.slice(0, 12));
    expect((await list({ ...query, status: "closed" })).pagination.total).toBe(0);
    const counted = await get(`/grants-api?${new URLSearchParams({ ...query, count_only: "true" })}`);
    expect(await counted.json()).toEqual({ total: 12 });
    const csv = await get(`/grants-api?${new URLSearchParams({ ...query, format: "csv", fields: "title" })}`);
    expect((await csv.text()).trim().split("\r\n")).toHaveLength(13);
  });

  test("finds with a filter what it finds without, and the filter keeps", async () => {
    const all = idsOf(await list({ opportunity_type: "open", limit: "100" }));
    await load(
      ...all.map((id, index) => ({
        ...{ url: url(`each-${index}`), of: [id] },
        documents: [document(`A glockenspiel ${"glockenspiel ".repeat(index % 5)}workshop.`, filler)],
      })),
    );
    const query = { search: "glockenspiel workshop", search_in: "documents", limit: "100" };
    const found = idsOf(await list(query));
    expect(found).toHaveLength(all.length);
    for (const filter of [
      { status: "posted" },
      { min_amount: "100000" },
      { states: "OH,TX,CA", include_national: "true" },
    ]) {
      const kept = await everyId(filter);
      const filtered = idsOf(await list({ ...query, ...filter }));
      expect(filtered.length).toBeGreaterThan(0);
      expect(filtered.toSorted()).toEqual(found.filter((id) => kept.includes(id)).toSorted());
    }
  });

  test("leaves out what is excluded, and has what is in quotes", async () => {
    await load(
      { url: url("a"), documents: [document("Grants for marimba players and drummers.")], of: [grants[4] ?? ""] },
      { url: url("b"), documents: [document("Grants for players of the marimba.")], of: [grants[5] ?? ""] },
    );
    const search = async (text: string) => idsOf(await list({ search: text, search_in: "documents" })).toSorted();
    expect(await search("marimba players")).toEqual([grants[4], grants[5]].toSorted());
    expect(await search('"marimba players"')).toEqual([grants[4]]);
    expect(await search("marimba -drummers")).toEqual([grants[5]]);
  });

  test("finds contracts by theirs, and nothing by those of grants", async () => {
    await load({
      url: url("c"),
      documents: [document("Bassoon repair services.")],
      of: contracts.slice(0, 1),
      dataset: "contracts",
    });
    const query = { search: "bassoon repair", search_in: "documents" };
    expect(idsOf(await list(query, "contracts"))).toEqual(contracts.slice(0, 1));
    expect(idsOf(await list(query))).toEqual([]);
  });

  test.each([
    [{ search_in: "documents" }, "search_in"],
    [{ search_in: "everywhere", search: "water" }, "search_in"],
    [{ search_in: "all", search: "water", search_mode: "semantic" }, "search_in"],
    [{ passages: "true" }, "passages"],
    [{ passages: "true", search: "water", format: "csv" }, "passages"],
  ])("refuses %o for %s", async (query, parameter) => {
    const response = await get(`/grants-api?${new URLSearchParams(query as Record<string, string>)}`);
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { parameter: string }[] };
    expect(errors.map((error) => error.parameter)).toContain(parameter);
  });
});

describe("documents that change", () => {
  test("a changed file replaces its passages, and a removed one takes them along", async () => {
    const search = async (text: string) => (await list({ search: text, search_in: "documents" })).pagination.total;
    await load({ url: url("old"), documents: [document("The vuvuzela budget.", filler)], of: [grants[6] ?? ""] });
    expect([await search("vuvuzela"), await search("theremin")]).toEqual([1, 0]);
    await load({ url: url("old"), documents: [document("The theremin budget.")], of: [grants[6] ?? ""] });
    expect([await search("vuvuzela"), await search("theremin")]).toEqual([0, 1]);
    await load();
    expect([await search("vuvuzela"), await search("theremin")]).toEqual([0, 0]);
    const left = await service.connection.query<{ rows: number }>(
      `select (select count(*) from funding.documents) + (select count(*) from funding.document_passages) + (select count(*) from funding.document_parts)
         + (select count(*) from funding.document_postings) + (select count(*) from funding.document_records) as rows`,
    );
    expect(Number(left[0]?.rows)).toBe(0);
  });

  test("stay with their records while they change", async () => {
    const row = { url: url("kept"), file: null };
    await load({ url: row.url, documents: [document("The ocarina budget.")], of: [grants[8] ?? ""] });
    const looked = { fetched_at: null, checked_at: "2026-11-03T00:00:00Z" };
    const documents = [document("The didgeridoo budget.")];
    await storeDocuments(service.connection, [{ ...row, sha256: "2", reader: 1, ...looked, documents }]);
    expect(idsOf(await list({ search: "didgeridoo", search_in: "documents" }))).toEqual([grants[8]]);
  });

  const versionOf = async () =>
    service.connection.query("select version from funding.data_versions where dataset = 'search'");

  test("leave cached searches as they are where a load finds what it found before", async () => {
    const file = { url: url("settled"), documents: [document("The theorbo budget.")], of: [grants[7] ?? ""] };
    await load(file);
    const before = await versionOf();
    await load(file);
    expect(await versionOf()).toEqual(before);
    await load({ ...file, of: [grants[6] ?? ""] });
    expect(await versionOf()).not.toEqual(before);
    expect(idsOf(await list({ search: "theorbo", search_in: "documents" }))).toEqual([grants[6]]);
  });

  test("keep their index where they are read anew with the passages that they had", async () => {
    const file = { url: url("same"), documents: [document("The sackbut budget.", filler)], of: [grants[9] ?? ""] };
    await load(file);
    const before = await versionOf();
    const looked = { fetched_at: null, checked_at: "2026-11-04T00:00:00Z" };
    const row = { url: file.url, file: null, sha256: "3", reader: 2, ...looked };
    await storeDocuments(service.connection, [
      { ...row, documents: file.documents.map((one) => ({ ...one, is_cut: true })) },
    ]);
    expect(await versionOf()).toEqual(before);
    const [stored] = await service.connection.query("select sha256, reader, is_cut, passages from funding.documents");
    expect(stored).toEqual({ sha256: "3", reader: 2, is_cut: true, passages: 2 });
    await storeDocuments(service.connection, [{ ...row, documents: [document("The sackbut budget.")] }]);
    expect(await versionOf()).not.toEqual(before);
  });

  test("go when no current opportunity has them", async () => {
    const [first, second] = contracts;
    const file = { url: url("gone"), documents: [document("A calliope.")], dataset: "contracts" as const };
    await load({ ...file, of: [first ?? "", second ?? ""] });
    await service.connection.query("update funding.contracts set archived_at = now() where id = $1", [first]);
    await load({ ...file, of: [first ?? "", second ?? ""] });
    expect(
      idsOf(await list({ search: "calliope", search_in: "documents", include_archived: "true" }, "contracts")),
    ).toEqual([second]);
    await service.connection.query("update funding.contracts set archived_at = now() where id = $1", [second]);
    await load({ ...file, of: [first ?? "", second ?? ""] });
    expect(await service.connection.query("select from funding.documents")).toEqual([]);
    await service.connection.query("update funding.contracts set archived_at = null where id = any ($1)", [contracts]);
  });

  test("leave an index that is the one of their passages, whatever came and went", async () => {
    const words = [
      "alpha",
      "beta",
      "gamma",
      "delta",
      "epsilon",
      "zeta",
      "eta",
      "theta",
      "it's",
      "back\\slash",
      "naïve",
      "3.5",
      "C-12",
    ];
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const text = () => Array.from({ length: 1 + random(12) }, () => words[random(words.length)] ?? "").join(" ");
    for (let round = 0; round < 6; round++) {
      await load(
        ...Array.from({ length: 1 + random(6) }, (_, index) => ({
          url: url(`random-${random(8)}-${index}`),
          // One of them is longer than a part of the index.
          documents: [document(...Array.from({ length: index === 0 ? 500 : 1 + random(4) }, text))],
          of: [grants[random(grants.length)] ?? ""],
        })),
      );
      const stored = await service.connection.query(indexQuery);
      await service.connection.execute("begin");
      await service.connection.execute(
        "delete from funding.document_parts; delete from funding.document_postings; select funding.index_documents(array(select id from funding.documents))",
      );
      expect(stored).toEqual(await service.connection.query(indexQuery));
      await service.connection.execute("rollback");
    }
  });
});

/** What the index says, without the slots, which depend on what came before. */
const indexQuery = `
  select part.document_id, part.first_passage, part.words::text as words, (
    select json_agg(json_build_array(postings.term, (extensions.subvector(postings.weights::extensions.vector, part.slot % 1024 + 1, 1)::real[])[1]) order by postings.term)
    from funding.document_postings as postings
    where postings.block = part.slot / 1024 and (extensions.subvector(postings.weights::extensions.vector, part.slot % 1024 + 1, 1)::real[])[1] <> 0
  ) as weights
  from funding.document_parts as part order by 1, 2`;

describe("a record", () => {
  test("says what was read of its documents, why one was not, and the facts in them", async () => {
    const fact = { name: "expected_awards", value: 12, passage: 2, page: 2, sentence: "We expect to make 12 awards." };
    const unreadable = { ...document(), reason: "The PDF needs a password.", pages: null, media_type: null };
    await load(
      { url: url("facts"), documents: [{ ...document(filler, fact.sentence), facts: [fact] }], of: [grants[7] ?? ""] },
      { url: url("locked"), documents: [unreadable], of: [grants[7] ?? ""] },
    );
    const response = await get(`/grants-api/${grants[7]}?fields=document_facts,documents_read`);
    const { details } = (await response.json()) as Found;
    expect(details?.document_facts).toEqual([
      {
        ...{ name: "expected_awards", value: 12, sentence: fact.sentence, page: 2, url: `${url("facts")}#page=2` },
        document_id: expect.any(String),
      },
    ]);
    expect(details?.documents_read).toMatchObject([
      {
        url: url("facts"),
        pages: 2,
        media_type: "application/pdf",
        problem: null,
        fetched_at: "2026-11-01T00:00:00.000Z",
      },
      { url: url("locked"), pages: null, problem: "The PDF needs a password." },
    ]);
    const whole = (await (await get(`/grants-api/${grants[7]}?expand=details`)).json()) as Found;
    expect(whole.details).not.toHaveProperty("document_facts");
    await noteDocuments(service.connection, [
      {
        url: url("facts"),
        file: null,
        fetched_at: null,
        checked_at: "2026-11-09T00:00:00Z",
        reason: "The address answers 404.",
      },
      {
        ...{ url: url("locked"), file: null, fetched_at: null, checked_at: "2026-11-09T00:00:00Z" },
        reason: "The address answers 404.",
      },
    ]);
    const noted = (await (await get(`/grants-api/${grants[7]}?fields=documents_read`)).json()) as Found;
    expect(noted.details?.documents_read?.[1]?.problem).toBe("The PDF needs a password.");
    expect(noted.details?.documents_read?.[0]).toMatchObject({ problem: "The address answers 404.", pages: 2 });
  });
});
