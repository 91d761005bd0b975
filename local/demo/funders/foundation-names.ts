import * as z from "zod";
import { phrases, readData } from "../data.ts";
import { states } from "../places/states.ts";

const words = readData(
  "funders/foundation-names.json",
  z.strictObject({
    place: z.strictObject({ first: phrases, second: phrases }),
    surname: z.strictObject({ start: phrases, end: phrases }),
    familyForms: phrases,
    industries: phrases,
  }),
);

/** Start of the second surname, in the longer names. */
const secondSurnameStart = "Brad";

export type FoundationKind = "community" | "family" | "corporate";

/**
 * Name of foundation `number` of its kind; no two numbers share one. The number is spread over the word lists digit by
 * digit, which gives 4,400 to 9,000 short names of each kind and hundreds of thousands of longer ones. Beyond those, the
 * name ends with a number.
 */
export function foundationName(kind: FoundationKind, seed: number, number: number): string {
  switch (kind) {
    case "community":
      return communityName(new Digits(number, words.place.first.length * words.place.second.length, seed));
    case "family":
      return familyName(new Digits(number, surnames * words.familyForms.length, seed));
    case "corporate":
      return corporateName(new Digits(number, surnames * words.industries.length, seed));
  }
}

const surnames = words.surname.start.length * words.surname.end.length;

function communityName(digits: Digits): string {
  const first = digits.take(words.place.first);
  const second = digits.take(words.place.second);
  const state = digits.takeNoneOr(states.map(({ name }) => name));
  // "Glen Glen" would read as a mistake.
  const place = first === second ? `New ${second}` : `${first} ${second}`;
  const region = state === null ? "" : ` of ${state}`;
  return `${place} Community Foundation${region}${digits.rest()}`;
}

function familyName(digits: Digits): string {
  const surname = digits.take(words.surname.start) + digits.take(words.surname.end);
  const form = digits.take(words.familyForms);
  const second = digits.takeNoneOr(words.surname.end);
  const partner = second === null ? "" : ` and ${secondSurnameStart}${second}`;
  return `${surname}${partner} ${form}${digits.rest()}`;
}

function corporateName(digits: Digits): string {
  const surname = digits.take(words.surname.start) + digits.take(words.surname.end);
  const industry = digits.take(words.industries);
  const second = digits.takeNoneOr(words.surname.end);
  const partner = second === null ? "" : ` ${secondSurnameStart}${second}`;
  return `${surname}${partner} ${industry} Foundation${digits.rest()}`;
}

/** Mixed-radix digits of a number: each word list takes one. */
class Digits {
  private left: number;

  /**
   * Neighbouring numbers would give neighbouring words, so numbers are shuffled within each block of `block`: multiplying
   * by a number without a common factor, modulo the block, is a permutation. 7919 is a prime that divides none of the blocks.
   */
  constructor(number: number, block: number, seed: number) {
    const shuffled = ((number % block) * 7919 + Math.abs(seed) * 101) % block;
    this.left = number - (number % block) + shuffled;
  }

  take<Item>(items: readonly Item[]): Item {
    const item = items[this.left % items.length];
    this.left = Math.floor(this.left / items.length);
    if (item === undefined) throw new Error("cannot take from an empty list");
    return item;
  }

  takeNoneOr<Item>(items: readonly Item[]): Item | null {
    return this.left === 0 ? null : this.take([null, ...items]);
  }

  rest(): string {
    return this.left === 0 ? "" : ` ${this.left + 1}`;
  }
}
