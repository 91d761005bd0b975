import type { Random } from "../random.ts";
import { isTropicalIsland } from "./terrain.ts";

const firstParts =
  "Alder Aspen Badger Birch Bluff Cedar Chestnut Clear Cottonwood Crane Eagle Elk Elm Falcon Fern Fox Granite Harvest Hawthorn Hickory Heron Juniper Larch Laurel Linden Maple Meadow Mill Oak Otter Pine Prairie Quarry Raven Ridge Rock Sandstone Spring Stone Summit Sumac Sycamore Timber Walnut Willow Wren".split(
    " ",
  );

const townEndings =
  "Bend,Bluffs,Bridge,City,Corners,Creek,Crossing,Falls,Forks,Grove,Heights,Hill,Hollow,Junction,Park,Point,Ridge,Run,Springs,Valley,View".split(
    ",",
  );

const waterEndings = "Creek,Creek,River,River,Lake,Lake,Lake,Pond,Run,Reservoir".split(",");

const islandFirstParts =
  "Breadfruit Coral Lagoon Leeward Mangrove Northern Palm Reef Seagrape Southern Sunrise Tamarind Tradewind Windward".split(
    " ",
  );
const islandTownEndings = "Bay,Beach,Estates,Harbor,Heights,Point,Village".split(",");
const islandWaterEndings = "Bay,Gut,Lagoon,Stream".split(",");

/** Invented names for the places a record mentions. */
export interface LocalNames {
  town: string;
  county: string;
  /** A lake, river, or stream. */
  water: string;
}

/** Names that could stand in the state; a null state gives names that could stand in most. */
export function localNames(stateCode: string | null, random: Random): LocalNames {
  const tropical = stateCode !== null && isTropicalIsland(stateCode);
  const first = tropical ? islandFirstParts : firstParts;
  const name = (endings: readonly string[]) => {
    const start = random.pick(first);
    // "Ridge Ridge" and "Prairie Prairie" are the only way this can read wrong.
    const fitting = endings.filter((ending) => !ending.startsWith(start));
    return `${start} ${random.pick(fitting)}`;
  };
  return {
    town: name(tropical ? islandTownEndings : townEndings),
    county: countyName(stateCode, random.pick(first), random),
    water: name(tropical ? islandWaterEndings : waterEndings),
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
