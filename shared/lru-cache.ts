/** LRU cache: keeps the values used last, up to a total size. */
export class LruCache<Value> {
  /** A map keeps insertion order: the least recently used entry is the first. */
  #entries = new Map<string, Value>();
  #size = 0;

  /**
   * @param maxSize total size of all values.
   * @param sizeOf size of a value; each counts 1 by default.
   */
  constructor(
    private readonly maxSize: number,
    private readonly sizeOf: (value: Value) => number = () => 1,
  ) {}

  /** Returns the value, which is then the most recently used. */
  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  /** Sets the value and evicts the least recently used ones that no longer fit. */
  set(key: string, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#size += this.sizeOf(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.maxSize) return;
      this.delete(oldest);
    }
  }

  /** Forgets the value. */
  delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#size -= this.sizeOf(value);
  }
}
