import { createHash } from "node:crypto";

/** Three words of hash and one of line number a place. 96 bits make a false repetition a matter of faith. */
const wordsEach = 4;

/**
 * Which identifiers a file has had, and on which line: 23 to 46 bytes each, where a Map of texts
 * takes some 150. (An open-addressing table that doubles at 70 %.)
 */
export class SeenIds {
  #table = new Uint32Array(wordsEach * 1024);
  #count = 0;

  /** The line on which the identifier was first seen; undefined when it is now, at `line`. */
  lineOfFirst(id: string, line: number): number | undefined {
    if ((this.#count + 1) * wordsEach > this.#table.length * 0.7) this.#grow();
    const hash = createHash("md5").update(id).digest();
    const key = [hash.readUInt32LE(0), hash.readUInt32LE(4), hash.readUInt32LE(8)] as const;
    const place = placeOf(this.#table, key);
    const known = this.#table[place + 3];
    if (known !== undefined && known !== 0) return known;
    this.#table.set([...key, line], place);
    this.#count++;
    return undefined;
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

/** Where the key is in the table, or would be: the first free place from its hash on. */
function placeOf(table: Uint32Array, [one, two, three]: readonly [number, number, number]): number {
  let place = (one % (table.length / wordsEach)) * wordsEach;
  while (table[place + 3] !== 0) {
    if (table[place] === one && table[place + 1] === two && table[place + 2] === three) return place;
    place = (place + wordsEach) % table.length;
  }
  return place;
}
