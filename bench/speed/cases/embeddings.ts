import { setTimeout } from "node:timers/promises";
import { type Connection, closeAfter, queryValue } from "../../../database/connection.ts";
import { connectPostgres } from "../../../database/postgres.ts";
import { withoutStatementTimeout } from "../../../database/without-statement-timeout.ts";
import { hashKey } from "../../../shared/auth/key.ts";
import type { ClaimedEmbeddings } from "../../../shared/database/rpc.ts";
import { defaultSize, vectorText } from "../../../shared/embeddings/vector.ts";
import { round } from "../../statistics.ts";
import { costRatio } from "../compare.ts";
import { withCopy } from "../databases.ts";
import { callListRpc } from "../list-requests.ts";
import { findMode } from "../modes.ts";
import { makeSpeedRow, type Round, type SpeedRow, summarizeRounds, type Timing } from "../row.ts";
import type { ServerCase } from "../speed-case.ts";

const model = "openai/bench";
/** Records of a claim, as a dispatcher makes it, and how long the provider takes for them, in milliseconds. */
const batchSize = 100;
const providerMs = 200;

const measuredModes = ["new list", "new keyword list", "new keyword by relevance", "new hybrid"];

/**
 * Measures lists and searches while all records of the database wait for the vectors of a model to come: with a dispatcher that embeds them, and
 * while it rests, in turns. Then says how fast they all got them, how long the change to the model takes, and what searches by meaning cost with the
 * vectors of passages and without.
 *
 * Passages are shorter here than by default, so that records have about as many as Grants.gov's have: 2.3 vectors each.
 */
export const measureEmbeddings: ServerCase = ({ database, serverUrl, effort, report }) =>
  withCopy(serverUrl, database, async (copy, url) => {
    await copy.query(
      `update funding.settings set value = to_jsonb((select (avg(length(description)) * 0.7)::integer from funding.grants))
       where name = 'embedding_passage_characters'`,
    );
    await copy.query("select funding.begin_embedding_model($1)", [model]);
    await copy.query("update funding.settings set value = '1000000' where name = 'embedding_requests_per_minute'");
    await copy.query("update funding.settings set value = '1000000000000' where name = 'embedding_daily_tokens'");
    await copy.execute("vacuum analyze");
    const waiting = await queryValue<number>(copy, "select count(*)::float8 from funding.embedding_queue");
    return closeAfter(await connectPostgres(url), async (session) => {
      const dispatcher = new Dispatcher(session);
      const keyHash = await hashKey(database.keys.unlimited);
      const rows: SpeedRow[] = [];
      for (const name of measuredModes) {
        report(`embeddings: ${name}`);
        const { indexes, requestAt } = findMode(name);
        const rounds = { resting: [] as Round[], embedding: [] as Round[] };
        for (let number = 0; number <= effort.rounds; number++) {
          for (const side of ["resting", "embedding"] as const) {
            if (side === "embedding") dispatcher.start();
            else await dispatcher.rest();
            const taken = await timeRequests(indexes, (index) => callListRpc(copy, keyHash, requestAt(index)));
            // The first round is for warming up.
            if (number > 0) rounds[side].push(taken);
          }
        }
        const resting = summarizeRounds(rounds.resting);
        for (const side of ["resting", "embedding"] as const) {
          const timing = summarizeRounds(rounds[side]);
          rows.push(makeSpeedRow("embeddings", `${name}, ${side}`, database.rows, timing, costRatio(timing, resting)));
        }
      }
      report("embeddings: the rest of the records");
      dispatcher.start();
      await dispatcher.isDone;
      const { texts, seconds } = dispatcher;
      if (texts !== waiting) throw new Error(`${texts} of ${waiting} texts got a vector`);
      report("embeddings: the change of the model");
      const start = performance.now();
      const isAdopted = await withoutStatementTimeout(copy, (transaction) =>
        queryValue<boolean>(transaction, "select funding.adopt_next_model()"),
      );
      if (!isAdopted) throw new Error("search does not use the model");
      const changeSeconds = (performance.now() - start) / 1_000;
      report("embeddings: passages");
      const records = await queryValue<number>(
        copy,
        "select (select count(*) from funding.grants) + (select count(*) from funding.contracts) + (select count(*) from funding.funders)::float8",
      );
      const withPassages = await timeMeaning(copy, effort.rounds);
      const megabytes = await vectorMegabytes(copy);
      await leaveOutPassages(copy);
      const without = await timeMeaning(copy, effort.rounds);
      for (const [side, timing] of [
        ["without passages", without],
        ["with passages", withPassages],
      ] as const) {
        rows.push(makeSpeedRow("embeddings", `semantic, ${side}`, database.rows, timing, costRatio(timing, without)));
      }
      return {
        rows,
        tables: [
          {
            title: `texts of ${records} records embedded in batches of ${batchSize}, by a provider that takes ${providerMs} ms`,
            lines: [
              {
                texts,
                seconds: round(seconds, 0),
                texts_per_second: round(texts / seconds, 0),
                change_seconds: round(changeSeconds, 0),
                megabytes,
                megabytes_without_passages: await vectorMegabytes(copy),
              },
            ],
          },
        ],
      };
    });
  });

