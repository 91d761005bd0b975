/** Words of a slot: two of the head, two of the tail. */
const slotWords = 4;

/**
 * Set of derived identifiers, each a head and a tail of 64 bits in hexadecimal digits, as an open-addressing hash table that doubles at a load of
 * 70 %: 23 to 46 bytes an identifier. The tails of a head are found together.
 */
export class IdTable {
  #table = new Uint32Array(slotWords * 1024);
  #count = 0;

  /** Adds an identifier, unless it is there. */
  add(head: string, tail: string): void {
    if (this.has(head, tail)) return;
    if ((this.#count + 1) * slotWords > this.#table.length * 0.7) this.#grow();
    insert(this.#table, [...wordsOf(head), ...wordsOf(tail)]);
    this.#count++;
  }

  has(head: string, tail: string): boolean {
    return this.tails(head).includes(tail);
  }

  /** Returns the tails of a head. */
  tails(head: string): string[] {
    const [one, two] = wordsOf(head);
    const tails: string[] = [];
    const table = this.#table;
    for (let slot = slotOf(table, one); !isFree(table, slot); slot = (slot + slotWords) % table.length) {
      if (table[slot] !== one || table[slot + 1] !== two) continue;
      tails.push(
        [table[slot + 2] ?? 0, table[slot + 3] ?? 0].map((word) => word.toString(16).padStart(8, "0")).join(""),
      );
    }
    return tails;
  }

  #grow(): void {
    const larger = new Uint32Array(this.#table.length * 2);
    for (let slot = 0; slot < this.#table.length; slot += slotWords) {
      if (!isFree(this.#table, slot)) insert(larger, [...this.#table.subarray(slot, slot + slotWords)]);
    }
    this.#table = larger;
  }
}

function insert(table: Uint32Array, words: readonly number[]): void {
  let slot = slotOf(table, words[0] ?? 0);
  while (!isFree(table, slot)) slot = (slot + slotWords) % table.length;
  table.set(words, slot);
}

function slotOf(table: Uint32Array, word: number): number {
  return (word % (table.length / slotWords)) * slotWords;
}

/** Whether a slot has no identifier: none has a hash of zeros. */
function isFree(table: Uint32Array, slot: number): boolean {
  return table[slot] === 0 && table[slot + 1] === 0 && table[slot + 2] === 0 && table[slot + 3] === 0;
}

function wordsOf(hex: string): [number, number] {
  return [Number.parseInt(hex.slice(0, 8), 16), Number.parseInt(hex.slice(8, 16), 16)];
}
