import type { Random } from "../../../local/demo/random.ts";
import { sleep } from "../time.ts";
import type { Catalogue, Seen } from "./catalogue.ts";
import type { Answer, Client } from "./client.ts";
import { source } from "./records.ts";

/** Times that a page is asked for until the whole reading is given up. */
const mostTries = 60;

interface Page {
  results: { id: string; title: string }[];
  pagination: { total: number; next: string | null };
}

/**
 * Pages through all records that the harness wrote, and looks single ones up. Each acknowledged record must be there, once, in its last version, and
 * none that was never written; totals must be between what was acknowledged before and what was attempted since.
 */
export class Lister {
  #violations = 0;

  constructor(
    private readonly client: Client,
    private readonly catalogue: Catalogue,
    private readonly random: Random,
    private readonly key: string,
  ) {}

  /** Reads the whole list, page by page. @returns whether all pages came, and all was right. */
  async list(): Promise<boolean> {
    const order = this.random.pick(["created_at", "amount_min", "deadline_date"]);
    const limit = this.random.integer(20, 100);
    const required = this.catalogue.required();
    const before = this.#violations;
    const ids = new Map<string, string>();
    let cursor = "";
    do {
      const path = `${list}&sort_by=${order}&limit=${limit}${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
      const answer = await this.#persist("own list", path);
      if (answer === undefined) return false;
      const { answer: body, least } = answer;
      const page = JSON.parse(body.body) as Page;
      this.#judgeTotal(page.pagination.total, least, path);
      this.#judgeRecords(page.results.map(seenIn), required, path);
      for (const { id, title } of page.results) {
        const { name } = seenIn({ title });
        if (ids.has(name)) this.#violation(`own list: ${name} (${id}) is in it twice`, path);
        ids.set(name, id);
      }
      this.client.report.count("own list", "right");
      cursor = page.pagination.next ?? "";
    } while (cursor !== "");
    const missing = [...required.keys()].filter((name) => !ids.has(name));
    if (missing.length > 0) {
      const names = missing.slice(0, 10).join(", ");
      this.#violation(`own list: ${missing.length} acknowledged records are missing: ${names}`, list);
    }
    this.client.report.count("own list, all pages", "read");
    const some = this.random.sample([...ids.keys()], 3);
    for (const name of some) await this.#lookUp(name, ids.get(name) ?? "");
    return this.#violations === before;
  }

  /** One record by its id, and by a search for its words. */
  async #lookUp(name: string, id: string): Promise<void> {
    let required = this.catalogue.required();
    const single = await this.#get("own record", `/functions/v1/contracts-api/${id}`);
    if (single?.status === 200) {
      this.#judgeRecords([seenIn(JSON.parse(single.body))], required, id);
      this.client.report.count("own record", "right");
    } else if (single !== undefined) this.#violation(`own record: ${single.status} of ${name}`, id);

    required = this.catalogue.required();
    const path = `${list}&search=${name}&limit=5`;
    const search = await this.#get("own search", path);
    if (search === undefined) return;
    const { results } = JSON.parse(search.body) as Page;
    this.#judgeRecords((results ?? []).map(seenIn), required, path);
    if (results?.length !== 1) {
      this.#violation(`own search: ${results?.length ?? search.body} records in place of one`, path);
    } else this.client.report.count("own search", "right");
  }

  async #persist(kind: string, path: string): Promise<{ answer: Answer; least: number } | undefined> {
    for (let attempt = 0; attempt < mostTries; attempt++) {
      await this.client.server.ready();
      const least = this.catalogue.acknowledged.length;
      const answer = await this.#get(kind, path);
      if (answer?.status === 200) return { answer, least };
      if (answer !== undefined) {
        this.#violation(`${kind}: ${answer.status} ${answer.body.slice(0, 300)}`, path);
        return undefined;
      }
      await sleep(1_000);
    }
    this.#violation(`${kind}: no answer but 503 in ${mostTries} attempts`, path);
    return undefined;
  }

  #get(kind: string, path: string): Promise<Answer | undefined> {
    return this.client.ask({ kind, path, init: { headers: { authorization: `Bearer ${this.key}` } } });
  }

  #judgeTotal(total: number, least: number, path: string): void {
    const most = this.catalogue.names.length;
    if (total >= least && total <= most) return;
    this.#violation(`own list: a total of ${total}, where ${least} to ${most} are right`, path);
  }

  #judgeRecords(seen: readonly Seen[], required: ReadonlyMap<string, number>, path: string): void {
    for (const fault of this.catalogue.faultsOf(seen, required)) {
      this.#violation(`own record: ${fault}`, path);
    }
  }

  #violation(text: string, request?: string): void {
    this.#violations += 1;
    this.client.report.violation(text, request);
  }
}

const list = `/functions/v1/contracts-api?source=${source}`;

/** Reads a record's title. */
export function seenIn({ title }: { title: string }): Seen {
  const [, name = title, version = "0"] = /^Repair of lock number (\S+), version (\d+)$/.exec(title) ?? [];
  return { name, version: Number(version) };
}
