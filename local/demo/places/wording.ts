import { hasTerrain, isTropicalIsland } from "./states.ts";

const countrysideWords = /rural|small[- ]town|farm|ranch|count(y|ies)\b|village|valley|miles|range/i;
const winterWords = /winter|snow|furnace|heating|insulat|draft|freez|maple|prairie|basement|ranch|lock and dam/i;

const tribalWords = /\btrib(e|al)|native nonprofit|urban indian/i;

/**
 * Entries of a bank that suit the states: no ranches in the District of Columbia, no furnaces on Guam, no tribes in Ohio.
 * Returns the whole bank if nothing would be left.
 */
export function fitting(bank: readonly string[], states: readonly string[]): readonly string[] {
  const unfit = unfitWords(states);
  if (unfit.length === 0) return bank;
  const fit = bank.filter((entry) => !unfit.some((words) => words.test(entry)));
  return fit.length > 0 ? fit : bank;
}

function unfitWords(states: readonly string[]): RegExp[] {
  const [first] = states;
  if (first === undefined) return [];
  const unfit: RegExp[] = [];
  if (first === "DC" && states.length === 1) unfit.push(countrysideWords);
  if (isTropicalIsland(first)) unfit.push(winterWords);
  if (!states.some((state) => hasTerrain(state, "tribal-lands"))) unfit.push(tribalWords);
  return unfit;
}
