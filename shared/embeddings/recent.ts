/** The most recently used values, by name. */
export class Recent<Value> {
  #values = new Map<string, Value>();

  constructor(private readonly most: number) {}

  get(name: string): Value | undefined {
    const value = this.#values.get(name);
    // A map keeps the order in which its members came: this one has come again.
    if (value !== undefined) this.set(name, value);
    return value;
  }

  set(name: string, value: Value): void {
    this.#values.delete(name);
    this.#values.set(name, value);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.most) return;
      this.#values.delete(oldest);
    }
  }
}
