import { createSend, describeError, type Send, sendList } from "./api.ts";
import { readCredentials, removeCredentials, saveCredentials } from "./credentials.ts";
import { help, helpOf, listOptions } from "./help.ts";
import { CommandError, type Io } from "./io.ts";
import { listen, listenOptions, listenText } from "./listen.ts";
import { type Dataset, datasets, mirror } from "./mirror.ts";
import { nearest, type Option, readWords, type Words } from "./options.ts";
import { parameters } from "./parameters.generated.ts";
import { fieldsOf, lineOf, type Shown } from "./show.ts";

interface Command {
  usage: string;
  text: string;
  /** Options with values of their own beside `--help`. */
  options: readonly Option[];
  /** The API's parameters, as options. */
  parameters?: readonly Option[];
  run(io: Io, words: Words): Promise<void>;
}

const json: Option = { name: "json", isFlag: true, text: "Print the API's answer" };

const commands: Readonly<Record<string, Command>> = {
  ...Object.fromEntries(datasets.map((dataset) => [dataset, listCommand(dataset)])),
  search: {
    usage: "search WORDS ... [options]",
    text: "Finds grants and contracts by what the words mean, the most relevant first.",
    options: [
      { name: "type", isFlag: false, text: "Dataset to search; by default both", choices: ["grants", "contracts"] },
      { name: "limit", isFlag: false, text: "Number of results, 1 to 100; by default 10" },
      json,
    ],
    run: search,
  },
  show: {
    usage: "show [DATASET] ID [options]",
    text: "Shows a record with all that is known of it. Without a dataset, it is looked for in all three.",
    options: [json],
    run: show,
  },
  suggest: {
    usage: "suggest WORDS ... [options]",
    text: "Completes words: values of filters, words and titles, with how many current records each finds.",
    options: [
      { name: "kinds", isFlag: false, text: "Kinds, separated by commas: agency, funder, category, ..." },
      { name: "limit", isFlag: false, text: "Number of suggestions, 1 to 20; by default 10" },
      json,
    ],
    run: suggest,
  },
  mirror: {
    usage: "mirror FOLDER [DATASET ...]",
    text: "Copies the catalogue, or some datasets, to DATASET.ndjson in the folder. The next time, only what changed is read.",
    options: [],
    run: mirrorAll,
  },
  listen: {
    usage: "listen [--to ADDRESS] [options]",
    text: listenText,
    options: listenOptions,
    run: listen,
  },
  login: {
    usage: "login",
    text: "Asks for the address of the API and a key, tries them, and saves them in a file that only you can read.",
    options: [{ name: "base-url", isFlag: false, text: "The address, up to and including /functions/v1" }],
    run: login,
  },
  logout: {
    usage: "logout",
    text: "Removes what funding login saved.",
    options: [],
    async run(io, { positionals }) {
      refuseMore(positionals);
      io.say(`Removed ${await removeCredentials(io)}.`);
    },
  },
};

/** Runs the command line. @returns the exit status. */
export async function run(words: readonly string[], io: Io): Promise<0 | 1 | 2> {
  try {
    const [name, ...rest] = words;
    if (name === undefined || name === "--help" || name === "-h" || name === "help") {
      await io.write(help);
      return 0;
    }
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) {
      const near = nearest(name, Object.keys(commands));
      const meant = near === undefined ? "" : ` Did you mean ${near}?`;
      throw new CommandError(`${name} is no command.${meant} funding --help lists them.`);
    }
    const { usage, text, options, parameters: given = [] } = command;
    if (rest.includes("--help") || rest.includes("-h")) {
      await io.write(
        helpOf(usage, text, [
          { title: "Options", options },
          { title: "Filters and order, as the API has them", options: given },
        ]),
      );
      return 0;
    }
    await command.run(io, readWords(rest, [...options, ...given], name));
    return 0;
  } catch (error) {
    io.say(describeError(error));
    return error instanceof CommandError ? error.status : 1;
  }
}

