import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { Random } from "../../../local/demo/random.ts";
import { contract } from "../../faults/writer.ts";
import type { Disk } from "../disk.ts";
import { sleep, within } from "../time.ts";
import type { Catalogue } from "./catalogue.ts";
import { answerMs, type Client } from "./client.ts";

/** The publisher of all that the harness writes. */
export const source = "hostile";
/** From so many records of a writer on, those that there are get new versions. */
const mostRecords = 1_000;
/** An import must have ended by then. */
const importMs = 120_000;
/** Errors with which a statement may be refused as a request is with 503. It has written nothing. */
const refusals = /^(53\d\d\d|55P03|57014|57P0\d)$/;

/** A record whose title tells its version. Its deadline is far away, so that no clock changes it. */
export function recordOf(name: string, version: number) {
  return { ...contract(name), source, title: `Repair of lock number ${name}, version ${version}` };
}

/**
 * Writes records: as the operator's import command does, and over the Postgres port. Nobody else writes a writer's records, so that their versions are
 * stored in order.
 */
export class RecordWriter {
  readonly #names: string[] = [];
  #client: pg.Client | undefined;

  constructor(
    private readonly http: Client,
    private readonly catalogue: Catalogue,
    private readonly random: Random,
    /** For files to import. */
    private readonly folder: string,
    private readonly disk: Disk | undefined,
  ) {}

  /** Writes one batch in one statement. @returns whether it was acknowledged. */
  async write(): Promise<boolean> {
    const { server, report } = this.http;
    const started = performance.now();
    const versions = this.#nextVersions(this.random.integer(1, 4));
    try {
      const records = versions.map(([name, version]) => recordOf(name, version));
      const text = "select funding.upsert_records('contracts', $1::jsonb)";
      const client = await this.#session();
      const result = await within(answerMs, client.query(text, [JSON.stringify(records)]));
      report.answer("record, written", performance.now() - started);
      if (result === undefined) {
        report.violation(`a statement had no answer in ${answerMs / 1000} s`);
        throw new Error("no answer");
      }
    } catch (error) {
      const ended = performance.now();
      void this.#client?.end().catch(() => undefined);
      this.#client = undefined;
      const { code = "", message } = error as { code?: string; message: string };
      if (refusals.test(code)) report.count("record, written", `refused (${code})`);
      else if (message !== "no answer") {
        await sleep(3_000);
        if (server.wasDown(started, ended)) report.count("record, written", "server down");
        else report.violation(`writing a record failed, and the server was up: ${code} ${message}`);
      }
      return false;
    }
    for (const [name, version] of versions) this.catalogue.acknowledge(name, version);
    report.count("record, written", "acknowledged", versions.length);
    return true;
  }

  /** Imports a file, by the command. @returns whether all of it was acknowledged. */
  async import(): Promise<boolean> {
    const { server, report } = this.http;
    const { database_url } = await server.ready();
    const started = performance.now();
    const versions = this.#nextVersions(this.random.integer(5, 40));
    const file = join(this.folder, "contracts.csv");
    const names = Object.keys(recordOf("", 0)).filter((name) => !["identifiers", "archived_at"].includes(name));
    const rows = versions.map(([name, version]) => {
      const record: Record<string, unknown> = recordOf(name, version);
      return names.map((column) => `"${[record[column] ?? ""].flat().join(";")}"`).join(",");
    });
    await writeFile(file, `${names.join(",")}\n${rows.join("\n")}\n`);
    const { status, output } = await runImport([
      ...["csv", file, "--type", "contracts", "--source", source, "--partial", "--no-fit", "--places", "exact"],
      ...["--rejects", join(this.folder, "rejects"), "--notes", join(this.folder, "notes")],
      ...["--database-url", database_url],
    ]);
    const ended = performance.now();
    report.wait("record, imported", ended - started);
    if (status === 0) {
      for (const [name, version] of versions) this.catalogue.acknowledge(name, version);
      report.count("record, imported", "acknowledged", versions.length);
      return true;
    }
    await sleep(3_000);
    if (server.wasDown(started, ended)) report.count("record, imported", "server down");
    else if (status === 1 && this.disk?.wasFilledWithin(ended - started + 5_000)) {
      report.count("record, imported", "refused (disk full)");
    } else report.violation(`an import failed, and the server was up: status ${status}, ${output.slice(-400)}`);
    return false;
  }

  async close(): Promise<void> {
    await within(5_000, this.#client?.end().catch(() => undefined) ?? Promise.resolve());
  }

  /** Names of new records, or of those that there are, each once, with the version to write. */
  #nextVersions(count: number): [name: string, version: number][] {
    const names = this.#names;
    const isNew = names.length < 50 || (names.length < mostRecords && this.random.chance(0.6));
    if (!isNew) return this.random.sample(names, count).map((name) => [name, this.catalogue.attempt(name)]);
    const chosen = Array.from(
      { length: count },
      () => `r${this.random.integer(10_000_000, 99_999_999)}n${names.length}`,
    );
    names.push(...chosen);
    return chosen.map((name) => [name, this.catalogue.attempt(name)]);
  }

  async #session(): Promise<pg.Client> {
    const { database_url } = await this.http.server.ready();
    if (this.#client !== undefined) return this.#client;
    const client = new pg.Client({ connectionString: database_url, connectionTimeoutMillis: answerMs });
    client.on("error", () => undefined);
    this.#client = client;
    await client.connect();
    return client;
  }
}

function runImport(words: string[]): Promise<{ status: number; output: string }> {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const options = { cwd: root, timeout: importMs };
  return new Promise((resolve) => {
    execFile("node", ["local/deno.mjs", "cli/import.ts", ...words], options, (error, stdout, stderr) => {
      const status = error === null ? 0 : Number(error.code ?? -1);
      resolve({ status, output: stdout + stderr });
    });
  });
}
