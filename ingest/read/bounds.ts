import { InputError } from "../errors.ts";

/**
 * Bounds on what a file may cost this machine. The file itself may have any size, since memory holds one record at a
 * time. Real files are far below each bound: Grants.gov's records have some 20 KB, and its archive unpacks to 5 times
 * its size.
 */

/** Maximum of a record, in bytes or characters. */
export const maxRecordSize = 16 * 1024 * 1024;
/** Maximum nesting of lists and objects, or elements: code that walks them uses a stack frame for each level. */
export const maxLevels = 100;
/** Maximum of columns in a CSV file: every row, however short, gets a value for each. */
export const maxColumns = 5_000;
/** Maximum of files in an archive, also counting skipped ones. */
export const maxFiles = 100_000;
/** Maximum name of a file in an archive: rows and rejects carry it. */
export const maxNameBytes = 1_000;
/** Maximum of unpacked bytes for a packed byte, beyond the first `freeUnpackedBytes`. */
const maxUnpackRatio = 200;
const freeUnpackedBytes = 64 * 1024 * 1024;

/** Bounds the unpacked size of a packed file, or of all files of an archive together. */
export class UnpackingBound {
  #packedBytes = 0;
  #unpackedBytes = 0;

  addPacked(bytes: number): void {
    this.#packedBytes += bytes;
  }

  /** @throws {InputError} when the ratio is higher than that of any real file. */
  addUnpacked(bytes: number, name: string | undefined): void {
    this.#unpackedBytes += bytes;
    if (this.#unpackedBytes <= Math.max(freeUnpackedBytes, maxUnpackRatio * this.#packedBytes)) return;
    throw new InputError(
      `unpacks to more than ${maxUnpackRatio} times its size${name === undefined ? "" : `, with ${name}`}. If you trust it, unpack it and import the files in it`,
    );
  }
}

/** A file exceeds a bound. */
export class BoundError extends InputError {}

/** Maximum of lines, and of bytes, without a record: blank lines, white space, comments, a header again and again. A sheet of Excel has 1,048,576 rows. */
const maxBarrenLines = 6_000_000;
const maxBarrenBytes = 256 * 1024 * 1024;
const lineFeed = 10;

/** Bounds what a file has between two records: nothing of it is seen, and it may unpack to days of work. */
export class BarrenBound {
  #lines = 0;
  #bytes = 0;

  /** Called for each record. */
  reset(): void {
    this.#lines = 0;
    this.#bytes = 0;
  }

  /** @throws {BoundError} when there is more without a record than in any real file. */
  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) this.#lines += 1;
    if (this.#lines > maxBarrenLines) {
      throw new BoundError(`has more than ${maxBarrenLines.toLocaleString("en-US")} lines without a record among them`);
    }
    if (this.#bytes > maxBarrenBytes) {
      throw new BoundError(`has more than ${maxBarrenBytes / 1024 / 1024} MB without a record in them`);
    }
  }
}

/** Whether lists and objects are nested more than {@link maxLevels} levels deep. */
export function isNestedTooDeep(value: unknown, levels = maxLevels): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((item) => isNestedTooDeep(item, levels - 1));
}

export const tooDeepMessage = `nests more than ${maxLevels} levels deep`;
