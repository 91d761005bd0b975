/** Reader of a byte stream in pieces of requested sizes. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Reads the available bytes, at most `maximum`. Undefined at the end. */
  async next(maximum = Number.POSITIVE_INFINITY): Promise<Uint8Array | undefined> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) return undefined;
      this.#rest = value;
    }
    const taken = this.#rest.subarray(0, Math.min(maximum, this.#rest.length));
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  /** Reads exactly this many bytes, or fewer at the end of the stream. */
  async exactly(count: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    let missing = count;
    while (missing > 0) {
      const piece = await this.next(missing);
      if (piece === undefined) break;
      pieces.push(piece);
      missing -= piece.length;
    }
    return Buffer.concat(pieces);
  }

  /** Puts bytes back, to be read next. */
  unread(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([bytes, this.#rest]);
  }

  /** Reads all remaining bytes, and closes the stream. */
  async *rest(): AsyncGenerator<Uint8Array> {
    try {
      for (let bytes = await this.next(); bytes !== undefined; bytes = await this.next()) yield bytes;
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
