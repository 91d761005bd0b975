import type { Random } from "../../../local/demo/random.ts";
import type { Answer, Client } from "./client.ts";
import type { Session } from "./session.ts";

/** Things of a kind that are there at a time; of more, the oldest is removed. */
const mostKept = 8;

/** A kind of things that an account has. */
interface Kind {
  name: string;
  path: string;
  /** Member of the list's answer. */
  member: string;
  body(name: string): object;
  nameOf(item: Item): string;
  /** Whether an item of the list is in force. */
  isThere(item: Item): boolean;
  remove(id: string): [method: string, path: string];
}

interface Item {
  id: string;
  name?: string;
  description?: string;
  status?: string;
}

/** A thing that was made, and must be there until it is removed. */
interface Made {
  id: string;
  name: string;
  key: string | undefined;
}

/** Names of the harness's things. */
const prefix = "hostile ";

const kinds: Kind[] = [
  {
    name: "key",
    path: "/keys",
    member: "keys",
    body: (name) => ({ name }),
    nameOf: ({ name }) => name ?? "",
    isThere: ({ status }) => status === "active",
    remove: (id) => ["POST", `/keys/${id}/revoke`],
  },
  {
    name: "webhook",
    path: "/webhooks",
    member: "webhooks",
    // Nobody adds grants, so nothing is sent.
    body: (description) => ({ url: "http://127.0.0.1:9/", description, events: ["grant.created"] }),
    nameOf: ({ description }) => description ?? "",
    isThere: () => true,
    remove: (id) => ["DELETE", `/webhooks/${id}`],
  },
  {
    name: "saved search",
    path: "/saved-searches",
    member: "saved_searches",
    body: (name) => ({ name, dataset: "grants", query: "search=water&states=OH" }),
    nameOf: ({ name }) => name ?? "",
    isThere: () => true,
    remove: (id) => ["DELETE", `/saved-searches/${id}`],
  },
];

/**
 * Makes and removes keys, webhooks and saved searches. A request whose answer is lost is sent again with its Idempotency-Key, until it is answered. So
 * it is known exactly what there must be: each thing once.
 */
export class Account {
  /** Ids of all that was ever made. */
  readonly made: string[] = [];
  readonly #things = new Map<Kind, Made[]>(kinds.map((kind) => [kind, []]));
  readonly #run = crypto.randomUUID().slice(0, 8);
  #number = 0;
  #violations = 0;

  constructor(
    private readonly client: Client,
    private readonly session: Session,
    private readonly random: Random,
  ) {}

  /** Makes and removes something, and compares all lists. @returns whether all was right. */
  async change(): Promise<boolean> {
    const before = this.#violations;
    const kind = this.random.pick(kinds);
    await this.#create(kind);
    const things = this.#things.get(kind) ?? [];
    if (things.length > mostKept) await this.#remove(kind, things);
    for (const each of kinds) await this.#compare(each);
    const keys = [...this.#things.values()].flat().flatMap(({ key }) => key ?? []);
    if (keys.length > 0) await this.#expectKey(this.random.pick(keys), 200);
    return this.#violations === before;
  }

  async #create(kind: Kind): Promise<void> {
    const name = `${prefix}${this.#run} ${this.#number++}`;
    const answer = await this.session.request(`${kind.name}, made`, "POST", kind.path, kind.body(name));
    if (!this.#isRight(answer, [201], kind, "made")) return;
    const { id, key } = JSON.parse(answer?.body ?? "") as { id: string; key?: string | null };
    if (key === null) this.client.report.count("key, made", "its text was lost");
    this.made.push(id);
    this.#things.get(kind)?.push({ id, name, key: key ?? undefined });
  }

  async #remove(kind: Kind, things: Made[]): Promise<void> {
    const [oldest] = things;
    if (oldest === undefined) return;
    const [method, path] = kind.remove(oldest.id);
    const answer = await this.session.request(`${kind.name}, removed`, method, path);
    // 404: the answer to an attempt that removed it was lost.
    if (!this.#isRight(answer, method === "DELETE" ? [200, 404] : [200], kind, "removed")) return;
    things.shift();
    if (oldest.key !== undefined) await this.#expectKey(oldest.key, 401);
  }

  async #compare(kind: Kind): Promise<void> {
    const answer = await this.session.request(`${kind.name} list`, "GET", kind.path);
    if (answer?.status !== 200) {
      this.#violation(`${kind.name} list: ${answer?.status} ${answer?.body.slice(0, 300)}`, kind.path);
      return;
    }
    const items = (JSON.parse(answer.body) as Record<string, Item[]>)[kind.member] ?? [];
    const own = items.filter((item) => kind.nameOf(item).startsWith(`${prefix}${this.#run} `));
    const names = own.map((item) => kind.nameOf(item));
    const twice = names.filter((name, index) => names.indexOf(name) !== index);
    const there = own.filter((item) => kind.isThere(item)).map(({ id }) => id);
    const wanted = (this.#things.get(kind) ?? []).map(({ id }) => id);
    const missing = wanted.filter((id) => !there.includes(id));
    const unknown = there.filter((id) => !wanted.includes(id));
    for (const [text, list] of [
      ["twice", twice],
      ["missing", missing],
      ["there and should not be", unknown],
    ] as const) {
      if (list.length > 0) this.#violation(`${kind.name} list: ${text}: ${list.join(", ")}`, kind.path);
    }
    this.client.report.count(`${kind.name} list`, "right");
  }

  async #expectKey(key: string, status: number): Promise<void> {
    const init = { headers: { authorization: `Bearer ${key}` } };
    const path = "/functions/v1/contracts-api?limit=1";
    const answer = await this.client.ask({ kind: "own key", path, init });
    if (answer === undefined) return;
    if (answer.status === status) this.client.report.count("own key", "right");
    else this.#violation(`own key: ${answer.status} in place of ${status}: ${answer.body.slice(0, 200)}`);
  }

  #isRight(answer: Answer | undefined, statuses: number[], kind: Kind, what: string): boolean {
    if (answer === undefined) return false;
    const isRight = statuses.includes(answer.status);
    if (isRight) this.client.report.count(`${kind.name}, ${what}`, "acknowledged");
    else this.#violation(`${kind.name}, ${what}: ${answer.status} ${answer.body.slice(0, 300)}`);
    return isRight;
  }

  #violation(text: string, request?: string): void {
    this.#violations += 1;
    this.client.report.violation(text, request);
  }
}
