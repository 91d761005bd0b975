import { states } from "../places/states.ts";

const placeFirst =
  "Amber Ashen Blue Bright Broad Cedar Clear Copper Cross Deep Eagle Elder Fair Falcon Fern Glen Golden Granite Green Harbor Hawk High Iron Juniper Long Maple Moss North Oak Pine Prairie Quiet Red River Sage Silver South Stone Sun Three West Whispering White Wild Willow Wind Wren".split(
    " ",
  );
const placeSecond =
  "Arch Bend Bluff Branch Brook Canyon Creek Fields Ford Forks Gate Glen Hills Hollow Lakes Meadow Mesa Plains Point Ridge Rivers Springs Trail Valley Vista Woods".split(
    " ",
  );

const surnameStart =
  "Alden Asker Brack Bram Calder Corrin Dray Elder Fenn Gadd Hollis Harrow Hart Ingle Kesk Lark Marl Merri Nether Orrin Penn Quill Rad Rook Seld Stran Tarn Thistle Under Vane Wether Wick Wold Yarr".split(
    " ",
  );
const surnameEnd =
  "bourne by cliffe combe croft dale field gate ham holm hurst leigh low mere ridge shaw stead thorpe well win wood worth".split(
    " ",
  );

const secondSurnameStart = "Brad";

const familyForms = [
  "Family Foundation",
  "Charitable Trust",
  "Foundation",
  "Fund",
  "Memorial Foundation",
  "Family Fund",
] as const;

const industries = [
  "Grocers",
  "Insurance",
  "Bank",
  "Energy",
  "Manufacturing",
  "Health Partners",
  "Software",
  "Logistics",
  "Home Stores",
  "Foods",
  "Railway",
  "Telecom",
] as const;

export type FoundationKind = "community" | "family" | "corporate";

/**
 * The name of foundation `number` of its kind: no two numbers share one. The number is spread over
 * the word lists digit by digit, which gives 4,400 to 9,000 short names of each kind and hundreds of
 * thousands of longer ones; past those the number itself is added.
 */
export function foundationName(kind: FoundationKind, seed: number, number: number): string {
  switch (kind) {
    case "community":
      return communityName(new Digits(number, placeFirst.length * placeSecond.length, seed));
    case "family":
      return familyName(new Digits(number, surnames * familyForms.length, seed));
    case "corporate":
      return corporateName(new Digits(number, surnames * industries.length, seed));
  }
}

const surnames = surnameStart.length * surnameEnd.length;

function communityName(digits: Digits): string {
  const first = digits.take(placeFirst);
  const second = digits.take(placeSecond);
  const state = digits.takeNoneOr(states.map(({ name }) => name));
  // "Glen Glen" would be the one name that reads as a mistake.
  const place = first === second ? `New ${second}` : `${first} ${second}`;
  const region = state === null ? "" : ` of ${state}`;
  return `${place} Community Foundation${region}${digits.rest()}`;
}

function familyName(digits: Digits): string {
  const surname = digits.take(surnameStart) + digits.take(surnameEnd);
  const form = digits.take(familyForms);
  const second = digits.takeNoneOr(surnameEnd);
  const partner = second === null ? "" : ` and ${secondSurnameStart}${second}`;
  return `${surname}${partner} ${form}${digits.rest()}`;
}

function corporateName(digits: Digits): string {
  const surname = digits.take(surnameStart) + digits.take(surnameEnd);
  const industry = digits.take(industries);
  const second = digits.takeNoneOr(surnameEnd);
  const partner = second === null ? "" : ` ${secondSurnameStart}${second}`;
  return `${surname}${partner} ${industry} Foundation${digits.rest()}`;
}

/** Takes a number apart into choices, one list after another. */
class Digits {
  private left: number;

  /**
   * Neighbouring numbers would give neighbouring words, so numbers are shuffled within each block of
   * `block`: multiplying by a number without a common factor, modulo the block, moves every number to
   * a place of its own. 7919 is a prime that divides none of the blocks.
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
