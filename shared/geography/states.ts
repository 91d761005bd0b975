/** The two-letter USPS codes of states, districts, territories and military addresses. */
export const stateNames = {
  AA: "Armed Forces Americas",
  AE: "Armed Forces Europe, the Middle East, and Canada",
  AK: "Alaska",
  AL: "Alabama",
  AP: "Armed Forces Pacific",
  AR: "Arkansas",
  AS: "American Samoa",
  AZ: "Arizona",
  CA: "California",
  CO: "Colorado",
  CT: "Connecticut",
  DC: "District of Columbia",
  DE: "Delaware",
  FL: "Florida",
  FM: "Federated States of Micronesia",
  GA: "Georgia",
  GU: "Guam",
  HI: "Hawaii",
  IA: "Iowa",
  ID: "Idaho",
  IL: "Illinois",
  IN: "Indiana",
  KS: "Kansas",
  KY: "Kentucky",
  LA: "Louisiana",
  MA: "Massachusetts",
  MD: "Maryland",
  ME: "Maine",
  MH: "Marshall Islands",
  MI: "Michigan",
  MN: "Minnesota",
  MO: "Missouri",
  MP: "Northern Mariana Islands",
  MS: "Mississippi",
  MT: "Montana",
  NC: "North Carolina",
  ND: "North Dakota",
  NE: "Nebraska",
  NH: "New Hampshire",
  NJ: "New Jersey",
  NM: "New Mexico",
  NV: "Nevada",
  NY: "New York",
  OH: "Ohio",
  OK: "Oklahoma",
  OR: "Oregon",
  PA: "Pennsylvania",
  PR: "Puerto Rico",
  PW: "Palau",
  RI: "Rhode Island",
  SC: "South Carolina",
  SD: "South Dakota",
  TN: "Tennessee",
  TX: "Texas",
  UT: "Utah",
  VA: "Virginia",
  VI: "U.S. Virgin Islands",
  VT: "Vermont",
  WA: "Washington",
  WI: "Wisconsin",
  WV: "West Virginia",
  WY: "Wyoming",
} as const;

export type StateCode = keyof typeof stateNames;

export const stateCodes = Object.keys(stateNames) as StateCode[];

export function isStateCode(text: string): text is StateCode {
  return Object.hasOwn(stateNames, text);
}

/**
 * The states that free text names, by name or by upper-case code ("Ohio", "State of Ohio",
 * "Columbus, OH", "Kansas and Missouri"), in alphabetical order of their codes. A text that is
 * nothing but a code may be in lower case.
 */
export function statesNamedIn(text: string): StateCode[] {
  const whole = text.trim().toUpperCase();
  if (isStateCode(whole)) return [whole];
  const found = new Set<StateCode>();
  let rest = ` ${text.replaceAll(/[^A-Za-z]+/g, " ")} `;
  for (const { code, pattern } of longestNamesFirst) {
    // A name that was found is taken out, so that West Virginia is not also Virginia.
    const without = rest.replaceAll(pattern, " ");
    if (without !== rest) found.add(code);
    rest = without;
  }
  for (const word of rest.split(" ")) {
    if (isStateCode(word)) found.add(word);
  }
  // "Washington DC" names the district, not the state.
  if (found.has("DC") && /washington,? +d\.?c/i.test(text)) found.delete("WA");
  return [...found].sort();
}

const longestNamesFirst = stateCodes
  .map((code) => {
    const words = stateNames[code].replace("U.S. ", "").replaceAll(/[^A-Za-z]+/g, " ");
    return { code, length: words.length, pattern: new RegExp(` ${words}(?= )`, "gi") };
  })
  .sort((one, other) => other.length - one.length);
