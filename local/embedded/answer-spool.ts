import { closeSync, ftruncateSync, openSync, read, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Bytes read from the file at a time. */
const readBytes = 256 * 1024;

/** Why bytes cannot be spooled: the spool is full, or the disk failed. */
export type SpoolFailure = "full" | "disk";

/**
 * FIFO queue of bytes that a client has not read yet. The oldest are in memory. Bytes beyond the memory's limit go to an
 * unlinked file, which disappears with the process, however it ends.
 */
export class AnswerSpool {
  #memory: Buffer[] = [];
  #memoryBytes = 0;
  #file: number | undefined;
  #readPosition = 0;
  #writePosition = 0;

  /**
   * @param folder folder of the file, which is made when it is needed.
   * @param memoryBytes limit of the bytes in memory.
   * @param maximumBytes limit of all bytes.
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
   * Appends a copy of the bytes: the caller may reuse its memory at once.
   *
   * @returns why nothing was appended, or undefined.
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

  /** Removes the last `count` bytes pushed. None of them may have been shifted. */
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

  /** Removes and returns the oldest bytes; undefined when there are none. One call at a time. */
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

  /** Drops everything and closes the file. No `shift` may be under way. */
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
