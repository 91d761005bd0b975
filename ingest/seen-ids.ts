import { createHash } from "node:crypto";

/** Three words of hash and one of line number a place. 96 bits make a false repetition a matter of faith. */
const wordsEach = 4;
/** The line of an identifier whose row was no record: a good row of it may still come. */
const noLine = 0xffffffff;

type Key = readonly [number, number, number];

/**
 * Which identifiers an import has had, and on which line: 23 to 46 bytes each, where a Map of texts
 * takes some 150. (An open-addressing table that doubles at 70 %.)
 */
export class SeenIds {
  #table = new Uint32Array(wordsEach * 1024);
  #count = 0;

  /** The line on which the identifier was first kept; undefined when it is now, at `line`. */
  lineOfFirst(id: string, line: number): number | undefined {
    const place = this.#placeFor(id);
    const known = this.#table[place + 3];
    if (known !== undefined && known !== 0 && known !== noLine) return known;
    this.#table[place + 3] = line;
    return undefined;
  }

  /** Notes that the identifier was there, though nothing was kept of it. */
  note(id: string): void {
    const place = this.#placeFor(id);
    if (this.#table[place + 3] === 0) this.#table[place + 3] = noLine;
  }

  has(id: string): boolean {
    return this.#table[placeOf(this.#table, keyOf(id)) + 3] !== 0;
  }

  /** The identifier's place, which is taken now if it was not. */
  #placeFor(id: string): number {
    if ((this.#count + 1) * wordsEach > this.#table.length * 0.7) this.#grow();
    const key = keyOf(id);
    const place = placeOf(this.#table, key);
    if (this.#table[place + 3] === 0) {
      this.#table.set(key, place);
      this.#count++;
    }
    return place;
  }

  #grow(): void {
    const larger = new Uint32Array(this.#table.length * 2);
    for (let place = 0; place < this.#table.length; place += wordsEach) {
      const entry = this.#table.subarray(place, place + wordsEach);
      const [one = 0, two = 0, three = 0, line = 0] = entry;
      if (line !== 0) larger.set(entry, placeOf(larger, [one, two, three]));
    }
    this.#table = larger;
  }
}

function keyOf(id: string): Key {
  const hash = createHash("md5").update(id).digest();
  return [hash.readUInt32LE(0), hash.readUInt32LE(4), hash.readUInt32LE(8)];
}

/** Where the key is in the table, or would be: the first free place from its hash on. */
function placeOf(table: Uint32Array, [one, two, three]: Key): number {
  let place = (one % (table.length / wordsEach)) * wordsEach;
  while (table[place + 3] !== 0) {
    if (table[place] === one && table[place + 1] === two && table[place + 2] === three) return place;
    place = (place + wordsEach) % table.length;
  }
  return place;
}