/** Embeds what waits, a claim at a time, with vectors that are made here. */
class Dispatcher {
  texts = 0;
  seconds = 0;
  /** Resolves when nothing waits any more. */
  readonly isDone: Promise<void>;
  #tellDone: () => void = () => undefined;
  #underWay: Promise<void> | undefined;
  #isResting = true;

  constructor(private readonly session: Connection) {
    this.isDone = new Promise((resolve) => {
      this.#tellDone = resolve;
    });
  }

  start(): void {
    if (!this.#isResting) return;
    this.#isResting = false;
    this.#underWay = this.#work();
  }

  async rest(): Promise<void> {
    this.#isResting = true;
    await this.#underWay;
  }

  async #work(): Promise<void> {
    while (!this.#isResting) {
      const start = performance.now();
      const claim = await queryValue<ClaimedEmbeddings>(
        this.session,
        "select public.claim_embeddings('{openai}', $1)",
        [batchSize],
      );
      if (!("claimed_until" in claim)) return this.#tellDone();
      await setTimeout(providerMs);
      const batch = claim.records.map(({ dataset, id, passage, text_hash }) => ({
        dataset,
        id,
        passage,
        text_hash,
        vector: vectorText(makeVector(`${id} ${passage}`)),
      }));
      const spent = {
        tokens: claim.tokens,
        requests: 1,
        reserved_tokens: claim.tokens,
        reserved_requests: claim.requests,
      };
      const finished = await queryValue<{ stored: number }>(
        this.session,
        "select public.finish_embeddings($1, $2, $3::jsonb, $4::jsonb)",
        [claim.model, claim.claimed_until, JSON.stringify(batch), JSON.stringify(spent)],
      );
      this.texts += finished.stored;
      this.seconds += (performance.now() - start) / 1_000;
    }
  }
}

/** A vector that depends on the seed alone. */
function makeVector(seed: string): number[] {
  let state = 2166136261;
  for (const letter of seed) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0;
  return Array.from({ length: defaultSize }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32 - 0.5;
  });
}

const vectorsTable = "(select funding.vectors_table('grants', fit.vectors) from funding.lexicon_fit as fit)";

/** Size of the grants' vectors that are searched, with their indexes. */
async function vectorMegabytes(copy: Connection): Promise<number> {
  const bytes = await queryValue<number>(
    copy,
    `select pg_total_relation_size(('funding.' || ${vectorsTable})::regclass)::float8`,
  );
  return round(bytes / 1_000_000, 0);
}

/** Removes the vectors of passages, and makes the table and its indexes as they are without. */
async function leaveOutPassages(copy: Connection): Promise<void> {
  const table = await queryValue<string>(copy, `select ${vectorsTable}`);
  await withoutStatementTimeout(copy, async (transaction) => {
    await transaction.query("select funding.drop_vector_indexes()");
    await transaction.execute(`delete from funding.${table} where passage > 0`);
  });
  await copy.execute(`vacuum full analyze funding.${table}`);
  await withoutStatementTimeout(copy, (transaction) => transaction.query("select funding.refresh_vector_indexes()"));
}

/** Times searches of grants by meaning alone, whose query is a vector. */
async function timeMeaning(copy: Connection, rounds: number): Promise<Timing> {
  const indexes = Array.from({ length: 60 }, (_, index) => index);
  const measured: Round[] = [];
  for (let number = 0; number <= rounds; number++) {
    const taken = await timeRequests(indexes, (index) =>
      copy.query(
        "select * from funding.ranked('grants', '{\"search\": \"water\"}', 'semantic', $1::extensions.halfvec, 20)",
        [vectorText(makeVector(`query ${number} ${index}`))],
      ),
    );
    if (number > 0) measured.push(taken);
  }
  return summarizeRounds(measured);
}

async function timeRequests(indexes: readonly number[], run: (index: number) => Promise<unknown>): Promise<Round> {
  const times: number[] = [];
  for (const index of indexes) {
    const start = performance.now();
    await run(index);
    times.push(performance.now() - start);
  }
  return { times, elapsedMs: times.reduce((sum, time) => sum + time, 0) };
}