function listCommand(dataset: Dataset): Command {
  return {
    usage: `${dataset} [WORDS ...] [options]`,
    text: `Lists ${dataset}, with the words in them where there are any.`,
    options: listOptions,
    parameters: parameters[dataset],
    run: (io, words) => list(io, dataset, words),
  };
}

interface Page {
  results: Shown[];
  pagination: { total: number; next: string | null };
}

/** Whether a flag was given, and not denied after that. */
function isOn(name: string, values: Words["values"]): boolean {
  return values.get(name)?.at(-1) === "true";
}

async function list(io: Io, dataset: Dataset, { positionals, values }: Words): Promise<void> {
  const query = new URLSearchParams();
  if (positionals.length > 0) query.set("search", positionals.join(" "));
  for (const { name } of parameters[dataset]) {
    for (const value of values.get(name) ?? []) query.append(name.replaceAll("-", "_"), value);
  }
  const [isJson, isCsv, isCount, isAll] = ["json", "csv", "count", "all"].map((name) => isOn(name, values));
  const ways = ["json", "csv", "count"].filter((name) => isOn(name, values));
  if (ways.length > 1) throw new CommandError(`--${ways.join(" and --")} cannot be combined.`);
  if (isAll && (isCsv || isCount)) {
    throw new CommandError("--all is of lists of records: --csv and --count are of all that match anyway.");
  }
  const send = createSend(io, await readCredentials(io));
  if (isCsv) return copy(io, await sendList(send, dataset, query, "text/csv"));
  if (isCount) {
    query.set("count_only", "true");
    const { total } = await read<{ total: number }>(sendList(send, dataset, query));
    return io.write(`${total}\n`);
  }
  if (!isAll) {
    const response = await sendList(send, dataset, query);
    if (isJson) return copy(io, response, "\n");
    const { results, pagination } = (await response.json()) as Page;
    for (const record of results) await io.write(lineOf(record, io.width));
    const more = results.length < pagination.total ? ": --limit and --all show more" : "";
    io.say(`${results.length} of ${pagination.total} ${dataset}${more}`);
    return;
  }
  let printed = 0;
  if (!query.has("limit")) query.set("limit", "100");
  for (;;) {
    const { results, pagination } = await read<Page>(sendList(send, dataset, query));
    for (const record of results) {
      await io.write(isJson ? `${JSON.stringify(record)}\n` : lineOf(record, io.width));
    }
    printed += results.length;
    if (pagination.next === null) break;
    query.set("cursor", pagination.next);
  }
  io.say(`${printed} ${dataset}`);
}

async function read<Body>(response: Promise<Response>): Promise<Body> {
  return (await (await response).json()) as Body;
}

/** Prints an answer as it comes. */
async function copy(io: Io, response: Response, end = ""): Promise<void> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    await io.write(decoder.decode(part.value, { stream: true }));
  }
  await io.write(decoder.decode() + end);
}

function numberOf(name: string, { values }: Words): { [name: string]: number } {
  const value = values.get(name)?.at(-1);
  if (value === undefined) return {};
  if (!/^\d+$/.test(value)) throw new CommandError(`--${name} must be a whole number.`);
  return { [name]: Number(value) };
}

async function search(io: Io, words: Words): Promise<void> {
  const { positionals, values } = words;
  if (positionals.length === 0)
    throw new CommandError('search needs words: funding search "clean water for small towns"');
  const type = values.get("type")?.at(-1);
  const body = { query: positionals.join(" "), ...(type === undefined ? {} : { type }), ...numberOf("limit", words) };
  const send = createSend(io, await readCredentials(io));
  const response = await send("/semantic-search", { body });
  if (isOn("json", values)) return copy(io, response, "\n");
  const { results } = (await response.json()) as Page;
  for (const record of results) await io.write(lineOf(record, io.width));
  io.say(`${results.length} results`);
}

