import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listenForPostgresClients, type PostgresSocket } from "../../local/embedded/postgres-socket.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

let service: TestService;
let socket: PostgresSocket;
let key: string;
beforeAll(async () => {
  service = await openTestService();
  socket = await listenForPostgresClients(service.lock, 0, { password: "postgres" });
  ({ key } = await service.newKey());
});
afterAll(async () => {
  socket.close();
  await service.close();
});

/** Runs the command as an operator does. */
async function run(...words: string[]): Promise<{ status: number; output: string }> {
  const url = `postgresql://postgres:postgres@127.0.0.1:${socket.port}/postgres`;
  const args = ["local/deno.mjs", "cli/record.ts", ...words, "--database-url", url];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    return { status: 0, output: stdout.trim() };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { status: code, output: stderr.trim() };
  }
}

/** A whole record, with every field, as an importer makes it. */
const contract = (source_id: string, description: string) => ({
  source: "takedown",
  source_id,
  title: `Zeppelin ${source_id}`,
  description,
  status: "open",
  classification: "opportunity",
  deadline_date: "2099-05-01",
  created_at: "2026-11-01T00:00:00.000Z",
  primary_contact_email: `${source_id}@example.org`,
  details: { agency: ["Air Office"] },
  ...{ amount_min: null, amount_max: null, project_end_date: null, geography: null, states: [], is_national: true },
  ...{ listing_url: null, categories: [], identifiers: [], archived_at: null, document_url: null, naics: null },
  set_aside_code: null,
  funder_name: "Air Office",
});

async function importContracts(...records: object[]): Promise<void> {
  await service.connection.query("select funding.upsert_records('contracts', $1::jsonb)", [JSON.stringify(records)]);
}

async function idOf(source_id: string): Promise<string> {
  const [row] = await service.connection.query<{ id: string }>(
    "select id from funding.contracts where source = 'takedown' and source_id = $1",
    [source_id],
  );
  return row?.id ?? "";
}

async function titles(): Promise<string[]> {
  const response = await service.fetch("/contracts-api?search=zeppelin&sort_by=title&order=asc", {
    headers: bearer(key),
  });
  const { results } = (await response.json()) as { results: { title: string }[] };
  return results.map(({ title }) => title);
}

const get = (id: string) => service.fetch(`/contracts-api/${id}`, { headers: bearer(key) });

test("a deleted record is gone from lists, by its id, and from its former values", async () => {
  await importContracts(contract("one", "Hangars."), contract("two", "Masts."));
  await importContracts(contract("one", "Larger hangars."));
  expect(await titles()).toEqual(["Zeppelin one", "Zeppelin two"]);
  const id = await idOf("one");
  await service.connection.query("insert into funding.sightings (record_id, seen_at) values ($1, now())", [id]);
  expect((await run("show", id)).output).toContain("Zeppelin one");

  expect(await run("delete", id)).toEqual({
    status: 0,
    output: "deleted takedown one, 1 former values and 0 events",
  });
  expect(await titles()).toEqual(["Zeppelin two"]);
  expect((await get(id)).status).toBe(404);
  for (const table of ["record_changes", "sightings"]) {
    expect(await service.connection.query(`select from funding.${table} where record_id = $1`, [id])).toHaveLength(0);
  }
  expect(await run("delete", id)).toEqual({ status: 1, output: `There is no record with the id ${id}.` });
});

test("a hidden record stays hidden at the next import, until its publisher changes it", async () => {
  await importContracts(contract("three", "Ropes."));
  const id = await idOf("three");
  expect((await run("hide", id)).status).toBe(0);
  expect(await titles()).not.toContain("Zeppelin three");
  expect(await (await get(id)).json()).toMatchObject({
    title: "Removed",
    description: "",
    primary_contact_email: null,
  });

  await importContracts(contract("three", "Ropes."));
  expect(await titles()).not.toContain("Zeppelin three");
  await importContracts(contract("three", "Longer ropes."));
  expect(await titles()).toContain("Zeppelin three");
});

test("a funder that opportunities name is neither hidden nor deleted", async () => {
  await importContracts(contract("four", "Nets."));
  const [{ id } = { id: "" }] = await service.connection.query<{ id: string }>(
    "select funder_id as id from funding.contracts where source = 'takedown' and source_id = 'four'",
  );
  expect(await run("delete", id)).toEqual({
    status: 1,
    output: expect.stringMatching(/^\d+ grants and contracts name this funder: delete them first\.$/),
  });
  expect((await run("hide", id)).status).toBe(1);
});

test.each([[["remove", "x"]], [["delete"]], [["delete", "not-an-id"]]])("%s is called wrongly", async (words) => {
  expect((await run(...words)).status).toBe(2);
});
