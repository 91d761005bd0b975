import { type FileHandle, open } from "node:fs/promises";

/** A row that did not become a record, as a line of the reject file. */
export interface Reject {
  /** The file it is in, where there are several. */
  file?: string;
  line: number;
  source_id: string | null;
  reason: string;
  /** The row as it was read; its text where it could not be. */
  row: Record<string, unknown> | string;
}

/** Where rejected and repeated rows go. */
export interface RejectSink {
  write(rejects: readonly Reject[]): Promise<void>;
}

/** A reject file, made when there is something to write; an earlier one of that name is replaced then. */
export class RejectFile implements RejectSink {
  #file: FileHandle | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(readonly path: string) {}

  /** True when there was something to write. */
  get exists(): boolean {
    return this.#file !== undefined;
  }

  write(rejects: readonly Reject[]): Promise<void> {
    if (rejects.length === 0) return Promise.resolve();
    // One after the other, since batches end when they please.
    this.#writing = this.#writing.then(() => this.#append(rejects));
    return this.#writing;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #append(rejects: readonly Reject[]): Promise<void> {
    this.#file ??= await open(this.path, "w");
    await this.#file.appendFile(rejects.map((reject) => `${JSON.stringify(reject)}\n`).join(""));
  }
}
