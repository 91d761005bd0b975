import { type FileHandle, open } from "node:fs/promises";
import { printableJson } from "../shared/log/printable.ts";
import type { NoteEntry } from "./notes.ts";

/** Entry of the reject file for a row that did not become a record. As a line of the file, it is safe to print. */
export interface Reject {
  /** The file it is in, if there are several. */
  file?: string;
  line: number;
  /** Its number in a JSON document. */
  record?: number;
  source_id: string | null;
  reason: string;
  /** The row as it was read, or its text if it could not be read. */
  row: Record<string, unknown> | string;
}

/** Receiver of rejected and repeated rows. */
export interface RejectSink {
  write(rejects: readonly Reject[]): Promise<void>;
}

/** File of entries, one JSON object a line. It is made at the first entry, and replaces an earlier file of that name. */
export class EntryFile<Entry extends Reject | NoteEntry> {
  #file: FileHandle | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(readonly path: string) {}

  /** Whether there was an entry to write. */
  get exists(): boolean {
    return this.#file !== undefined;
  }

  write(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    // One write after the other, since concurrent batches end at any time.
    this.#writing = this.#writing.then(() => this.#append(entries));
    return this.#writing;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #append(entries: readonly Entry[]): Promise<void> {
    this.#file ??= await open(this.path, "w");
    await this.#file.appendFile(entries.map((entry) => `${printableJson(entry)}\n`).join(""));
  }
}
