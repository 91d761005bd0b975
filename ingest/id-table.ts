/** Words of an entry: two of the head, two of the tail, and the number of the entry of this head before it. Entries are numbered from 1; 0 is none. */
const entryWords = 5;

/**
 * Set of derived identifiers, each a head and a tail of 64 bits in hexadecimal digits, in 31 to 62 bytes an identifier: entries in their order, found by
 * two hash tables, one of whole identifiers and one of heads. The tails of a head are a linked list, so that a hundred thousand identifiers of one
 * head take no longer than others.
 */
export class IdTable {
  #entries = new Uint32Array(entryWords * 1024);
  #count = 0;
  /** Number of the entry in each bucket, open-addressed, doubled at a load of 70 %. */
  #bucketsOfIds = new Uint32Array(2048);
  /** Number of the newest entry of a head. */
  #bucketsOfHeads = new Uint32Array(2048);

  /** Adds an identifier, unless it is there. */
  add(head: string, tail: string): void {
    const words = [...wordsOf(head), ...wordsOf(tail)] as const;
    if (this.#bucketsOfIds[this.#findId(words)] !== 0) return;
    if ((this.#count + 1) * entryWords > this.#entries.length) this.#growEntries();
    if (this.#count + 1 > this.#bucketsOfIds.length * 0.7) this.#growBuckets();
    this.#count++;
    this.#entries.set(words, (this.#count - 1) * entryWords);
    this.#link(this.#count, words);
  }

  has(head: string, tail: string): boolean {
    return this.#bucketsOfIds[this.#findId([...wordsOf(head), ...wordsOf(tail)])] !== 0;
  }

  hasHead(head: string): boolean {
    return this.#bucketsOfHeads[this.#findHead(wordsOf(head))] !== 0;
  }

  /** Yields the tails of a head, the newest first. */
  *tails(head: string): Generator<string> {
    let number = this.#bucketsOfHeads[this.#findHead(wordsOf(head))] ?? 0;
    while (number !== 0) {
      const [, , one = 0, two = 0, before = 0] = this.#entry(number);
      yield hexOf(one) + hexOf(two);
      number = before;
    }
  }

  #entry(number: number): Uint32Array {
    return this.#entries.subarray((number - 1) * entryWords, number * entryWords);
  }

  /** Puts an entry into both tables. */
  #link(number: number, words: Words): void {
    const bucket = this.#findHead([words[0], words[1]]);
    this.#entries[number * entryWords - 1] = this.#bucketsOfHeads[bucket] ?? 0;
    this.#bucketsOfHeads[bucket] = number;
    this.#bucketsOfIds[this.#findId(words)] = number;
  }

  /** Returns the bucket of an identifier, or the free one where it belongs. */
  #findId(words: Words): number {
    return this.#find(this.#bucketsOfIds, words);
  }

  #findHead(words: readonly [number, number]): number {
    return this.#find(this.#bucketsOfHeads, words);
  }

  #find(buckets: Uint32Array, words: readonly number[]): number {
    // All words count, so that alike identifiers, such as small numbers, do not share a bucket.
    const hash = words.reduce((mixed, word) => Math.imul(mixed ^ word, 0x9e3779b1) ^ (mixed >>> 15), 0);
    let bucket = (hash >>> 0) % buckets.length;
    for (let number = buckets[bucket] ?? 0; number !== 0; number = buckets[bucket] ?? 0) {
      const entry = this.#entry(number);
      if (words.every((word, index) => entry[index] === word)) return bucket;
      bucket = (bucket + 1) % buckets.length;
    }
    return bucket;
  }

  #growEntries(): void {
    const larger = new Uint32Array(this.#entries.length * 2);
    larger.set(this.#entries);
    this.#entries = larger;
  }

  #growBuckets(): void {
    this.#bucketsOfIds = new Uint32Array(this.#bucketsOfIds.length * 2);
    this.#bucketsOfHeads = new Uint32Array(this.#bucketsOfHeads.length * 2);
    for (let number = 1; number <= this.#count; number++) {
      const [one = 0, two = 0, three = 0, four = 0] = this.#entry(number);
      this.#link(number, [one, two, three, four]);
    }
  }
}

type Words = readonly [number, number, number, number];

function wordsOf(hex: string): [number, number] {
  return [Number.parseInt(hex.slice(0, 8), 16), Number.parseInt(hex.slice(8, 16), 16)];
}

function hexOf(word: number): string {
  return word.toString(16).padStart(8, "0");
}
