/** The kind of country that a topic needs; without one, a topic fits anywhere. */
export type Terrain = "coast" | "dry-forest" | "countryside" | "tribal-lands" | "temperate";

const territories = new Set(["PR", "GU", "VI", "AS", "MP"]);

const islands = new Set([...territories, "HI"]);

const coast = new Set("ME NH MA RI CT NY NJ DE MD VA NC SC GA FL AL MS LA TX CA OR WA AK HI PR GU VI AS MP".split(" "));

const dryForest = new Set("AZ CA CO FL ID KS MN MT NE NV NM ND OK OR SD TX UT WA WY AK HI NC GA SC".split(" "));

/** States with federally recognized tribes. */
const tribalLands = new Set(
  "AK AL AZ CA CO CT FL IA ID KS LA MA ME MI MN MS MT NC ND NE NM NV NY OK OR RI SC SD TX UT VA WA WI WY".split(" "),
);

/** Whether a topic that needs the terrain makes sense in the state. */
export function hasTerrain(stateCode: string, terrain: Terrain | undefined): boolean {
  switch (terrain) {
    case undefined:
      return true;
    case "coast":
      return coast.has(stateCode);
    case "dry-forest":
      return dryForest.has(stateCode);
    case "countryside":
      return stateCode !== "DC";
    case "tribal-lands":
      return tribalLands.has(stateCode);
    case "temperate":
      return !islands.has(stateCode);
  }
}

/** Whether the code is that of a territory. */
export function isTerritory(stateCode: string): boolean {
  return territories.has(stateCode);
}

/** Whether the state is made of tropical islands, where "Maple Lake" would read wrong. */
export function isTropicalIsland(stateCode: string): boolean {
  return islands.has(stateCode);
}
