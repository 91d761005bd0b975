import { closeSync, ftruncateSync, openSync, read, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Bytes that are read back from the file at a time. */
const readBytes = 256 * 1024;

/** Why an answer cannot be kept until its client reads it. */
export type SpoolFailure = "full" | "disk";

/**
 * First in, first out: bytes for a client that has not read them yet. The oldest are in memory, what is beyond its share in a
 * file without a name, which is gone with the process however that ends.
 */
export class AnswerSpool {
  #memory: Buffer[] = [];
  #memoryBytes = 0;
  #file: number | undefined;
  #readPosition = 0;
  #writePosition = 0;

  /**
   * @param folder where the file is made, if one is needed.
   * @param memoryBytes kept in memory at the most.
   * @param maximumBytes kept in all at the most.
   */
  constructor(
    private readonly folder: string,
    private readonly memoryBytes: number,
    private readonly maximumBytes: number,
  ) {}

  get bytes(): number {
    return this.#memoryBytes + this.#fileBytes;
  }

  get #fileBytes(): number {
    return this.#writePosition - this.#readPosition;
  }

  /**
   * Copies bytes to the end: the caller's memory may be used again at once.
   *
   * @returns why nothing was kept, or undefined.
   */
  push(bytes: Uint8Array): SpoolFailure | undefined {
    if (this.bytes + bytes.length > this.maximumBytes) return "full";
    if (this.#fileBytes === 0 && this.#memoryBytes + bytes.length <= this.memoryBytes) {
      this.#memory.push(Buffer.from(bytes));
      this.#memoryBytes += bytes.length;
      return undefined;
    }
    try {
      this.#file ??= this.#open();
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(this.#file, bytes, written, bytes.length - written, this.#writePosition + written);
      }
      this.#writePosition += bytes.length;
      return undefined;
    } catch {
      return "disk";
    }
  }

  /** Takes back the last bytes that were pushed, which must not have been shifted. */
  drop(count: number): void {
    const fromFile = Math.min(count, this.#fileBytes);
    this.#writePosition -= fromFile;
    for (let left = count - fromFile; left > 0; ) {
      const last = this.#memory.pop();
      if (last === undefined) return;
      const kept = last.subarray(0, Math.max(0, last.length - left));
      if (kept.length > 0) this.#memory.push(kept);
      this.#memoryBytes -= last.length - kept.length;
      left -= last.length - kept.length;
    }
  }

  /** The oldest bytes, or undefined when there are none. One call at a time. */
  async shift(): Promise<Buffer | undefined> {
    const first = this.#memory.shift();
    if (first !== undefined) {
      this.#memoryBytes -= first.length;
      return first;
    }
    if (this.#file === undefined || this.#fileBytes === 0) return undefined;
    const bytes = await readAt(this.#file, this.#readPosition, Math.min(readBytes, this.#fileBytes));
    this.#readPosition += bytes.length;
    if (this.#fileBytes === 0) {
      ftruncateSync(this.#file, 0);
      this.#readPosition = this.#writePosition = 0;
    }
    return bytes;
  }

  /** Forgets everything. No `shift` may be under way. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#memory = [];
    this.#memoryBytes = this.#readPosition = this.#writePosition = 0;
  }

  #open(): number {
    const path = join(this.folder, `answer-${crypto.randomUUID()}`);
    const file = openSync(path, "wx+", 0o600);
    unlinkSync(path);
    return file;
  }
}

function readAt(file: number, position: number, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    read(file, Buffer.alloc(length), 0, length, position, (error, count, buffer) => {
      if (error !== null) reject(error);
      else if (count === 0) reject(new Error("the file of an answer ended early"));
      else resolve(buffer.subarray(0, count));
    });
  });
}
