import type pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { closeAfter } from "../../../database/connection.ts";
import { fitLexicon } from "../../../database/lexicon/fit.ts";
import { connectPostgres } from "../../../database/postgres.ts";
import { databaseUrl, newSession } from "../../security/native/sessions.ts";
import { searchedVectors } from "../../support/vectors.ts";

/** Sessions that write, and one that reads. */
let writers: pg.Client[];
let reader: pg.Client;
beforeAll(async () => {
  reader = await newSession();
  writers = await Promise.all(Array.from({ length: 3 }, newSession));
});
afterEach(async () => {
  for (const writer of writers) await writer.query("rollback");
  await reader.query("delete from funding.grants where source = 'fit'");
});
afterAll(() => Promise.all([reader, ...writers].map((session) => session?.end())));

const insert = (session: pg.Client, count = 1) =>
  session.query(
    `insert into funding.grants (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash)
     select gen_random_uuid(), 'Water for rural towns ' || number, 'text', 'open', 'opportunity', (select id from funding.funders limit 1), now(), 'fit',
       gen_random_uuid()::text, ''
     from generate_series(1, $1) as number`,
    [count],
  );

/** Fits the lexicon, with its steps. */
function refit(onStep: (step: string) => void = () => undefined): Promise<unknown> {
  return connectPostgres(databaseUrl()).then((connection) =>
    closeAfter(connection, (open) => fitLexicon(open, onStep, 64)),
  );
}

/** Grants whose vector is not that of the lexicon in force, and vectors of no grant. Each expected vector is worked out once (`offset 0`). */
async function wrongVectors(): Promise<string[]> {
  const { rows } = await reader.query<{ name: string }>(
    `select coalesce(record.title, 'slot ' || known.slot) as name
     from funding.grants as record full join ${searchedVectors("grants")} as known on known.slot = record.slot
     cross join funding.lexicon_fit as fit
     cross join lateral (select funding.lexicon_embedding(record.lexemes, fit.generation)::extensions.halfvec as embedding offset 0) as expected
     where record.id is null or (known.embedding is null) <> (expected.embedding is null)
        or known.embedding operator(extensions.<=>) expected.embedding > 0.001
        or known.is_usual <> (record.classification = 'opportunity' and record.archived_at is null)`,
  );
  return rows.map(({ name }) => name);
}

test("a record of a transaction that began before the fit, and ends while it waits, has its vector by the new lexicon", async () => {
  const [slow] = writers as [pg.Client];
  let fitting: Promise<unknown> = Promise.resolve();
  await slow.query("begin");
  await insert(slow);
  await new Promise<void>((resolve, reject) => {
    fitting = refit((step) => {
      if (step === "waiting for another transaction to end") resolve();
    });
    fitting.catch(reject);
  });
  await slow.query("commit");
  await fitting;
  expect(await wrongVectors()).toEqual([]);
});

test("a fit comes into force while others write, none of whom it waits for or holds up", async () => {
  const [early, late] = writers as [pg.Client, pg.Client];
  // A fit with the same lexicon, step by step.
  const { rows } = await reader.query<{ fit: string }>(
    "select funding.begin_fit(documents, average_length, dimensions) as fit from funding.lexicon_fit",
  );
  const id = rows[0]?.fit;
  await reader.query(`
    insert into funding.lexicon (generation, term, document_frequency, vector)
    select next.generation, known.term, known.document_frequency, known.vector
    from funding.next_fit as next join funding.lexicon as known on known.generation = 1 - next.generation`);
  await reader.query("select funding.start_filling($1)", [id]);
  for (const dataset of ["funders", "grants", "contracts"]) {
    await reader.query("select funding.prepare_vectors($1, $2, 0, null)", [id, dataset]);
    await reader.query("select funding.prepare_postings($1, $2, funding.last_slot_to_prepare($2))", [id, dataset]);
    await reader.query("select funding.prepare_bitmaps($1, $2)", [id, dataset]);
  }
  await early.query("begin");
  await insert(early, 3);
  await reader.query("begin; set local lock_timeout = '2s'");
  await reader.query("select funding.adopt_fit($1)", [id]);
  // Written while the fit comes into force: another table than those of versions, which each writer locks.
  await late.query("begin; set local lock_timeout = '2s'");
  await late.query(
    "update funding.contracts set deadline_date = deadline_date where id = (select id from funding.contracts limit 1)",
  );
  await reader.query("commit");
  await early.query("commit");
  await late.query("rollback");
  await reader.query("select funding.forget_fit()");
  await insert(late, 2);
  expect(await wrongVectors()).toEqual([]);
});

test("while records come, change and go, every vector is right after each of two fits", async () => {
  let isOver = false;
  let written = 0;
  const writing = writers.map(async (session, index) => {
    for (let turn = 0; !isOver; turn++) {
      await session.query("begin");
      await insert(session, 1 + ((turn * 7 + index) % 20));
      const some =
        "select id from funding.grants where source = 'fit' order by md5(id::text || $1) limit 5 for update skip locked";
      await session.query(`update funding.grants set deadline_date = current_date + $2::int where id in (${some})`, [
        String(turn),
        turn,
      ]);
      await session.query(`update funding.grants set title = title || ' school' where id in (${some})`, [`t${turn}`]);
      await session.query(`delete from funding.grants where id in (${some})`, [`d${turn}`]);
      await session.query(turn % 5 === 4 ? "rollback" : "commit");
      written += 1;
    }
  });
  const lost: string[] = [];
  for (let round = 0; round < 2; round++) {
    await refit();
    lost.push(...(await wrongVectors()));
  }
  isOver = true;
  await Promise.all(writing);
  expect(written).toBeGreaterThan(5);
  expect(lost).toEqual([]);
  expect(await wrongVectors()).toEqual([]);
});
