import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { searchedVectors } from "../../support/vectors.ts";
import { deleteTestGrants, source } from "../records.ts";
import { openService, openSession, type Service } from "../service.ts";
import { type Refit, runRefit, serverMiB } from "./command.ts";
import { answersNow, type Reading, readUntil, searches } from "./reader.ts";
import { type Writing, writeUntil } from "./writer.ts";

const readers = 2;
const minute = 60_000;

let service: Service;
let session: pg.Client;
let refit: Refit;
let readings: Reading[][];
let writing: Writing;
/** Answers that are right for each search, with the old lexicon and with the new one. */
const before = new Map<string, string[]>();
const after = new Map<string, string[]>();
let serverPeakMiB = 0;
/** Whether the vectors that were searched had an index, whenever that was looked at; each answer once. */
const indexes = new Set<boolean>();
const sizesMiB: number[] = [];

/** The table's size in MiB. */
async function tableMiB(): Promise<number> {
  const { rows } = await session.query("select pg_table_size('funding.grants') / 1048576 as mib");
  return Number(rows[0].mib);
}

/** A refit that changes every weight and every vector, while others read and write. Two minutes on two free cores. */
beforeAll(async () => {
  service = await openService();
  session = await openSession();
  // Another one than the records were fitted with, and left as it is: the records are then fitted with this one.
  await session.query(`
    update funding.settings set value = case value when '0.3' then '0.6' else '0.3' end::jsonb where name = 'bm25_b'`);
  for (const path of searches) before.set(path, await answersNow(service, path));
  sizesMiB.push(await tableMiB());

  const { rows } = await session.query("select pg_backend_pid() as pid");
  const sampler = setInterval(() => {
    serverPeakMiB = Math.max(serverPeakMiB, serverMiB(rows[0].pid));
    void service.session
      .query("select funding.has_vector_index('grants') as is_indexed")
      .then((found) => indexes.add(found.rows[0].is_indexed));
  }, 500);
  let isDone = false;
  const stopped = () => isDone;
  const reading = Promise.all(
    Array.from({ length: readers }, async (_, index) => {
      const reader = await openService();
      return readUntil(stopped, reader, index * 3).finally(() => reader.close());
    }),
  );
  const writer = await openService();
  const written = writeUntil(stopped, session, writer);
  const { rows: fits } = await session.query("select dimensions from funding.lexicon_fit");
  refit = await runRefit(["--dimensions", fits[0].dimensions === 200 ? "192" : "200"]);
  isDone = true;
  [readings, writing] = await Promise.all([reading, written]);
  clearInterval(sampler);
  await writer.close();

  for (const path of searches) after.set(path, await answersNow(service, path));
  sizesMiB.push(await tableMiB());
  const waits = [...writing.waits].sort((one, other) => one - other);
  console.log(
    [
      ...refit.lines
        .filter(({ line }) => !/^preparing records|^fitting:/.test(line))
        .map(({ second, line }) => `${second} s: ${line}`),
      `refit: ${refit.seconds} s; memory of the command ${refit.peakMiB} MiB, of Postgres ${serverPeakMiB} MiB`,
      `readers: ${readings.flat().length} answers, slowest ${Math.round(Math.max(...readings.flat().map(({ ms }) => ms)))} ms`,
      `writers: ${waits.length} statements, longest wait ${Math.round(waits.at(-1) ?? 0)} ms, the next ${Math.round(waits.at(-2) ?? 0)} ms`,
      `grants: ${sizesMiB.join(" MiB, then ")} MiB`,
    ].join("\n"),
  );
}, 15 * minute);
afterAll(async () => {
  await deleteTestGrants(session);
  await session.end();
  await service.close();
});

test("the command ends well, tells how far it is, and stays within 4 GiB", () => {
  expect(refit.status).toBe(0);
  expect(refit.lines.filter(({ line }) => /^preparing records: \d+ of \d+$/.test(line)).length).toBeGreaterThan(2);
  expect(refit.lines.filter(({ line }) => /^fitting: \d+ of \d+$/.test(line)).length).toBeGreaterThan(2);
  expect(refit.peakMiB).toBeGreaterThan(100);
  expect(refit.peakMiB + serverPeakMiB).toBeLessThan(4096);
});

