/** The most recently used values, by name. */
export class Recent<Value> {
  #values = new Map<string, Value>();
  #size = 0;

  /**
   * @param most how large all values may be together.
   * @param sizeOf what a value counts for; each is one when this is left out.
   */
  constructor(
    private readonly most: number,
    private readonly sizeOf: (value: Value) => number = () => 1,
  ) {}

  get(name: string): Value | undefined {
    const value = this.#values.get(name);
    // A map keeps the order in which its members came: this one has come again.
    if (value !== undefined) this.set(name, value);
    return value;
  }

  set(name: string, value: Value): void {
    this.#forget(name);
    this.#values.set(name, value);
    this.#size += this.sizeOf(value);
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.most) return;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    const value = this.#values.get(name);
    if (value === undefined) return;
    this.#values.delete(name);
    this.#size -= this.sizeOf(value);
  }
}
