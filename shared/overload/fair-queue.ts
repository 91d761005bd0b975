/**
 * Queue in which no caller delays another by more than its share: first come, first served for each caller, and the callers by
 * the slots that they hold. Deterministic: neither time nor chance decides.
 */
export class FairQueue<Item> {
  /** Items by caller. Whoever was served last, or came last, is at the end. */
  readonly #items = new Map<string, Item[]>();
  #length = 0;

  /** Items of all callers. */
  get length(): number {
    return this.#length;
  }

  /** The caller's item that waits longest. */
  first(caller: string): Item | undefined {
    return this.#items.get(caller)?.[0];
  }

  push(caller: string, item: Item): void {
    const items = this.#items.get(caller);
    if (items === undefined) this.#items.set(caller, [item]);
    else items.push(item);
    this.#length++;
  }

  remove(caller: string, item: Item): void {
    const items = this.#items.get(caller);
    const index = items?.indexOf(item) ?? -1;
    if (items !== undefined && index >= 0) this.#take(caller, items, index);
  }

  /**
   * Takes the next item: of the caller who holds the fewest slots, and among equals of the one who was served longest ago.
   *
   * @param slots slots by caller; who is not in it holds none.
   * @param isEligible whether a caller may have another slot; asked of callers who hold some alone.
   * @returns undefined where nobody waits who may have one.
   */
  shift(slots: ReadonlyMap<string, number>, isEligible: (caller: string) => boolean): Item | undefined {
    let next: { caller: string; items: Item[]; held: number } | undefined;
    for (const [caller, items] of this.#items) {
      const held = slots.get(caller) ?? 0;
      if (held > 0 && !isEligible(caller)) continue;
      if (next === undefined || held < next.held) next = { caller, items, held };
      if (held === 0) break;
    }
    if (next === undefined) return undefined;
    const { caller, items } = next;
    this.#items.delete(caller);
    this.#items.set(caller, items);
    return this.#take(caller, items, 0);
  }

  /**
   * Makes room for an item of a caller: takes the latest item of the caller with the most.
   *
   * @returns undefined where nobody would have more than this caller, who is then the one to refuse.
   */
  makeRoom(caller: string): Item | undefined {
    let longest = { caller, items: this.#items.get(caller) ?? [] };
    const own = longest.items.length + 1;
    for (const [other, items] of this.#items) {
      if (items.length > longest.items.length) longest = { caller: other, items };
    }
    if (longest.items.length <= own) return undefined;
    return this.#take(longest.caller, longest.items, longest.items.length - 1);
  }

  #take(caller: string, items: Item[], index: number): Item | undefined {
    const [item] = items.splice(index, 1);
    if (items.length === 0) this.#items.delete(caller);
    this.#length--;
    return item;
  }
}
