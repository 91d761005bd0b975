/**
 * Set-asides by GSA code, with the names people use for them. Sources: the set-aside codes of
 * SAM.gov, and FAR part 19.
 */
const namesByCode: Record<string, readonly string[]> = {
  SBA: ["small business", "total small business", "total small business set-aside"],
  SBP: ["partial small business", "partial small business set-aside"],
  "8A": ["8(a)", "8(a) set-aside", "8a competed", "8a competitive"],
  "8AN": ["8(a) sole source", "8a sole source"],
  HZC: [
    "hubzone",
    "hubzone set-aside",
    "historically underutilized business",
    "historically underutilized business zone",
  ],
  HZS: ["hubzone sole source"],
  SDVOSBC: ["sdvosb", "service-disabled veteran-owned small business", "sdvosb set-aside"],
  SDVOSBS: ["sdvosb sole source", "service-disabled veteran-owned small business sole source"],
  WOSB: ["women-owned small business", "wosb set-aside"],
  WOSBSS: ["wosb sole source", "women-owned small business sole source"],
  EDWOSB: ["economically disadvantaged wosb", "economically disadvantaged women-owned small business"],
  EDWOSBSS: ["edwosb sole source", "economically disadvantaged women-owned small business sole source"],
  LAS: ["local area", "local area set-aside"],
  IEE: ["indian economic enterprise"],
  ISBEE: ["indian small business economic enterprise"],
  BICIV: ["buy indian", "buy indian set-aside"],
  VSA: ["vosb", "veteran-owned small business", "veteran-owned small business set-aside"],
  VSS: ["vosb sole source", "veteran-owned small business sole source"],
};

/** Letters and digits decide; case, hyphens, parentheses and spaces do not. */
function comparable(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

const codeByName = new Map(
  Object.entries(namesByCode).flatMap(([code, names]) =>
    [code, ...names].map((name) => [comparable(name), code] as const),
  ),
);

/**
 * The GSA code, in upper case, that a set-aside's code or common name means (`HUBZone` is `HZC`); or
 * the text itself, since publishers also use codes of their own, and a filter should find those.
 */
export function setAsideCode(text: string): string {
  return codeByName.get(comparable(text)) ?? text.trim();
}