test("the new lexicon answers otherwise than the old one, or the rest would prove nothing", () => {
  const same = searches.filter((path) => after.get(path)?.some((answer) => before.get(path)?.includes(answer)));
  expect(same).toEqual([]);
});

test("readers get the old lexicon's answers or the new one's, whole, and never the old ones after the new", () => {
  const strange = readings
    .flat()
    .filter(({ path, answer }) => ![...(before.get(path) ?? []), ...(after.get(path) ?? [])].includes(answer));
  expect(strange).toEqual([]);
  for (const reading of readings) {
    const isNew = reading.map(({ path, answer }) => after.get(path)?.includes(answer) ?? false);
    expect(isNew.indexOf(true)).toBeGreaterThan(0);
    expect(isNew.slice(isNew.indexOf(true))).not.toContain(false);
  }
});

test("no search lacks a vector index, and no record changes its page", () => {
  expect([...indexes]).toEqual([true]);
  expect(sizesMiB[1]).toBeLessThan((sizesMiB[0] ?? 0) + 8);
});

test("records written meanwhile are found at once, by word and by meaning", () => {
  expect(writing.wrong).toEqual([]);
  expect(writing.words.size).toBeGreaterThan(20);
});

test("records written meanwhile are found afterwards, as they were left", async () => {
  for (const [id, word] of writing.words) {
    const { results } = await service.get<{ results: { id: string }[] }>(
      `/grants-api?search=${word}&sort_by=relevance`,
    );
    expect(
      results.map((result) => result.id),
      word,
    ).toEqual([id]);
  }
});

test(
  "every record, those written meanwhile too, has its meaning by the new lexicon",
  async () => {
    for (const dataset of ["grants", "contracts", "funders"] as const) {
      const { rows } = await session.query(
        `select record.id, record.source, known.slot
         from funding.${dataset} as record full join ${searchedVectors(dataset)} as known on known.slot = record.slot
         cross join funding.lexicon_fit as fit
         where coalesce(known.embedding operator(extensions.<=>)
           funding.lexicon_embedding(record.lexemes, fit.generation)::extensions.halfvec, 1) > 0.001`,
      );
      expect(rows).toEqual([]);
    }
  },
  3 * minute,
);

test(
  "the inverted index says of each record of the fit what the record's own words do",
  async () => {
    const { rows } = await session.query(`
    with sampled as (
      select slot, lexemes from funding.grants
      where slot < funding.fitted_end('grants')
      order by md5(id::text) limit 200
    ), asked as (
      select term, funding.inverse_document_frequency((select documents from funding.lexicon_fit), document_frequency) as rarity
      from funding.lexicon
      where generation = (select generation from funding.lexicon_fit) and document_frequency > 100 order by md5(term) limit 50
    )
    select count(*)::int as compared,
           count(*) filter (where abs(posted - kept) > 0.0001)::int as different
    from (
      select asked.rarity * coalesce((
               select funding.bm25_weight(word.frequency, (select sum(frequency) from funding.term_frequencies(sampled.lexemes, fit.bm25_title_weight)),
                        fit.average_length, fit.bm25_k1, fit.bm25_b)
               from funding.lexicon_fit as fit cross join lateral funding.term_frequencies(sampled.lexemes, fit.bm25_title_weight) as word
               where word.term = asked.term), 0) as kept,
             coalesce((select (extensions.subvector(postings.weights::extensions.vector, slot - blocks.first_slot + 1, 1)::real[])[1]
                       from funding.blocks_of('grants') as blocks
                       join funding.postings on postings.dataset = 'grants' and postings.block = blocks.block
                       where postings.term = asked.term
                         and slot between blocks.first_slot and blocks.first_slot + blocks.size - 1), 0) as posted
      from sampled cross join asked
    ) as pair`);
    expect(rows).toEqual([{ compared: 10_000, different: 0 }]);
  },
  minute,
);

test("a record written meanwhile is in the tables under the suite's source", async () => {
  const { rows } = await session.query("select count(*)::int as records from funding.grants where source = $1", [
    source,
  ]);
  expect(rows[0].records).toBe(writing.words.size);
});
