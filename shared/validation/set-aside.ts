/**
 * Set-asides: their codes, and the names that people and publishers use. The importer and the filter share this table, so
 * that any name that a user types finds the records of any name that a file has.
 *
 * Sources: the set-aside codes of SAM.gov; FAR part 19 and 26.2; the data dictionary of FPDS-NG (type of set-aside);
 * the notices of FedBizOpps, which SAM.gov replaced in 2019.
 */

/** Codes by the parts of a name, in alphabetical order. Other words of a name ("set-aside", "program") are ignored. */
const codeByParts: ReadonlyMap<string, string> = new Map([
  ["small", "SBA"],
  ["small total", "SBA"],
  ["partial small", "SBP"],
  ["8a", "8A"],
  ["8a sole", "8AN"],
  ["hubzone", "HZC"],
  ["hubzone sole", "HZS"],
  ["sdvosb", "SDVOSBC"],
  ["sdvosb sole", "SDVOSBS"],
  ["wosb", "WOSB"],
  ["sole wosb", "WOSBSS"],
  ["edwosb", "EDWOSB"],
  ["edwosb sole", "EDWOSBSS"],
  ["local", "LAS"],
  ["iee", "IEE"],
  ["isbee", "ISBEE"],
  ["buy-indian", "BICIV"],
  ["vosb", "VSA"],
  ["sole vosb", "VSS"],
  // Codes of FPDS that SAM.gov does not have; award data of earlier years does.
  ["hbcu", "HMT"],
  ["hbcu total", "HMT"],
  ["hbcu partial", "HMP"],
  ["very-small", "VSB"],
  ["emerging-small", "ESB"],
  ["reserved-small", "RSB"],
]);

/** Codes by themselves in lower case, and by other codes with the same meaning. */
const codes: ReadonlyMap<string, string> = new Map([
  ...[...codeByParts.values()].map((code) => [code.toLowerCase(), code] as const),
  ["bi", "BICIV"],
  ["sdvosbss", "SDVOSBS"],
]);

/** A plural "s", unless it begins "set-aside", "sole source" or the like. */
const plural = "(?:s(?!etaside|ole|pecific|mall))?";

/**
 * Patterns of a name's parts, over its letters and digits alone; the longest come first. Text of the part "" is ignored. The
 * migration that corrected stored names (`set_aside_codes`) has a copy of that day's list.
 */
const vocabulary: readonly (readonly [pattern: string, part: string])[] = [
  [
    `econ(?:omically)?disadvantaged(?:wom[ae]ns?owned(?:smallbusiness(?:es)?|business(?:es)?)?|wosb${plural})|edwosb${plural}`,
    "edwosb",
  ],
  [`wom[ae]ns?owned(?:smallbusiness(?:es)?|business(?:es)?)?|wosb${plural}`, "wosb"],
  [`(?:servicedisabled|sd)veterans?owned(?:smallbusiness(?:es)?|business(?:es)?)?|sdvosb${plural}`, "sdvosb"],
  [`veterans?owned(?:smallbusiness(?:es)?|business(?:es)?)?|vosb${plural}`, "vosb"],
  [`historicallyunderutilized(?:smallbusiness(?:es)?|business(?:es)?)(?:zone${plural})?|hubzone${plural}`, "hubzone"],
  [`indiansmallbusinesseconomicenterprise${plural}|isbee${plural}`, "isbee"],
  [`indianeconomicenterprise${plural}|iee${plural}`, "iee"],
  ["buyindian(?:act)?", "buy-indian"],
  [
    `historicallyblackcollege${plural}(?:and|or)?(?:universit(?:y|ies))?|minorityinstitution${plural}|hbcu${plural}(?:(?:and|or)?mi${plural})?`,
    "hbcu",
  ],
  ["verysmallbusiness(?:es)?", "very-small"],
  ["emergingsmallbusiness(?:es)?", "emerging-small"],
  ["reservedforsmallbusiness(?:es)?(?:\\d+(?:to\\d+k?)?)?", "reserved-small"],
  ["smallbusiness(?:es)?", "small"],
  ["(?:section)?8a", "8a"],
  ["localarea", "local"],
  [`solesource${plural}`, "sole"],
  ["partial", "partial"],
  ["total", "total"],
  ["specificto[a-z]+$", ""],
  ["far(?:sub)?(?:part)?\\d+", ""],
  [
    `setaside${plural}|program${plural}|sbacertified|certified|compet(?:ed|itive|ition)|concern${plural}|100percent|only|the|or|and|for|in|of`,
    "",
  ],
];

const words = new RegExp(`(?:${vocabulary.map(([pattern]) => `(${pattern})`).join("|")})`, "y");

/**
 * Returns the code, in upper case, of a set-aside's code or name, in any letter case and punctuation: `HUBZone` and
 * "Historically Underutilized Business (HUBZone) Set-Aside (FAR 19.13)" are `HZC`. Any other text is returned trimmed, since
 * publishers also use codes of their own, and a filter should find those.
 */
export function setAsideCode(text: string): string {
  return knownCode(text) ?? text.trim();
}

/** Whether a text is a code or a name of one. */
export function isSetAside(text: string): boolean {
  return knownCode(text) !== undefined;
}

function knownCode(text: string): string | undefined {
  const squashed = text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return codes.get(squashed) ?? codeByParts.get(findParts(squashed));
}

/** Returns the parts of a name, each once, in alphabetical order; "" where some of the text is unknown. */
function findParts(squashed: string): string {
  // A longer text is not a name.
  if (squashed.length > 200) return "";
  const parts = new Set<string>();
  words.lastIndex = 0;
  while (words.lastIndex < squashed.length) {
    const found = words.exec(squashed);
    if (found === null) return "";
    parts.add(vocabulary[found.slice(1).findIndex((group) => group !== undefined)]?.[1] ?? "");
  }
  parts.delete("");
  // "Economically Disadvantaged WOSB" has both.
  if (parts.has("edwosb")) parts.delete("wosb");
  if (parts.has("sdvosb")) parts.delete("vosb");
  // A program has one code, whether total, partial or small business: "Total HUB Zone", "8(a) small business".
  if ([...parts].some((part) => programs.has(part))) {
    for (const part of ["small", "total"]) parts.delete(part);
    if (!parts.has("sole")) parts.delete("partial");
  }
  return [...parts].sort().join(" ");
}

const programs: ReadonlySet<string> = new Set([
  "8a",
  "hubzone",
  "sdvosb",
  "vosb",
  "wosb",
  "edwosb",
  "isbee",
  "iee",
  "buy-indian",
  "local",
]);
