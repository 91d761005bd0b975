import * as z from "zod";
import { phrases, readData } from "../data.ts";
import type { Random } from "../random.ts";
import { isTropicalIsland } from "./states.ts";

const wordLists = z.strictObject({ first: phrases, town: phrases, water: phrases });

const { mainland, island } = readData(
  "places/local-names.json",
  z.strictObject({ mainland: wordLists, island: wordLists }),
);

/** Invented names for the places a record mentions. */
export interface LocalNames {
  town: string;
  county: string;
  /** A lake, river, or stream. */
  water: string;
}

/** Names that could stand in the state; a null state gives names that could stand in most. */
export function localNames(stateCode: string | null, random: Random): LocalNames {
  const { first, town, water } = stateCode !== null && isTropicalIsland(stateCode) ? island : mainland;
  const name = (endings: readonly string[]) => {
    const start = random.pick(first);
    // Avoids "Ridge Ridge" and "Prairie Prairie".
    const fitting = endings.filter((ending) => !ending.startsWith(start));
    return `${start} ${random.pick(fitting)}`;
  };
  return {
    town: name(town),
    county: countyName(stateCode, random.pick(first), random),
    water: name(water),
  };
}

function countyName(stateCode: string | null, name: string, random: Random): string {
  switch (stateCode) {
    case "LA":
      return `${name} Parish`;
    case "AK":
      return `${name} Borough`;
    case "DC":
      return `Ward ${random.integer(1, 8)}`;
    case "PR":
    case "GU":
    case "VI":
    case "AS":
    case "MP":
      return `${name} Municipality`;
    default:
      return `${name} County`;
  }
}
