import { createHmac, randomBytes } from "node:crypto";
import { ProblemError, UnexpectedResponseError } from "../problems.ts";
import type { RecordChanges } from "../types.ts";
import { createSend, describeError, type Send, sendList } from "./api.ts";
import { readCredentials } from "./credentials.ts";
import { CommandError, type Io } from "./io.ts";
import { type Dataset, datasets } from "./mirror.ts";
import { nearest, type Option, type Words } from "./options.ts";
import { cut } from "./show.ts";

const kinds: Readonly<Record<Dataset, string>> = { grants: "grant", contracts: "contract", funders: "funder" };

/** Events that the feed of changes tells of. Deadlines come near, and documents are read, without a change of the record. */
const followed = Object.values(kinds).flatMap((kind) => [`${kind}.created`, `${kind}.updated`]);
const tested = [
  ...followed,
  ...["grant", "contract"].flatMap((kind) => [`${kind}.deadline_approaching`, `${kind}.documents_changed`]),
];

/** Time that a receiver has to answer, as the API gives it. */
const answerTimeoutMs = 15_000;
const defaultIntervalSeconds = 15;
const leastIntervalSeconds = 5;

export const listenText = `Sends the events of webhooks to a program on this machine, for development: no address on the internet is needed.

The API's webhooks need a sign-in, and a key has none. So the events are made here, out of the feed of changes: signed as
the API signs, with a secret that is printed at the start. The secret of a webhook of yours stays unused. A record that the
feed brings without a change is taken as new. A deadline that comes near is no change: send a sample of it with --test.
What is not delivered is not tried again. Each look is a request for a dataset, and another for each record that changed.`;

export const listenOptions: readonly Option[] = [
  {
    name: "to",
    isFlag: false,
    text: "Address to send events to: http://127.0.0.1:3000/hook. Without it, events are printed, one a line",
  },
  { name: "test", isFlag: false, text: "Send a sample of this event, and end", choices: tested },
  { name: "events", isFlag: false, text: `Events, separated by commas; by default ${followed.join(", ")}` },
  ...datasets.map((dataset) => ({
    name: dataset,
    isFlag: false,
    text: `Filter of ${dataset}, as webhooks have it${dataset === "grants" ? ': "search=water&states=OH"' : ""}`,
  })),
  { name: "details", isFlag: true, text: "Records have their details, and changes of details alone are sent" },
  { name: "since", isFlag: false, text: "Begin with the changes since this moment or day; by default now" },
  { name: "once", isFlag: true, text: "End when all changes so far are sent" },
  {
    name: "every",
    isFlag: false,
    text: `Seconds between two looks, from ${leastIntervalSeconds}; by default ${defaultIntervalSeconds}`,
  },
  {
    name: "signature-header",
    isFlag: false,
    text: "Name of the header X-Service-Signature, where the operator changed it",
  },
];

/** Body of a delivery. */
interface Event {
  id: string;
  event: string;
  created_at: string;
  data: ListedRecord;
  changes?: RecordChanges["results"][number]["changes"];
  test?: true;
}

interface ListedRecord {
  id: string;
  title?: string;
  name?: string;
  details?: object;
}

/** Delivers an event. @returns whether it was taken. */
type Deliver = (event: Event) => Promise<boolean>;

/** Runs `funding listen`. @throws CommandError where an event was not taken and the command ends by itself. */
export async function listen(io: Io, { positionals, values }: Words): Promise<void> {
  if (positionals.length > 0) throw new CommandError(`${positionals[0]} is more than the command takes.`);
  const value = (name: string) => values.get(name)?.at(-1);
  const isOn = (name: string) => value(name) === "true";
  const url = readAddress(value("to"));
  const events = readEvents(values.get("events"));
  const sample = value("test");
  if (sample !== undefined && !tested.includes(sample)) throw unknownEvent("test", sample, tested);
  const everySeconds = readInterval(value("every"));
  const since = value("since") ?? new Date().toISOString();
  const send = createSend(io, await readCredentials(io));
  const deliver = createDeliver(io, url, value("signature-header") ?? "X-Service-Signature");

  if (sample !== undefined) {
    if (!(await deliver(await readSample(send, sample)))) throw new CommandError("The event was not taken.", 1);
    return;
  }
  const feeds = datasets
    .filter((dataset) => events.some((event) => event.startsWith(`${kinds[dataset]}.`)))
    .map((dataset) =>
      createFeed(send, dataset, { filter: value(dataset), hasDetails: isOn("details"), since, events }),
    );
  io.say(isOn("once") ? `The changes since ${since}:` : "Listening for changes. Ctrl+C ends.");
  let refused = 0;
  for (;;) {
    for (const read of feeds) refused += await follow(io, read, deliver, isOn("once") ? undefined : everySeconds);
    if (isOn("once") || !(await io.pause(everySeconds * 1000))) break;
  }
  if (isOn("once") && refused > 0) throw new CommandError(`Not taken: ${refused} events.`, 1);
}

