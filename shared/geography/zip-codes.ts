import type { StateCode } from "./states.ts";

/**
 * Ranges of the first three digits of ZIP codes, by state. Source: USPS, L002 3-Digit ZIP Code Prefix Matrix. Unused
 * prefixes are left out. A prefix with post offices of two states is listed under the state of nearly all of them.
 */
const ranges: Readonly<Record<string, string>> = {
  AA: "340",
  AE: "090-098",
  AK: "995-999",
  AL: "350-352 354-369",
  AP: "962-966",
  AR: "716-729",
  AZ: "850-853 855-857 859-860 863-865",
  CA: "900-908 910-928 930-961",
  CO: "800-816",
  CT: "060-069",
  DC: "200 202-205 569",
  DE: "197-199",
  FL: "320-339 341-342 344 346-347 349",
  GA: "300-319 398-399",
  GU: "969",
  HI: "967-968",
  IA: "500-516 520-528",
  ID: "832-838",
  IL: "600-620 622-629",
  IN: "460-479",
  KS: "660-662 664-679",
  KY: "400-418 420-427",
  LA: "700-701 703-708 710-714",
  MA: "010-027 055",
  MD: "206-212 214-219",
  ME: "039-049",
  MI: "480-499",
  MN: "550-551 553-567",
  MO: "630-631 633-641 644-658",
  MS: "386-397",
  MT: "590-599",
  NC: "270-289",
  ND: "580-588",
  NE: "680-681 683-693",
  NH: "030-038",
  NJ: "070-089",
  NM: "870-871 873-875 877-884",
  NV: "889-891 893-895 897-898",
  NY: "005 100-149",
  OH: "430-459",
  OK: "730-731 734-741 743-749",
  OR: "970-979",
  PA: "150-196",
  PR: "006-007 009",
  RI: "028-029",
  SC: "290-299",
  SD: "570-577",
  TN: "370-385",
  TX: "733 750-770 772-799 885",
  UT: "840-847",
  VA: "201 220-246",
  VI: "008",
  VT: "050-054 056-059",
  WA: "980-986 988-994",
  WI: "530-532 534-535 537-549",
  WV: "247-268",
  WY: "820-831",
};

/** ZIP codes of another state than the rest of their prefix: islands, bases, and the Pacific territories. */
const exceptions: Readonly<Record<string, StateCode>> = {
  "06390": "NY",
  "83414": "WY",
  "96799": "AS",
  "96939": "PW",
  "96940": "PW",
  "96941": "FM",
  "96942": "FM",
  "96943": "FM",
  "96944": "FM",
  "96950": "MP",
  "96951": "MP",
  "96952": "MP",
  "96960": "MH",
  "96970": "MH",
};

const stateByPrefix = new Map(
  Object.entries(ranges).flatMap(([state, text]) =>
    text.split(" ").flatMap((range) => {
      const [first = "", last = first] = range.split("-");
      const length = Number(last) - Number(first) + 1;
      const prefixes = Array.from({ length }, (_, index) => String(Number(first) + index).padStart(3, "0"));
      return prefixes.map((prefix) => [prefix, state as StateCode] as const);
    }),
  ),
);

/** Returns the state of a ZIP code, by its first five digits; undefined where no post office has such a code. */
export function stateOfZip(zip: string): StateCode | undefined {
  const digits = zip.slice(0, 5);
  return exceptions[digits] ?? stateByPrefix.get(digits.slice(0, 3));
}

/**
 * Reads the five digits of a ZIP code as a column writes it. Spreadsheets drop leading zeros ("2110" is Boston's 02110, "21101234"
 * is 02110-1234) and write "2110.0". Undefined for other numbers of digits.
 */
export function readZip(text: string): string | undefined {
  const digits = /^(?:\d{5}(?=\D|$|\d{4}\b)|\d{3,4}(?=(?:-?\d{4})?(?:\.0+)?$))/.exec(text)?.[0];
  return digits?.padStart(5, "0");
}
