import type { FunderProfile } from "../funders/profile.ts";
import type { Random } from "../random.ts";
import { series } from "../text.ts";
import { hasTerrain, type State, stateOf, states, type Terrain } from "./states.ts";

/** Region in which a record applies, for its fields and for its text. */
export interface Place {
  states: string[];
  isNational: boolean;
  geography: string | null;
  /** "in Ohio and Indiana", "across the country", "in participating communities". */
  inPlace: string;
  /** State of the local names, even when the record does not name it. */
  localState: string | null;
}

const nationwide: Place = {
  states: [],
  isNational: true,
  geography: "National",
  inPlace: "across the country",
  localState: null,
};

/** Region in which a grant opportunity applies. */
export function grantPlace(funder: FunderProfile, terrain: Terrain | undefined, random: Random): Place {
  switch (funder.kind) {
    case "federal": {
      if (funder.states.length > 0) return within(gathered(funder, terrain, random.integer(1, 4), random));
      const reach = random.next();
      if (reach < 0.72) return nationwide;
      if (reach < 0.9) return within(gathered(funder, terrain, random.integer(1, 3), random));
      return unknown(null);
    }
    case "state":
      return within(funder.states);
    case "community":
      return within(gathered(funder, terrain, random.chance(0.25) ? 2 : 1, random));
    case "family": {
      const reach = random.next();
      if (reach < 0.22) return nationwide;
      if (reach < 0.8) return within(gathered(funder, terrain, random.integer(1, 4), random));
      return unknown(null);
    }
    case "corporate": {
      const reach = random.next();
      if (reach < 0.4) return nationwide;
      if (reach < 0.8) return within(gathered(funder, terrain, random.integer(1, 4), random));
      return unknown(null);
    }
  }
}

/** Region of a funded project or a contract: one state, named or not, or the whole country. */
export function workPlace(
  funder: FunderProfile,
  terrain: Terrain | undefined,
  shares: { unnamed: number; national: number },
  random: Random,
): Place {
  const [state] = gathered(funder, terrain, 1, random);
  const reach = random.next();
  if (funder.kind !== "state" && reach < shares.national) return nationwide;
  if (state === undefined || (funder.kind !== "state" && reach < shares.national + shares.unnamed)) {
    return unknown(state ?? null);
  }
  return within([state]);
}

function within(codes: readonly string[]): Place {
  if (codes.length === 0) return unknown(null);
  const chosen = codes.map(stateOf);
  return {
    states: [...codes],
    isNational: false,
    geography: chosen.map(({ name }) => name).join("; "),
    inPlace: `in ${series(chosen.map(({ phrase }) => phrase))}`,
    localState: codes[0] ?? null,
  };
}

function unknown(localState: string | null): Place {
  return {
    states: [],
    isNational: false,
    geography: null,
    inPlace: "in participating communities",
    localState,
  };
}

/** A home state and up to `count - 1` neighbours of it, all with the terrain. */
function gathered(funder: FunderProfile, terrain: Terrain | undefined, count: number, random: Random): string[] {
  const homes = funder.states.length > 0 ? funder.states.map(stateOf) : states;
  const fit = homes.filter(({ code }) => hasTerrain(code, terrain));
  if (fit.length === 0) return [];
  const first = random.pick(fit);
  // Few people live in the territories, so most draws of one are drawn again.
  const home: State = first.isTerritory === true && random.chance(0.75) ? random.pick(fit) : first;
  if (count === 1) return [home.code];
  // A federal body with a region stays within it; everybody else may cross borders.
  const bound = funder.kind === "federal" && funder.states.length > 0;
  const reachable = home.neighbors.filter(
    (code) => hasTerrain(code, terrain) && (!bound || funder.states.includes(code)),
  );
  return [home.code, ...random.sample(reachable, count - 1)];
}
