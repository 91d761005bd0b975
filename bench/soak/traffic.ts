import { writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Connection } from "../../database/connection.ts";
import { bearer } from "../speed/http/api.ts";
import { findMode, type Mode } from "../speed/modes.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Limit of searches under way. Further searches that are due are left out and counted. */
const mostUnderWay = 64;
/** Requests that were sent before, requests that are new, and each kind of search. */
const modeNames = ["list", "new list", "new keyword list", "new semantic", "new hybrid"];

/** Requests of one period. */
export interface Requests {
  /** Milliseconds of the answers 200, by mode. */
  times: Map<string, number[]>;
  /** Answers other than 200, by status; 0 without an answer. */
  failures: Map<number, number>;
  /** Requests that were due while too many were under way. */
  leftOut: number;
}

/** Sends requests at a rate, whether or not those before were answered. */
export class Searches {
  #requests = emptyRequests();
  readonly #underWay = new Set<Promise<void>>();

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  /** Sends `perSecond` requests each second, the modes in turn, until the signal aborts. */
  async run(perSecond: number, signal: AbortSignal): Promise<void> {
    const modes = modeNames.map(findMode);
    await atRate(perSecond, signal, async (count) => {
      const mode = modes[count % modes.length];
      if (mode === undefined) return;
      if (this.#underWay.size >= mostUnderWay) this.#requests.leftOut += 1;
      else this.#send(mode, Math.floor(count / modes.length));
    });
    await Promise.all(this.#underWay);
  }

  /** Returns the requests that were answered since the last call. */
  take(): Requests {
    const taken = this.#requests;
    this.#requests = emptyRequests();
    return taken;
  }

  #send({ name, requestAt }: Mode, index: number): void {
    const started = performance.now();
    const sent = fetch(`${this.url}/grants-api${requestAt(index)}`, { headers: bearer(this.key) })
      .then(async (response) => {
        await response.arrayBuffer();
        return response.status;
      })
      .catch(() => 0)
      .then((status) => {
        const { times, failures } = this.#requests;
        if (status === 200) times.get(name)?.push(performance.now() - started);
        else failures.set(status, (failures.get(status) ?? 0) + 1);
        this.#underWay.delete(sent);
      });
    this.#underWay.add(sent);
  }
}

function emptyRequests(): Requests {
  return { times: new Map(modeNames.map((name) => [name, []])), failures: new Map(), leftOut: 0 };
}

/** Writes single records at a rate: eight of ten change a record, one adds one, one deletes one. */
export class Writes {
  #times: number[] = [];

  constructor(private readonly connection: Connection) {}

  async run(perSecond: number, signal: AbortSignal): Promise<void> {
    await atRate(perSecond, signal, async (count) => {
      const started = performance.now();
      await this.#write(count);
      this.#times.push(performance.now() - started);
    });
  }

  /** Returns the times of the writes since the last call, in milliseconds. */
  take(): number[] {
    const taken = this.#times;
    this.#times = [];
    return taken;
  }

  async #write(count: number): Promise<void> {
    // By a hash: records of all ages and lists.
    const picked = "(select id from funding.grants where id >= md5($1)::uuid order by id limit 1)";
    const seed = String(count);
    if (count % 10 === 0) {
      await this.connection.query(
        `insert into funding.grants (id, title, description, amount_min, amount_max, deadline_date, status, classification, geography, states,
           is_national, funder_id, listing_url, created_at, categories, source, source_id, content_hash)
         select gen_random_uuid(), title, description, amount_min, amount_max, deadline_date, status, classification, geography, states,
           is_national, funder_id, listing_url, now(), categories, source, gen_random_uuid()::text, content_hash
         from funding.grants where id = ${picked}`,
        [seed],
      );
    } else if (count % 10 === 5) {
      await this.connection.query(`delete from funding.grants where id = ${picked}`, [seed]);
    } else {
      await this.connection.query(
        `update funding.grants set title = regexp_replace(title, ' \\(amendment \\d+\\)$', '') || ' (amendment ' || $2 || ')',
           deadline_date = deadline_date + 1, updated_at = now()
         where id = ${picked}`,
        [seed, String(count % 30)],
      );
    }
  }
}

/** Calls `work` at a rate until the signal aborts. A call that takes longer delays the next ones; none is left out. */
async function atRate(
  perSecond: number,
  signal: AbortSignal,
  work: (count: number) => Promise<unknown>,
): Promise<void> {
  const started = performance.now();
  for (let count = 0; !signal.aborted; count++) {
    const waitMs = started + (count * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs, signal);
    if (!signal.aborted) await work(count);
  }
}

/** Resolves after a time, or when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal }).catch(() => undefined);
}

/** Records of the imported file, and how many of them each import changes, drops and adds. */
const imported = { records: 2_000, changed: 250, replaced: 25 };

/** Writes the file of an import as CSV: the list of a publisher, with some records changed since the last one, some gone and some new. */
export async function writeImportFile(path: string, run: number): Promise<void> {
  const first = run * imported.replaced;
  const lines = Array.from({ length: imported.records }, (_, index) => {
    const number = first + index;
    // A record changes in one of eight imports.
    const version = Math.floor((run + (number % 8)) / (imported.records / imported.changed));
    const month = String(1 + ((number + version) % 12)).padStart(2, "0");
    return [
      `soak-${number}`,
      `Clean water for ${places[number % places.length]} ${number} in round ${version % 12}`,
      `"${"Pipes, pumps and treatment plants for small towns, and training of their operators. ".repeat(1 + (number % 12))}"`,
      String(10_000 + (number % 500) * 1_000 + version),
      `2027-${month}-15`,
      places[number % places.length],
    ].join(",");
  });
  await writeFile(path, ["source_id,title,description,amount_max,deadline_date,states", ...lines, ""].join("\n"));
}

const places = ["Ohio", "Texas", "Maine", "Nevada", "Oregon", "Kansas", "Utah", "Iowa"];

/** Runs `npm run import` with the file. @returns its seconds. @throws when its exit status is not 0. */
export async function importFile(databaseUrl: string, path: string): Promise<number> {
  const started = performance.now();
  const words = ["csv", path, "--type", "grants", "--source", "soak", "--full", "--set", "funder_name=Water Office"];
  const flags = ["--quiet", "--allow-all", "--no-lock", "--no-remote", "--no-prompt"];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, "cli/import.ts", ...words, "--set", "status=open", "--database-url", databaseUrl],
    cwd: root,
  }).output();
  const decoder = new TextDecoder();
  if (code !== 0) throw new Error(`an import ended with ${code}: ${decoder.decode(stdout)}${decoder.decode(stderr)}`);
  return (performance.now() - started) / 1_000;
}
