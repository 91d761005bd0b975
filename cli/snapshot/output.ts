import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { SnapshotFile } from "../../shared/responses/snapshots.ts";

/** A compressed file of a snapshot, while it is written. */
export class Output {
  #gzip = createGzip({ level: 4 });
  #hash = createHash("sha256");
  #bytes = 0;
  #done: Promise<void>;
  #failure: unknown;
  records = 0;

  constructor(
    folder: string,
    readonly about: Pick<SnapshotFile, "name" | "format" | "contents">,
  ) {
    this.#gzip.on("data", (part: Buffer) => {
      this.#hash.update(part);
      this.#bytes += part.length;
    });
    this.#done = pipeline(this.#gzip, createWriteStream(join(folder, about.name), { flags: "wx", flush: true }));
    this.#done.catch((error) => {
      this.#failure = error;
    });
  }

  /** Writes text, and waits while the disk is behind. @throws where the disk is full, for example. */
  async write(text: string): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (!this.#gzip.write(text)) await Promise.race([once(this.#gzip, "drain"), this.#done]);
  }

  async end(): Promise<SnapshotFile> {
    this.#gzip.end();
    await this.#done;
    return { ...this.about, records: this.records, bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }
}
