import { type BackupEnd, BackupError, type BackupHeader, type BackupRows, backupFormat, firstLine } from "./format.ts";
import { requireOwnName } from "./tables.ts";

/** Bytes after which a line that is no row is taken for a sign that the file is something else. */
const maximumLine = 16 * 1024 * 1024;

/** Lines of a backup that are run, and nothing else is: a file may come from somebody else. Names are as Postgres quotes them. */
const name = String.raw`(?:[a-z_][\w$]*|"(?:[^"]|"")+")`;
const everyName = new RegExp(name, "g");
const copyLine = new RegExp(String.raw`^COPY (${name}\.${name}) \((${name}(?:, ${name})*)\) FROM stdin;$`);
const setvalLine = new RegExp(
  String.raw`^SELECT pg_catalog\.setval\('(${name}\.${name})', (-?\d{1,19}), (true|false)\);$`.replaceAll(
    '[^"]',
    `[^"']`,
  ),
);

/** The parts of a backup, in their order. */
export type BackupPart =
  | ({ kind: "rows" } & BackupRows)
  | { kind: "sequence"; sequence: string; value: string; isCalled: boolean }
  | ({ kind: "end" } & BackupEnd);

/** Reads lines and blocks from a stream of bytes. */
class LineReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffer: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Appends the next chunk to the buffer; false at the end. */
  async #fill(): Promise<boolean> {
    const { value, done } = await this.#chunks.next();
    if (done === true) return false;
    const joined = new Uint8Array(this.#buffer.length + value.length);
    joined.set(this.#buffer);
    joined.set(value, this.#buffer.length);
    this.#buffer = joined;
    return true;
  }

  /** The next line without its end; undefined at the end of the stream. */
  async line(): Promise<string | undefined> {
    let end = this.#buffer.indexOf(10);
    while (end < 0) {
      const searched = this.#buffer.length;
      if (searched > maximumLine || !(await this.#fill())) return undefined;
      end = this.#buffer.indexOf(10, searched);
    }
    const text = new TextDecoder().decode(this.#buffer.subarray(0, end));
    this.#buffer = this.#buffer.subarray(end + 1);
    return text;
  }

  /** The lines up to one that is `\.`, which is passed over. @throws {BackupError} when there is no such line. */
  async *block(): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (startsWithEnd(this.#buffer, 0)) {
        this.#buffer = this.#buffer.subarray(3);
        return;
      }
      const end = endOfBlock(this.#buffer);
      if (end >= 0) {
        yield this.#buffer.subarray(0, end);
        this.#buffer = this.#buffer.subarray(end);
        continue;
      }
      // Whole lines; a part of one may be the beginning of the end.
      const whole = this.#buffer.lastIndexOf(10) + 1;
      if (whole > 0) yield this.#buffer.subarray(0, whole);
      this.#buffer = this.#buffer.subarray(whole);
      if (!(await this.#fill())) throw new BackupError("The file was cut short.");
    }
  }
}

/** Whether a line that begins at `at` is `\.`. */
const startsWithEnd = (bytes: Uint8Array, at: number) =>
  bytes[at] === 92 && bytes[at + 1] === 46 && bytes[at + 2] === 10;

/** Where, after a line break, the line `\.` begins; -1 where there is none. */
function endOfBlock(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (startsWithEnd(bytes, at + 1)) return at + 1;
  }
  return -1;
}

/** A backup as it is read: its header, then its parts. */
export interface Backup {
  header: BackupHeader;
  parts: AsyncGenerator<BackupPart>;
}

/**
 * Opens a backup.
 *
 * @param chunks its bytes, no longer compressed.
 * @throws {BackupError} when it is none, or of a newer format. Its parts throw when the file was cut short.
 */
export async function readBackup(chunks: AsyncIterable<Uint8Array>): Promise<Backup> {
  const reader = new LineReader(chunks);
  if ((await reader.line()) !== firstLine) throw new BackupError("The file is not a backup that npm run backup wrote.");
  const header = parseComment<BackupHeader>(await reader.line());
  if (header === undefined) throw new BackupError("The file was cut short.");
  if (!isHeader(header))
    throw new BackupError("The file is not a backup that npm run backup wrote: its second line has another form.");
  if (header.format !== backupFormat) {
    throw new BackupError(
      `The backup was written by version ${header.version}, in a format that this version does not know: restore it with that one.`,
    );
  }
  return { header, parts: readParts(reader) };
}

/**
 * Reads a backup to its end and refuses it where it is not whole, or names what is not a backup's to write. Asks no database.
 *
 * @throws {BackupError} that says what is wrong.
 */
export async function checkBackup({ parts }: Backup): Promise<void> {
  for await (const part of parts) if (part.kind === "rows") for await (const _chunk of part.data);
}

async function* readParts(reader: LineReader): AsyncGenerator<BackupPart> {
  const rows: BackupEnd["rows"] = Object.create(null);
  for (let line = await reader.line(); line !== undefined; line = await reader.line()) {
    const [, table, columns] = copyLine.exec(line) ?? [];
    const [, sequence, value = "", isCalled] = setvalLine.exec(line) ?? [];
    const end = parseComment<BackupEnd>(line);
    if (table !== undefined && columns !== undefined) {
      requireOwnName("rows", table);
      const counted = async function* () {
        for await (const chunk of reader.block()) {
          for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1))
            rows[table] = (rows[table] ?? 0) + 1;
          yield chunk;
        }
      };
      yield { kind: "rows", table, columns: columns.match(everyName) ?? [], data: counted() };
    } else if (sequence !== undefined) {
      requireOwnName("sequence", sequence);
      yield { kind: "sequence", sequence, value, isCalled: isCalled === "true" };
    } else if (isObject(end?.rows)) {
      const stated = new Map(Object.entries(end.rows));
      for (const name of new Set([...stated.keys(), ...Object.keys(rows)])) {
        const [read, should] = [rows[name] ?? 0, stated.get(name) ?? 0];
        if (read !== should)
          throw new BackupError(`The backup has ${read} rows of ${name}, and should have ${should}.`);
      }
      // Reads the stream to its end, so that the checksum of a compressed file is compared.
      if ((await reader.line()) !== undefined) throw new BackupError("The backup goes on after its end.");
      yield { kind: "end", ...end };
      return;
    } else {
      throw new BackupError(`The backup has a line that this version does not know: ${line.slice(0, 60)}`);
    }
  }
  throw new BackupError("The file was cut short.");
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether each field has its type. A file may come from somebody else. */
function isHeader({ version, created_at, migrations, files }: { [Field in keyof BackupHeader]: unknown }): boolean {
  const areTexts = (values: unknown[]) => values.every((value) => typeof value === "string");
  return (
    areTexts([version, created_at]) &&
    Array.isArray(migrations) &&
    areTexts(migrations) &&
    isObject(files) &&
    areTexts(Object.values(files))
  );
}

/** The JSON of a comment line; undefined for any other line. */
function parseComment<Content>(line: string | undefined): Content | undefined {
  if (line?.startsWith("-- {") !== true) return undefined;
  try {
    return JSON.parse(line.slice(3)) as Content;
  } catch {
    return undefined;
  }
}
