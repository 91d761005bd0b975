import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { keepLatest, readSettledMark, writeSnapshot } from "../../cli/snapshot/write-snapshot.ts";
import { readSnapshots } from "../../local/embedded/snapshot-folder.ts";
import { createFundingClient, type FundingClient } from "../../packages/client/src/client.ts";
import type { Snapshot } from "../../shared/responses/snapshots.ts";
import { openTestService, type TestService, testBaseUrl } from "../support/service.ts";
import { setWallClock } from "../support/wall-clock.ts";

let service: TestService;
let client: FundingClient;
let folder: string;
beforeAll(async () => {
  service = await openTestService();
  const { key } = await service.newKey();
  client = createFundingClient({
    baseUrl: testBaseUrl,
    apiKey: key,
    fetch: (input, init) => service.send(new Request(input, init)),
  });
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-snapshots-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Text of a file of a snapshot, after its digest and size were checked. */
async function readText({ id, datasets }: Snapshot, name: string): Promise<string> {
  const about = Object.values(datasets)
    .flatMap(({ files }) => files)
    .find((file) => file.name === name);
  const bytes = await readFile(join(folder, id, name));
  expect([about?.bytes, about?.sha256]).toEqual([bytes.length, createHash("sha256").update(bytes).digest("hex")]);
  const text = gunzipSync(bytes).toString();
  if (name.endsWith(".jsonl.gz")) expect(text.split("\n").length - 1).toBe(about?.records);
  return text;
}

async function readLines(
  manifest: Snapshot,
  name: string,
): Promise<{ id: string; title?: string; archived_at?: string }[]> {
  const text = await readText(manifest, name);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

async function listed(dataset: "grants" | "contracts" | "funders"): Promise<object[]> {
  const records: { id: string }[] = [];
  const query = dataset === "funders" ? {} : { opportunity_type: "all" as const, include_versions: true };
  for await (const record of client[dataset].iterate({ ...query, expand: ["details"] })) records.push(record);
  return records.sort((one, other) => (one.id < other.id ? -1 : 1));
}

const load = (records: object[]) =>
  service.connection.query("select funding.upsert_records('grants', $1::jsonb)", [JSON.stringify(records)]);
const grant = (source_id: string, title = `Snapshot ${source_id}`) => ({
  source: "snapshot",
  source_id,
  title,
  status: "open",
  funder_name: "Snapshot Office",
});

test("has every current record with its details, every version too, as the API shows it, and the same in CSV", async () => {
  const details = { opportunity_number: "SNAPSHOT-26-001" };
  await load(["one", "two"].map((name) => ({ ...grant(name, "Two versions of it"), details })));
  const manifest = await writeSnapshot(service.connection, folder);
  for (const dataset of ["grants", "contracts", "funders"] as const) {
    const records = await readLines(manifest, `${dataset}.jsonl.gz`);
    expect(records).toEqual(await listed(dataset));
    const csv = await readText(manifest, `${dataset}.csv.gz`);
    expect(csv.slice(0, 3)).toBe("id,");
    expect([...csv.matchAll(/^[0-9a-f]{8}-[0-9a-f-]{27},/gm)].map(([id]) => id.slice(0, -1))).toEqual(
      records.map(({ id }) => id),
    );
    expect(manifest.datasets[dataset].records).toBe(records.length);
  }
  expect(await readSnapshots(folder)).toEqual([manifest]);
  expect((await readdir(join(folder, manifest.id))).sort()).toEqual(
    ["contracts", "funders", "grants"]
      .flatMap((name) => [`${name}.csv.gz`, `${name}.jsonl.gz`])
      .concat("manifest.json"),
  );
});

test("has what changed since the last one, archived records by their ids", async () => {
  await load([grant("a"), grant("b"), grant("c")]);
  const first = await writeSnapshot(service.connection, folder);
  await load([grant("a"), grant("b", "Other"), grant("d")]);
  await service.connection.query("select funding.archive_records('grants', 'snapshot', '{c}')", []);
  const second = await writeSnapshot(service.connection, folder);
  expect([first.previous, second.previous]).toEqual([null, first.id]);
  const changes = await readLines(second, "grants.changes.jsonl.gz");
  expect(changes.map((record) => ("title" in record ? record.title : typeof record.archived_at)).sort()).toEqual([
    "Other",
    "Snapshot d",
    "string",
  ]);
  // The first with the changes is the second.
  const copy = new Map((await readLines(first, "grants.jsonl.gz")).map((record) => [record.id, record]));
  for (const record of changes) {
    if (record.archived_at === undefined) copy.set(record.id, record);
    else copy.delete(record.id);
  }
  const sorted = [...copy.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  expect(sorted).toEqual(await readLines(second, "grants.jsonl.gz"));
  const third = await writeSnapshot(service.connection, folder);
  expect(await readLines(third, "grants.changes.jsonl.gz")).toEqual([]);
});

test("one of a copy has what changed since that was made in the changes of the next", async () => {
  const settledUntil = await readSettledMark(service.connection);
  // As if it had been written beside the copy.
  await load([grant("beside", `Snapshot ${crypto.randomUUID()}`)]);
  await writeSnapshot(service.connection, folder, { settledUntil });
  const changes = await readLines(await writeSnapshot(service.connection, folder), "grants.changes.jsonl.gz");
  expect(changes).toHaveLength(1);
});

test("changes and order go on where the clock was ahead and is set back", async () => {
  await setWallClock(service.connection, "clock_timestamp() + interval '1 hour'");
  let first: Snapshot;
  try {
    await load([grant("clock", "Ahead")]);
    first = await writeSnapshot(service.connection, folder);
  } finally {
    await setWallClock(service.connection, "clock_timestamp()");
  }
  await load([grant("clock", "Set back")]);
  const second = await writeSnapshot(service.connection, folder);
  expect(second.previous).toBe(first.id);
  expect((await readLines(second, "grants.changes.jsonl.gz")).map((record) => record.title)).toEqual(["Set back"]);
  expect(await keepLatest(folder, 1)).toEqual([first.id]);
});

test("one that fails leaves nothing, and what a killed one left is removed after an hour", async () => {
  // A day that Postgres has and cannot write: a record of the second dataset that fails to be rendered.
  const [broken] = await service.connection.query<{ id: string; deadline_date: string }>(
    `update funding.contracts as contract set deadline_date = '5000000-01-01' from funding.contracts as before
     where contract.id = before.id and contract.id = (select id from funding.contracts where deadline_date is not null limit 1)
     returning contract.id, before.deadline_date::text`,
  );
  try {
    await expect(writeSnapshot(service.connection, folder)).rejects.toThrow("out of range");
  } finally {
    await service.connection.query("update funding.contracts set deadline_date = $2::date where id = $1", [
      broken?.id,
      broken?.deadline_date,
    ]);
  }
  expect(await readdir(folder)).toEqual([]);
  const left = `2026-01-02T03-04-05.678Z.${crypto.randomUUID()}.unfinished`;
  const recent = `2026-01-02T03-04-05.679Z.${crypto.randomUUID()}.unfinished`;
  for (const [name, age] of [
    [left, 7_200],
    [recent, 60],
    ["symphony.unfinished", 7_200],
  ] as const) {
    await mkdir(join(folder, name));
    await utimes(join(folder, name), Date.now() / 1000 - age, Date.now() / 1000 - age);
  }
  const manifest = await writeSnapshot(service.connection, folder);
  expect((await readdir(folder)).sort()).toEqual([recent, manifest.id, "symphony.unfinished"].sort());
});

test("other folders, and manifests that are none, are no snapshots; the latest are kept", async () => {
  for (const [name, text] of [
    ["notes", undefined],
    ["broken", "{"],
    ["copied", '{"id": "another"}'],
    ["0000", '{"id": "0000", "created_at": "", "settled_until": "soon", "previous": null, "datasets": {}}'],
  ] as const) {
    await mkdir(join(folder, name));
    if (text !== undefined) await writeFile(join(folder, name, "manifest.json"), text);
  }
  const ids: string[] = [];
  for (let turn = 0; turn < 3; turn++) ids.push((await writeSnapshot(service.connection, folder)).id);
  expect(await keepLatest(folder, 2)).toEqual(ids.slice(0, 1));
  expect((await readSnapshots(folder)).map(({ id }) => id)).toEqual(ids.slice(1));
  expect((await readdir(folder)).filter((name) => !ids.includes(name)).sort()).toEqual([
    "0000",
    "broken",
    "copied",
    "notes",
  ]);
});
