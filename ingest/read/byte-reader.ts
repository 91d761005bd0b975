/** Bytes of a stream, taken in the amounts that a format asks for. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next bytes, as many as there are at hand and at most `most`; undefined at the end. */
  async next(most = Number.POSITIVE_INFINITY): Promise<Uint8Array | undefined> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) return undefined;
      this.#rest = value;
    }
    const taken = this.#rest.subarray(0, Math.min(most, this.#rest.length));
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  /** Exactly so many bytes, or fewer where the stream ends. */
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

  /** Puts bytes back, to be taken next. */
  unread(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([bytes, this.#rest]);
  }

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
