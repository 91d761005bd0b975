import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteTestGrants, insertGrant, type TestGrant } from "./records.ts";
import { openService, openSession, type Service } from "./service.ts";

/** A record as the writer knows it to be. */
interface Known extends Required<TestGrant> {
  isArchived: boolean;
}

/** A query string, and which of a writer's records it should count. */
interface Question {
  query: string;
  counts: (record: Known) => boolean;
}

const listed = (record: Known) => !record.isArchived;
const questions: Question[] = [
  { query: "opportunity_type=open", counts: listed },
  { query: "include_archived=true", counts: () => true },
  { query: "status=closed", counts: (record) => listed(record) && record.status === "closed" },
  { query: "search=glockenspiel", counts: (record) => listed(record) && record.title.startsWith("Glockenspiel") },
];

/**
 * Somebody who changes records of one category and, after each change, asks for its totals. Changes are made
 * in one session and totals asked for in another.
 */
class Writer {
  readonly records: Known[] = [];
  readonly wrong: string[] = [];
  changes = 0;

  private constructor(
    readonly category: string,
    readonly session: pg.Client,
    readonly service: Service,
  ) {}

  static async open(category: string): Promise<Writer> {
    return new Writer(category, await openSession(), await openService());
  }

  async close(): Promise<void> {
    await this.session.end();
    await this.service.close();
  }

  /** Makes one change, of each kind in turn. */
  async change(): Promise<void> {
    const step = this.changes++;
    const record = this.records[(step * 7) % Math.max(1, this.records.length)];
    const kind = ["insert", "insert", "close", "archive", "retitle", "insert", "unarchive", "reopen", "delete"][
      step % 9
    ];
    if (kind === "insert" || record === undefined) return this.insert();
    const set = (assignment: string) =>
      this.session.query(`update funding.grants set ${assignment} where id = $1`, [record.id]);
    switch (kind) {
      case "close":
        record.status = "closed";
        await set("status = 'closed'");
        break;
      case "reopen":
        record.status = "open";
        await set("status = 'open'");
        break;
      case "archive":
        record.isArchived = true;
        await set("archived_at = now()");
        break;
      case "unarchive":
        record.isArchived = false;
        await set("archived_at = null");
        break;
      case "retitle":
        record.title = record.title.startsWith("Glockenspiel") ? "Piano" : "Glockenspiel";
        await set(`title = '${record.title}'`);
        break;
      default:
        this.records.splice(this.records.indexOf(record), 1);
        await this.session.query("delete from funding.grants where id = $1", [record.id]);
    }
  }

  private async insert(): Promise<void> {
    const record: Known = {
      id: crypto.randomUUID(),
      title: this.records.length % 2 === 0 ? "Glockenspiel" : "Piano",
      description: "",
      status: "open",
      category: this.category,
      isArchived: false,
    };
    this.records.push(record);
    await insertGrant(this.session, record);
  }

  /** Asks for every total, twice, since the second may come from memory, and notes which were not right. */
  async check(): Promise<void> {
    for (const { query, counts } of [...questions, ...questions]) {
      const path = `/grants-api?category=${this.category}&limit=100&${query}`;
      const { pagination, results } = await this.service.get<{
        pagination: { total: number };
        results: { id: string }[];
      }>(path);
      const { total } = await this.service.get<{ total: number }>(`${path}&count_only=true`);
      const expected = this.records.filter(counts).map(({ id }) => id);
      const given = results.map(({ id }) => id);
      if (pagination.total !== expected.length || total !== expected.length) {
        this.wrong.push(
          `${query} after ${this.changes} changes: ${pagination.total} and ${total}, not ${expected.length}`,
        );
      }
      if (given.sort().join() !== expected.sort().join()) this.wrong.push(`${query}: other records`);
    }
  }
}

let writers: Writer[];
beforeAll(async () => {
  writers = await Promise.all(["one", "two", "three", "four"].map((name) => Writer.open(`totals-${name}`)));
});
afterAll(async () => {
  if (writers[0] !== undefined) await deleteTestGrants(writers[0].session);
  await Promise.all(writers.map((writer) => writer.close()));
});

test("after every change of a record, totals and lists are exact at once, whoever else is writing", async () => {
  await Promise.all(
    writers.map(async (writer) => {
      for (let round = 0; round < 27; round++) {
        await writer.change();
        await writer.check();
      }
    }),
  );
  expect(writers.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(writers.every(({ records }) => records.length > 3)).toBe(true);
});

test("the total of everything counts each record from the moment that its insert is done", async () => {
  const [first] = writers;
  if (first === undefined) throw new Error("no writers");
  const path = "/grants-api?opportunity_type=all&include_archived=true&count_only=true";
  const before = (await first.service.get<{ total: number }>(path)).total;
  let started = 0;
  let done = 0;
  const wrong: string[] = [];
  await Promise.all(
    writers.map(async (writer) => {
      for (let round = 0; round < 25; round++) {
        started += 1;
        await insertGrant(writer.session, { id: crypto.randomUUID(), title: "Piano" });
        done += 1;
        const least = before + done;
        const { total } = await writer.service.get<{ total: number }>(path);
        if (total < least || total > before + started)
          wrong.push(`${total} is not from ${least} to ${before + started}`);
      }
    }),
  );
  expect(wrong).toEqual([]);
  expect((await first.service.get<{ total: number }>(path)).total).toBe(before + 100);
});

test("a change that is rolled back leaves totals as they were", async () => {
  const [first] = writers;
  if (first === undefined) throw new Error("no writers");
  const path = "/grants-api?search=glockenspiel&count_only=true";
  const before = await first.service.get(path);
  await first.session.query("begin");
  await insertGrant(first.session, { id: crypto.randomUUID(), title: "Glockenspiel" });
  expect(await first.service.get(path)).toEqual(before);
  await first.session.query("rollback");
  expect(await first.service.get(path)).toEqual(before);
});
