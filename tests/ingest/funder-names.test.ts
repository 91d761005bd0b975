import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { loadBatch } from "../../ingest/load.ts";
import type { FunderRecord, GrantRecord } from "../../ingest/record.ts";
import { runs } from "../support/properties.ts";
import { openEmptyDatabase } from "../support/service.ts";
import { FunderModel, type Mention, type ModelFunder } from "./funder-model.ts";

let connection: Connection;
beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
});
afterAll(() => connection.close());

const empty = () =>
  connection.execute(
    "truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes, funding.record_changes",
  );

const grantOf = ({ source, code, name }: Mention, id: string): GrantRecord => ({
  source,
  source_id: id,
  title: `Grant ${id}`,
  description: "",
  amount_min: null,
  amount_max: null,
  deadline_date: null,
  project_end_date: null,
  status: "open",
  classification: "opportunity",
  states: [],
  is_national: false,
  geography: null,
  funder_name: name ?? "",
  funder_source_id: code,
  listing_url: null,
  created_at: null,
  archived_at: null,
  categories: [],
  identifiers: [],
  details: {},
});

const funderOf = (source: string, code: string, name: string): FunderRecord => ({
  source,
  source_id: code,
  name,
  summary: null,
  website: null,
  created_at: null,
});

/** The real database beside the model: which stored funder is which of the model's. */
class World {
  readonly model = new FunderModel();
  readonly #ids = new Map<ModelFunder, string>();

  async mention(mentions: readonly Mention[], ids: readonly string[]): Promise<void> {
    const grants = mentions.map((mention, index) => grantOf(mention, ids[index] ?? ""));
    const result = await loadBatch(connection, "grants", grants);
    expect(result.refused).toEqual([]);
    const expected = this.model.mention(mentions);
    for (const [index, { source, source_id }] of grants.entries()) {
      const [stored] = await connection.query<{ funder_id: string }>(
        "select funder_id from funding.grants where source = $1 and source_id = $2",
        [source, source_id],
      );
      const funder = expected[index];
      if (funder === undefined || stored === undefined) throw new Error("a grant is missing");
      const known = this.#ids.get(funder);
      if (known === undefined) this.#ids.set(funder, stored.funder_id);
      expect({ ...mentions[index], id: stored.funder_id }).toEqual({
        ...mentions[index],
        id: known ?? stored.funder_id,
      });
    }
    expect(await loadBatch(connection, "grants", grants)).toMatchObject({ unchanged: grants.length });
  }

  async list(source: string, entries: readonly { code: string; name: string }[]): Promise<void> {
    const records = entries.map(({ code, name }) => funderOf(source, code, name));
    expect((await loadBatch(connection, "funders", records)).refused).toEqual([]);
    this.model.list(source, entries);
    expect(await loadBatch(connection, "funders", records)).toMatchObject({ unchanged: records.length });
  }

  async rename(index: number, name: string): Promise<void> {
    const funder = this.model.funders[index % Math.max(1, this.model.funders.length)];
    if (funder === undefined) return;
    this.model.rename(funder, name);
    await connection.query("update funding.funders set name = $3 where source = $1 and source_id = $2", [
      funder.source,
      funder.code,
      name,
    ]);
  }

  /** Removes a funder that no grant has. */
  async remove(index: number): Promise<void> {
    const funder = this.model.funders[index % Math.max(1, this.model.funders.length)];
    if (funder === undefined) return;
    const gone = await connection.query(
      `delete from funding.funders where source = $1 and source_id = $2
         and not exists (select from funding.grants where funder_id = funders.id) returning id`,
      [funder.source, funder.code],
    );
    if (gone.length > 0) this.model.remove(funder);
  }

  /** As many funders as the model has, each once, under its name. */
  async check(): Promise<void> {
    const stored = await connection.query<{ source: string; code: string; name: string }>(
      "select source, source_id as code, name from funding.funders",
    );
    const sorted = (funders: readonly { source: string; code: string; name: string }[]) =>
      funders.map(({ source, code, name }) => `${source} ${code} ${name}`).sort();
    expect(sorted(stored)).toEqual(sorted(this.model.funders));
    for (const funder of this.model.funders) {
      const [row] = await connection.query<{ id: string }>(
        "select id from funding.funders where source = $1 and source_id = $2",
        [funder.source, funder.code],
      );
      expect(row?.id).toBe(this.#ids.get(funder) ?? row?.id);
      if (row !== undefined) this.#ids.set(funder, row.id);
    }
  }
}

const name = fc.constantFrom("Alpha", "ALPHA", "Beta", "beta", "Gamma");
const grant = fc.record({
  source: fc.constantFrom("grants-a", "grants-b"),
  code: fc.constantFrom(null, null, "X", "Y"),
  name,
  id: fc.constantFrom("1", "2", "3", "4"),
});
const entry = { source: fc.constantFrom("directory-d", "directory-e"), code: fc.constantFrom("1", "2") };
type Step = (world: World) => Promise<void>;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .uniqueArray(grant, { minLength: 1, maxLength: 3, selector: ({ source, id }) => `${source} ${id}` })
      .map((mentions) =>
        Object.assign(
          (world: World) =>
            world.mention(
              mentions,
              mentions.map(({ id }) => id),
            ),
          {
            toString: () => `mention ${JSON.stringify(mentions)}`,
          },
        ),
      ),
  },
  {
    weight: 3,
    arbitrary: fc.record({ ...entry, name }).map(({ source, ...listed }) =>
      Object.assign((world: World) => world.list(source, [listed]), {
        toString: () => `list ${source} ${JSON.stringify(listed)}`,
      }),
    ),
  },
  {
    // Two that change places, where they are listed: in one batch.
    weight: 1,
    arbitrary: entry.source.map((source) =>
      Object.assign(
        async (world: World) => {
          const listed = world.model.funders.filter((funder) => funder.source === source);
          const [one, other] = listed;
          if (one === undefined || other === undefined) return;
          await world.list(source, [
            { code: one.code, name: other.name },
            { code: other.code, name: one.name },
          ]);
        },
        { toString: () => `swap ${source}` },
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(5), name)
      .map(([index, to]) =>
        Object.assign((world: World) => world.rename(index, to), { toString: () => `rename ${index} to ${to}` }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .nat(5)
      .map((index) => Object.assign((world: World) => world.remove(index), { toString: () => `remove ${index}` })),
  },
);

test("whatever is imported and renamed in whatever order, every grant has the funder that it means, and none is there twice", async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const world = new World();
        for (const act of steps) {
          await act(world);
          await world.check();
        }
      })
      .beforeEach(empty),
    { numRuns: runs(80) },
  );
});
