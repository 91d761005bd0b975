import { InputError } from "../errors.ts";
import type { ReadRows } from "../read/row.ts";
import type { CheckColumns } from "./column-names.ts";

/** A file of a source's publisher that the source does not read, and how it is imported with a mapping. */
export interface OtherFile {
  /** Columns by which it is known: it has one of them. */
  columns: readonly string[];
  /** Predicate: `is an answer of SAM.gov's API`. */
  is: string;
  format: "csv" | "ndjson";
  dataset: "grants" | "contracts";
  /** Name for `--source`. */
  source: string;
  /** Columns of each field, in the order in which they are taken. Those that the file lacks are left out. */
  maps: readonly (readonly [field: string, ...columns: string[]])[];
  /** Further options. */
  options?: string;
}

/** Explains how to import such a file, with a command whose mapping fits it. Undefined where the columns are not its own. */
function explainOtherFile(
  name: string,
  others: readonly OtherFile[],
  hasColumn: (column: string) => boolean,
): string | undefined {
  const other = others.find(({ columns }) => columns.some(hasColumn));
  if (other === undefined) return undefined;
  const maps = other.maps.flatMap(([field, ...columns]) => {
    const given = columns.filter(hasColumn);
    return given.length === 0 ? [] : [`--map ${quoteForShell(`${field}=${given.join(",")}`)}`];
  });
  const options = [`--type ${other.dataset}`, `--source ${other.source}`, ...maps, other.options ?? ""];
  return `${other.is}, which ${name} does not read. Import it with a mapping: \`npm run import -- ${other.format} FILE ${options.join(" ").trim()}\``;
}

/** Returns a check that refuses such files, where they lack the columns that the source needs. */
export function refuseOtherFiles(
  name: string,
  others: readonly OtherFile[],
  required: readonly string[],
): CheckColumns {
  return (columns, restored) => {
    if (required.every((column) => restored.includes(column))) return;
    const advice = explainOtherFile(name, others, (column) => columns.includes(column));
    if (advice !== undefined) throw new InputError(advice);
  };
}

/** Reads a file that does not begin like JSON with `read`. Of one that does, the error says how to import it. */
export function refuseJson(read: ReadRows, name: string, others: readonly OtherFile[]): ReadRows {
  return async function* (chunks) {
    const iterator = chunks[Symbol.asyncIterator]();
    const head: Uint8Array[] = [];
    let text = "";
    // Enough for the first record of an answer, whose members tell what it is.
    for (let next = await iterator.next(); ; next = await iterator.next()) {
      if (next.done) break;
      const bytes = Uint8Array.from(next.value);
      head.push(bytes);
      text += new TextDecoder().decode(bytes);
      if (text.trim() !== "" && (!/^\s*[[{]/.test(text) || text.length > headCharacters)) break;
    }
    if (/^\s*[[{]/.test(text)) {
      await iterator.return?.();
      const advice = explainOtherFile(name, others, (column) => text.includes(`"${column.split(".")[0]}"`));
      throw new InputError(advice ?? `begins like JSON, and ${name} reads CSV; ndjson reads JSON with a mapping`);
    }
    yield* read(
      (async function* () {
        yield* head;
        yield* { [Symbol.asyncIterator]: () => iterator };
      })(),
    );
  };
}

const headCharacters = 64 * 1024;

function quoteForShell(text: string): string {
  return /^[\w.,=-]+$/.test(text) ? text : `"${text.replaceAll(/[$`"\\]/g, "\\$&")}"`;
}
