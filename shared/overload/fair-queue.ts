/** Waiting items of a caller: calls, which may be refused, and later parts of answers that have begun. */
interface Waiting<Item> {
  calls: Item[];
  parts: Item[];
  isPartsTurn: boolean;
}

/** Kinds of items, each with its own order. */
export type Kind = "calls" | "parts";

/** An item, and where it is. */
export interface QueuedItem<Item> {
  caller: string;
  kind: Kind;
  item: Item;
}

/**
 * Queue in which no caller delays another by more than its share. The caller that holds the fewest permits is served first. Calls and
 * parts of answers of one caller take turns, each kind first come, first served. Deterministic: neither time nor chance decides.
 */
export class FairQueue<Item> {
  /** Items by caller. The caller that was served last, or came last, is at the end. */
  readonly #waiting = new Map<string, Waiting<Item>>();
  #calls = 0;

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Calls of all callers. */
  get calls(): number {
    return this.#calls;
  }

  /** The caller's call that waits longest. */
  firstCall(caller: string): Item | undefined {
    return this.#waiting.get(caller)?.calls[0];
  }

  push(caller: string, kind: Kind, item: Item): void {
    const waiting = this.#waiting.get(caller) ?? { calls: [], parts: [], isPartsTurn: false };
    this.#waiting.set(caller, waiting);
    waiting[kind].push(item);
    if (kind === "calls") this.#calls++;
  }

  remove(caller: string, kind: Kind, item: Item): void {
    const waiting = this.#waiting.get(caller);
    const index = waiting?.[kind].indexOf(item) ?? -1;
    if (waiting !== undefined && index >= 0) this.#take(caller, waiting, kind, index);
  }

  /**
   * Returns the next item: of the caller that holds the fewest permits, and among equals of the one that was served longest ago.
   *
   * @param permits permits by caller; a caller that is not in it holds none.
   * @param isEligible whether a caller may have another permit; asked only for callers that hold some.
   * @returns undefined where no waiting caller may have a permit.
   */
  next(permits: ReadonlyMap<string, number>, isEligible: (caller: string) => boolean): QueuedItem<Item> | undefined {
    let next: { caller: string; waiting: Waiting<Item>; held: number } | undefined;
    for (const [caller, waiting] of this.#waiting) {
      const held = permits.get(caller) ?? 0;
      if (held > 0 && !isEligible(caller)) continue;
      if (next === undefined || held < next.held) next = { caller, waiting, held };
      if (held === 0) break;
    }
    if (next === undefined) return undefined;
    const { caller, waiting } = next;
    const kind = waiting.calls.length === 0 || (waiting.isPartsTurn && waiting.parts.length > 0) ? "parts" : "calls";
    const [item] = waiting[kind];
    return item === undefined ? undefined : { caller, kind, item };
  }

  /** Removes the next item, which is served. Its caller then comes last among its equals, with its other kind first. */
  serve({ caller, kind, item }: QueuedItem<Item>): void {
    const waiting = this.#waiting.get(caller);
    if (waiting === undefined) return;
    this.#waiting.delete(caller);
    this.#waiting.set(caller, waiting);
    waiting.isPartsTurn = kind === "calls";
    this.remove(caller, kind, item);
  }

  /**
   * Makes room for a call of a caller: takes the latest call of the caller with the most.
   *
   * @returns undefined where this caller has the most calls waiting: refuse its call instead.
   */
  makeRoom(caller: string): Item | undefined {
    let most = this.#waiting.get(caller)?.calls.length ?? 0;
    const own = most + 1;
    let longest: { caller: string; waiting: Waiting<Item> } | undefined;
    for (const [other, waiting] of this.#waiting) {
      if (waiting.calls.length <= most) continue;
      most = waiting.calls.length;
      longest = { caller: other, waiting };
    }
    if (longest === undefined || most <= own) return undefined;
    return this.#take(longest.caller, longest.waiting, "calls", most - 1);
  }

  #take(caller: string, waiting: Waiting<Item>, kind: Kind, index: number): Item | undefined {
    const [item] = waiting[kind].splice(index, 1);
    if (waiting.calls.length + waiting.parts.length === 0) this.#waiting.delete(caller);
    if (kind === "calls") this.#calls--;
    return item;
  }
}
