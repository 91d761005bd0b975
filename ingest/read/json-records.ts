import { InputError } from "../errors.ts";
import { jsonListRows } from "./json.ts";
import { type JsonHead, JsonHeadReader } from "./json-head.ts";
import { ndjsonRows } from "./ndjson.ts";
import {
  chooseRecords,
  findNamedList,
  type MeasureFit,
  nameOfList,
  namesOfLists,
  type RecordList,
  topName,
} from "./record-lists.ts";
import type { ReadRows } from "./row.ts";

interface Options {
  /** Name of the list whose items are the rows. Default: {@link chooseRecords}. */
  records?: string | undefined;
  measure: MeasureFit;
}

/** Reader of JSON files of any shape: one object a line, an array, or a document with a list of objects. */
export class JsonRecordsReader {
  readonly #options: Options;
  /** Names of the lists that were read, of the files with one. */
  readonly #names = new Set<string>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Sentences for the summary: which lists were read. */
  describe(): string[] {
    return [...this.#names].map((name) =>
      name === topName
        ? "The records are the items of the list that the file is"
        : `The records are the items of ${name}, a list in the file; --records NAME takes another`,
    );
  }

  /** Rows of a file. @throws {InputError} when any of several lists could be the records. */
  readonly read: ReadRows = (chunks) => this.#read(chunks);

  async *#read(chunks: AsyncIterable<Uint8Array>): ReturnType<ReadRows> {
    const { head, replay, close } = await readHead(chunks);
    try {
      yield* this.#chooseReader(head)(replay());
    } finally {
      await close();
    }
  }

  #chooseReader(head: JsonHead): ReadRows {
    const { values, fault, isFirstInOneLine, isWhole } = head;
    // A line that cannot be read costs only itself, if the file is one of lines.
    if (values.length === 0 || isFaultInLines(head)) return ndjsonRows;
    const { path, items } = this.#chooseList(head);
    if (path.length === 0) return isFirstInOneLine || fault?.line === 1 ? ndjsonRows : jsonListRows([]);
    this.#names.add(nameOfList(path));
    return jsonListRows(path, { isOnlyList: this.#options.records === undefined && !isWhole && items.length > 0 });
  }

  #chooseList({ values, isWhole }: JsonHead): RecordList {
    const { records, measure } = this.#options;
    if (records !== undefined) {
      const list = findNamedList(values, records);
      if (list !== undefined) return list;
      const names = namesOfLists(values);
      if (!isWhole && values.length === 1) return { path: literalPath(records), items: [] };
      throw new InputError(
        `has no list ${records}; ${names.length === 0 ? "it has no list of objects" : `its lists of objects are ${names.join(", ")}`}`,
      );
    }
    const chosen = chooseRecords(values, measure);
    if ("choices" in chosen) {
      const [first = topName] = chosen.choices;
      throw new InputError(
        `has several lists that could be the records: ${chosen.choices.map(describeChoice).join(", ")}. Choose one, for example --records ${first}`,
      );
    }
    const earlier = [...this.#names].map((name) => findNamedList(values, name)).find((list) => list !== undefined);
    const isChosen = chosen.list.path.length > 0;
    // A further page may be empty.
    return isChosen || earlier === undefined || measure(chosen.list.items).isComplete ? chosen.list : earlier;
  }
}

function describeChoice(name: string): string {
  return name === topName ? `${topName} (the whole file is one record)` : name;
}

function literalPath(name: string): string[] {
  return [...name.split(".").filter((step) => !["", "*", "$"].includes(step)), "*"];
}

/** Whether the first value has a fault that a file of one object a line would have: in its own line, or at the next object. */
function isFaultInLines({ values, fault, isFirstInOneLine }: JsonHead): boolean {
  if (fault === undefined || values.length > 1 || isFirstInOneLine || Array.isArray(values[0])) return false;
  return fault.line === 1 || isObjectLine(fault.text);
}

function isObjectLine(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Reads the beginning of a file, and returns it with all of its bytes from the first on. */
async function readHead(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ head: JsonHead; replay(): AsyncGenerator<Uint8Array>; close(): Promise<void> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const reader = new JsonHeadReader();
  const taken: Uint8Array[] = [];
  let isEnd = false;
  let failure: { error: unknown } | undefined;
  try {
    for (let isRead = false; !isRead && !isEnd; ) {
      const next = await iterator.next();
      if (next.done) isEnd = true;
      else {
        // A copy, since the stream may use the chunk's memory again.
        const bytes = Uint8Array.from(next.value);
        taken.push(bytes);
        isRead = reader.add(bytes);
      }
    }
  } catch (error) {
    failure = { error };
  }
  return {
    head: reader.head(isEnd),
    replay,
    async close() {
      await iterator.return?.();
    },
  };

  async function* replay(): AsyncGenerator<Uint8Array> {
    for (let bytes = taken.shift(); bytes !== undefined; bytes = taken.shift()) yield bytes;
    if (failure !== undefined) throw failure.error;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
}