/**
 * Delivers what a feed has. A failure that may pass is told, and the feed is read again from the same position.
 *
 * @param everySeconds undefined: any failure ends the command.
 * @returns how many events were not taken.
 */
async function follow(
  io: Io,
  read: (taken: (events: Event[]) => Promise<void>) => Promise<void>,
  deliver: Deliver,
  everySeconds: number | undefined,
): Promise<number> {
  let refused = 0;
  try {
    await read(async (events) => {
      for (const event of events) if (!(await deliver(event))) refused++;
    });
  } catch (error) {
    if (everySeconds === undefined || !mayPass(error)) throw error;
    io.say(`${describeError(error)} Trying again in ${everySeconds} s.`);
  }
  return refused;
}

function mayPass(error: unknown): boolean {
  if (error instanceof ProblemError || error instanceof UnexpectedResponseError) return error.status >= 500;
  return error instanceof CommandError && error.status === 1;
}

interface FeedOptions {
  filter: string | undefined;
  hasDetails: boolean;
  since: string;
  events: readonly string[];
}

/** Reads what changed in a dataset since the last time, page by page; a page whose events were given on is not read again. */
function createFeed(send: Send, dataset: Dataset, { filter, hasDetails, since, events }: FeedOptions) {
  let position: { updated_after: string } | { cursor: string } = { updated_after: since };
  /** Latest time of the feed. */
  let latest = since;
  const history = new History(send, dataset, since, hasDetails);
  return async (take: (found: Event[]) => Promise<void>): Promise<void> => {
    for (;;) {
      const page = await readPage(position);
      const found: Event[] = [];
      for (const record of page.results) found.push(...(await history.eventsOf(record)));
      await take(found.filter(({ event }) => events.includes(event)));
      // Null where nothing came.
      latest = page.meta.last_updated_at ?? latest;
      const { next } = page.pagination;
      position = next === null ? { updated_after: latest } : { cursor: next };
      if (next === null) return;
    }
  };

  async function readPage(at: typeof position) {
    const query = new URLSearchParams(filter);
    if (filter === undefined && dataset !== "funders") {
      query.set("include_archived", "true");
      query.set("include_versions", "true");
      query.set("opportunity_type", "all");
    }
    const how = { sort_by: "updated_at", order: "asc", limit: "100", ...at, ...(hasDetails && { expand: "details" }) };
    for (const [name, text] of Object.entries(how)) query.set(name, text);
    return (await (await sendList(send, dataset, query)).json()) as {
      results: ListedRecord[];
      pagination: { next: string | null };
      meta: { last_updated_at?: string | null };
    };
  }
}

/**
 * Time before the start from which on a change of a record that the feed brings is taken as one since the start: the time of a change is that at
 * which its import began to write.
 */
const importMs = 120_000;

/** The changes of records, as events. */
class History {
  /** Time of the latest change of each record that had an event; of a new one, when it was read. */
  private readonly known = new Map<string, number>();
  private readonly start: number;

  constructor(
    private readonly send: Send,
    private readonly dataset: Dataset,
    since: string,
    private readonly hasDetails: boolean,
  ) {
    this.start = (Date.parse(since) || 0) - importMs;
  }

  /** The events of a record in the feed: its changes since the last time, oldest first. One without any change is new. */
  async eventsOf(data: ListedRecord): Promise<Event[]> {
    const path = `/${this.dataset}-api/${encodeURIComponent(data.id)}/changes?limit=100`;
    const { results } = (await (await this.send(path)).json()) as RecordChanges;
    const kind = kinds[this.dataset];
    const known = this.known.get(data.id);
    this.known.set(data.id, Math.max(0, ...results.map(({ changed_at }) => Date.parse(changed_at))));
    if (results.length === 0) {
      const created_at = new Date().toISOString();
      return known === undefined ? [{ id: crypto.randomUUID(), event: `${kind}.created`, created_at, data }] : [];
    }
    return results
      .filter(({ changed_at }) => Date.parse(changed_at) > (known ?? this.start))
      .filter(({ changes }) => this.hasDetails || changes.some(({ field }) => field === "archived_at" || field in data))
      .reverse()
      .map(({ changed_at, changes }) => {
        return { id: crypto.randomUUID(), event: `${kind}.updated`, created_at: changed_at, data, changes };
      });
  }
}