async function suggest(io: Io, words: Words): Promise<void> {
  const { positionals, values } = words;
  if (positionals.length === 0) throw new CommandError('suggest needs words: funding suggest "usda rur"');
  const query = new URLSearchParams({ q: positionals.join(" ") });
  for (const kinds of values.get("kinds") ?? []) query.append("kinds", kinds);
  for (const [name, value] of Object.entries(numberOf("limit", words))) query.set(name, String(value));
  const send = createSend(io, await readCredentials(io));
  const response = await send(`/suggest?${query}`);
  if (isOn("json", values)) return copy(io, response, "\n");
  const { results } = (await response.json()) as {
    results: { kind: string; value: string; label: string; records: number }[];
  };
  for (const { kind, value, label, records } of results) {
    const name = label === value ? value : `${value}  ${label}`;
    await io.write(`${kind.padEnd(20)}${String(records).padStart(7)}  ${name.replace(/[\p{Cc}\p{Cf}]/gu, " ")}\n`);
  }
}

async function show(io: Io, { positionals, values }: Words): Promise<void> {
  const [first = "", second, ...more] = positionals;
  refuseMore(more);
  const id = second ?? first;
  if (id === "") throw new CommandError("show needs the id of a record, as the lists print it.");
  if (second !== undefined && !isDataset(first)) {
    throw new CommandError(`${first} is no dataset: there are ${datasets.join(", ")}.`);
  }
  const send = createSend(io, await readCredentials(io));
  for (const dataset of second === undefined ? datasets : [first]) {
    const response = await find(send, `/${dataset}-api/${encodeURIComponent(id)}?expand=details`);
    if (response === undefined) continue;
    if (isOn("json", values)) return copy(io, response, "\n");
    return io.write(fieldsOf((await response.json()) as Record<string, unknown>));
  }
  throw new CommandError(`There is no record with the id ${id}.`, 1);
}

/** An answer; undefined where there is no such record. */
async function find(send: Send, path: string): Promise<Response | undefined> {
  return send(path).catch((error: { status?: number }) => {
    if (error.status === 404) return undefined;
    throw error;
  });
}

function isDataset(name: string): name is Dataset {
  return (datasets as readonly string[]).includes(name);
}

function refuseMore(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new CommandError(`${positionals[0]} is more than the command takes.`);
}

async function mirrorAll(io: Io, { positionals: [folder, ...named] }: Words): Promise<void> {
  if (folder === undefined) throw new CommandError("mirror needs a folder: funding mirror copy");
  const unknown = named.find((name) => !isDataset(name));
  if (unknown !== undefined) throw new CommandError(`${unknown} is no dataset: there are ${datasets.join(", ")}.`);
  const credentials = await readCredentials(io);
  for (const dataset of named.length === 0 ? datasets : named.filter(isDataset)) {
    await mirror(io, credentials, dataset, folder);
  }
}

async function login(io: Io, { positionals, values }: Words): Promise<void> {
  refuseMore(positionals);
  const saved = await readCredentials({ ...io, env: { ...io.env, FUNDING_API_KEY: "" } }).catch(() => undefined);
  const standard = io.env.FUNDING_BASE_URL || saved?.baseUrl;
  const question = `Address of the API, up to and including /functions/v1${standard === undefined ? "" : ` (${standard})`}: `;
  const baseUrl = values.get("base-url")?.at(-1) ?? ((await io.ask(question, false)) || standard);
  if (baseUrl === undefined || !/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new CommandError("The address must begin with https:// or http://.");
  }
  const apiKey = (await io.ask("API key, of your dashboard: ", true))?.trim();
  if (apiKey === undefined || apiKey === "")
    throw new CommandError("login needs a key: give it at the question, or on standard input.");
  const credentials = { baseUrl: baseUrl.replace(/\/+$/, ""), apiKey };
  // One request, which counts, so that a wrong key is not found out later.
  await createSend(io, credentials)("/grants-api?count_only=true");
  io.say(`Saved in ${await saveCredentials(io, credentials)}.`);
}
