import { isStateCode, type StateCode, stateCodes, stateNames } from "./states.ts";

/** Further names of states, in lower case. */
const otherNames: readonly (readonly [string, StateCode])[] = [
  ["virgin islands", "VI"],
  ["us virgin islands", "VI"],
  ["united states virgin islands", "VI"],
  ["usvi", "VI"],
  ["virgin islands of the us", "VI"],
  ["micronesia", "FM"],
  ["cnmi", "MP"],
  ["mariana islands", "MP"],
  ["northern marianas", "MP"],
  ["republic of the marshall islands", "MH"],
  ["new york city", "NY"],
  ["nyc", "NY"],
  ["w va", "WV"],
  ["n mex", "NM"],
  ["n car", "NC"],
  ["n dak", "ND"],
  ["s car", "SC"],
  ["s dak", "SD"],
];

const nameList: readonly (readonly [string, StateCode])[] = [
  ...stateCodes.map((code) => [stateNames[code].toLowerCase().replaceAll(/[.,]/g, ""), code] as const),
  ...otherNames,
];
const codeByName = new Map(nameList);
const longestName = Math.max(...nameList.map(([name]) => name.split(" ").length));

/** The abbreviations from before 1963; source: GPO Style Manual, 9.40. Two-letter ones are codes as well. */
const abbreviations: Readonly<Record<string, StateCode>> = {
  ala: "AL",
  alas: "AK",
  ariz: "AZ",
  ark: "AR",
  calif: "CA",
  colo: "CO",
  conn: "CT",
  del: "DE",
  fla: "FL",
  ill: "IL",
  ind: "IN",
  kan: "KS",
  kans: "KS",
  mass: "MA",
  mich: "MI",
  minn: "MN",
  miss: "MS",
  mont: "MT",
  neb: "NE",
  nebr: "NE",
  nev: "NV",
  okla: "OK",
  ore: "OR",
  oreg: "OR",
  penn: "PA",
  penna: "PA",
  tenn: "TN",
  tex: "TX",
  wash: "WA",
  wis: "WI",
  wisc: "WI",
  wyo: "WY",
};

/** State at the end of a list of words: its form, and the count of its words. */
export interface StateAtEnd {
  code: StateCode;
  form: "name" | "code" | "abbreviation";
  count: number;
}

/** Finds the state at the end of words in lower case. The longest name that matches counts. */
export function findStateAtEnd(words: readonly string[]): StateAtEnd | undefined {
  for (let count = Math.min(longestName, words.length); count > 0; count--) {
    const code = codeByName.get(words.slice(-count).join(" "));
    if (code !== undefined) return { code, form: "name", count };
  }
  const last = words.at(-1) ?? "";
  const code = last.toUpperCase();
  if (isStateCode(code)) return { code, form: "code", count: 1 };
  // ISO 3166-2: US-OH.
  const iso = /^us-([a-z]{2})$/.exec(last)?.[1]?.toUpperCase();
  if (iso !== undefined && isStateCode(iso)) return { code: iso, form: "code", count: 1 };
  const abbreviated = Object.hasOwn(abbreviations, last) ? abbreviations[last] : undefined;
  return abbreviated === undefined ? undefined : { code: abbreviated, form: "abbreviation", count: 1 };
}

/** States that have a town named like another state, by that other state. Source: USGS, Geographic Names Information System. */
const townsByName: Readonly<Partial<Record<StateCode, string>>> = {
  AL: "NY",
  AZ: "LA",
  CA: "KY MD MO PA",
  DE: "IA NJ OH OK",
  FL: "MA NY OH PR",
  GA: "VT",
  ID: "OH",
  IN: "PA",
  IA: "LA",
  KS: "IL OH OK",
  LA: "MO",
  ME: "NY",
  MD: "NY",
  MI: "ND",
  MO: "AR",
  NV: "IA MO OH TX",
  NY: "TX",
  OH: "IL NY",
  OK: "MS PA",
  OR: "IL MO OH WI",
  TN: "IL",
  TX: "MD",
  VT: "IL WI",
  VA: "IL MN",
  WA: "AR CA CT DC GA IA IL IN KS KY LA MA ME MI MO MS NC NE NH NJ NY OH OK PA RI TN UT VA VT WI WV",
  WY: "DE IA IL MI MN NY OH PA RI",
};

/** Whether `state` has a town with the name of the state `name`: Delaware is in Ohio, Washington in DC. */
export function hasTown(name: StateCode, state: StateCode): boolean {
  return (townsByName[name] ?? "").split(" ").includes(state);
}