/** A sample of an event, out of the API's OpenAPI document, with an id and a time of its own, as the API's test events have. */
async function readSample(send: Send, name: string): Promise<Event> {
  const document = (await (await send("/openapi")).json()) as {
    webhooks?: Record<
      string,
      { post: { requestBody: { content: Record<string, { examples?: { delivery?: { value: Event } } }> } } }
    >;
  };
  const sample = document.webhooks?.[name]?.post.requestBody.content["application/json"]?.examples?.delivery?.value;
  if (sample === undefined)
    throw new CommandError(`This API has no sample of ${name}: it may be of another version.`, 1);
  return { ...sample, id: crypto.randomUUID(), created_at: new Date().toISOString(), test: true };
}

function createDeliver(io: Io, url: string | undefined, signatureHeader: string): Deliver {
  if (url === undefined) {
    return async (event) => {
      await io.write(`${JSON.stringify(event)}\n`);
      return true;
    };
  }
  const secret = readSecret(io);
  if (!/^[\w-]+$/.test(signatureHeader)) throw new CommandError("--signature-header must be the name of a header.");
  return async (event) => {
    const body = JSON.stringify(event);
    const started = performance.now();
    const answer = await io
      .fetch(
        new Request(url, {
          method: "POST",
          headers: {
            "content-type": "application/json; charset=utf-8",
            "user-agent": "Funding-Opportunities-Webhooks/1",
            ...signatureHeaders(event.id, body, secret, signatureHeader),
          },
          body,
          redirect: "manual",
          signal: AbortSignal.timeout(answerTimeoutMs),
        }),
      )
      .catch((error: unknown) => reasonOf(error));
    const isTaken = typeof answer !== "string" && answer.ok;
    const outcome = typeof answer === "string" ? answer : `${answer.status}`;
    if (typeof answer !== "string") await answer.body?.cancel();
    const time = `${Math.round(performance.now() - started)} ms`;
    const title = cut(event.data.title ?? event.data.name ?? event.data.id, Math.max(20, io.width - 50));
    await io.write(`${event.event.padEnd(22)}  ${outcome}  ${time}  ${title}\n`);
    return isTaken;
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return "no answer within 15 s";
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error
    ? cause.message || ((cause as NodeJS.ErrnoException).code ?? String(cause))
    : String(error);
}

/** The secret of FUNDING_WEBHOOK_SECRET, or a new one, which is told. */
function readSecret({ env, say }: Io): string {
  const given = env.FUNDING_WEBHOOK_SECRET;
  if (given !== undefined && given !== "") {
    if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(given)) {
      throw new CommandError("FUNDING_WEBHOOK_SECRET must be whsec_ and base64, as the API's secrets are.");
    }
    return given;
  }
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  say(`Secret of these deliveries: ${secret}\nIt is new at each start: FUNDING_WEBHOOK_SECRET keeps one.`);
  return secret;
}

function signatureHeaders(id: string, body: string, secret: string, header: string): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000);
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return {
    [header]: `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`,
  };
}

function readAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  // A port alone means this machine.
  const address = /^\d{1,5}$/.test(text) ? `http://127.0.0.1:${text}/` : text;
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new CommandError("--to must be an address such as http://127.0.0.1:3000/hook.");
  }
  const { username, password } = new URL(address);
  if (username !== "" || password !== "")
    throw new CommandError("--to must be an address without a user and a password.");
  return address;
}

function readEvents(given: string[] | undefined): readonly string[] {
  if (given === undefined) return followed;
  const names = given.flatMap((text) => text.split(",")).map((name) => name.trim());
  for (const name of names) if (!followed.includes(name)) throw unknownEvent("events", name, followed);
  return names;
}

function unknownEvent(option: string, name: string, known: readonly string[]): CommandError {
  const near = nearest(name, known);
  const meant = near === undefined ? "" : ` Did you mean ${near}?`;
  return new CommandError(`--${option} must be among ${known.join(", ")}; ${JSON.stringify(name)} is none.${meant}`);
}

function readInterval(text: string | undefined): number {
  if (text === undefined) return defaultIntervalSeconds;
  if (!/^\d{1,6}$/.test(text) || Number(text) < leastIntervalSeconds) {
    throw new CommandError(`--every must be a whole number of seconds, ${leastIntervalSeconds} or more.`);
  }
  return Number(text);
}
