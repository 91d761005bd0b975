import { isForeign } from "../../shared/geography/countries.ts";
import { isStateCode, type StateCode, stateNames } from "../../shared/geography/states.ts";
import { isBlank, toLine } from "./value.ts";

/**
 * Country of a place: the United States (`home`), a US territory with its state code, another country (`abroad`), or a text that
 * is in no list of countries (`unlisted`): a slip, several countries, or none.
 */
export type Country =
  | { kind: "home" }
  | { kind: "territory"; state: StateCode }
  | { kind: "abroad"; name: string }
  | { kind: "unlisted"; name: string };

/** Names are keys of {@link toCountryKey}. */
const home = new Set(["US", "USA", "UNITED STATES", "UNITED STATES OF AMERICA", "AMERICA", "AMERICA UNITED STATES OF"]);

/** Words that tell no country. */
const unknown = new Set([
  "ALL STATES",
  "CONUS",
  "DOMESTIC",
  "MULTIPLE",
  "MULTIPLE LOCATIONS",
  "NATIONAL",
  "NATIONWIDE",
  "NOT SPECIFIED",
  "TBA",
  "TBD",
  "TO BE DETERMINED",
  "UNDETERMINED",
  "UNK",
  "UNKNOWN",
  "VARIES",
  "VARIOUS",
  "VARIOUS LOCATIONS",
  "XX",
  "ZZ",
]);

/** ISO 3166's codes of three letters, and two of Kosovo. `Intl` has those of two letters and of three digits. */
const longCodes = new Set(
  `ABW AFG AGO AIA ALA ALB AND ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR BHS BIH BLM BLR
   BLZ BMU BOL BRA BRB BRN BTN BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR COD COG COK COL COM CPV CRI CUB CUW CXR CYM CYP
   CZE DEU DJI DMA DNK DOM DZA ECU EGY ERI ESH ESP EST ETH FIN FJI FLK FRA FRO FSM GAB GBR GEO GGY GHA GIB GIN GLP GMB
   GNB GNQ GRC GRD GRL GTM GUF GUM GUY HKG HMD HND HRV HTI HUN IDN IMN IND IOT IRL IRN IRQ ISL ISR ITA JAM JEY JOR JPN
   KAZ KEN KGZ KHM KIR KNA KOR KWT LAO LBN LBR LBY LCA LIE LKA LSO LTU LUX LVA MAC MAF MAR MCO MDA MDG MDV MEX MHL MKD
   MLI MLT MMR MNE MNG MNP MOZ MRT MSR MTQ MUS MWI MYS MYT NAM NCL NER NFK NGA NIC NIU NLD NOR NPL NRU NZL OMN PAK PAN
   PCN PER PHL PLW PNG POL PRI PRK PRT PRY PSE PYF QAT REU ROU RUS RWA SAU SDN SEN SGP SGS SHN SJM SLB SLE SLV SMR SOM
   SPM SRB SSD STP SUR SVK SVN SWE SWZ SXM SYC SYR TCA TCD TGO THA TJK TKL TKM TLS TON TTO TUN TUR TUV TWN TZA UGA UKR
   UMI URY USA UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM YEM ZAF ZMB ZWE XKS XKX`.split(/\s+/),
);

/** USPS codes of US territories and of states in free association, which have ISO 3166 country codes of their own. */
const territories: Readonly<Record<string, StateCode>> = {
  AS: "AS",
  ASM: "AS",
  FM: "FM",
  FSM: "FM",
  GU: "GU",
  GUM: "GU",
  MH: "MH",
  MHL: "MH",
  MNP: "MP",
  MP: "MP",
  PLW: "PW",
  PR: "PR",
  PRI: "PR",
  PW: "PW",
  VI: "VI",
  VIR: "VI",
};

/** Other names of them: ISO 3166's, and official ones. */
const otherNames: Readonly<Record<string, StateCode>> = {
  "Commonwealth of Puerto Rico": "PR",
  "Commonwealth of the Northern Mariana Islands": "MP",
  Micronesia: "FM",
  "Micronesia, Federated States of": "FM",
  "Republic of Palau": "PW",
  "Republic of the Marshall Islands": "MH",
  "United States Virgin Islands": "VI",
  "Virgin Islands of the United States": "VI",
  "Virgin Islands, U.S.": "VI",
};

const territoryByName = new Map<string, StateCode>([
  ...Object.values(territories)
    .filter(isStateCode)
    .map((code) => [toCountryKey(stateNames[code]), code] as const),
  ...Object.entries(otherNames).map(([name, code]) => [toCountryKey(name), code] as const),
]);

/**
 * Reads a country from its code, its name, or both in any order: "USA: UNITED STATES OF AMERICA", "Puerto Rico (PR)". Undefined when
 * the value is blank or tells no country ("Unknown", "Nationwide").
 */
export function parseCountry(value: unknown): Country | undefined {
  if (isBlank(value)) return undefined;
  const name = toLine(value);
  const key = toCountryKey(name);
  if (key === "" || unknown.has(key)) return undefined;
  return findCountry(name) ?? findInvertedName(name) ?? combine(name);
}

/** Finds a country by its whole text. */
function findCountry(name: string): Country | undefined {
  const key = toCountryKey(name.replace(/\.0+$/, ""));
  // ISO 3166 has numbers, too: 840 is the United States. Spreadsheets drop their leading zeros.
  const code = /^\d{1,3}$/.test(key) ? Intl.getCanonicalLocales(`und-${key.padStart(3, "0")}`)[0]?.slice(4) : undefined;
  return countryOfKey(code ?? key, name);
}

function countryOfKey(key: string, name: string): Country | undefined {
  if (home.has(key)) return { kind: "home" };
  const state = (Object.hasOwn(territories, key) ? territories[key] : undefined) ?? territoryByName.get(key);
  if (state !== undefined) return { kind: "territory", state };
  const isListed = longCodes.has(key) || listedCountries().has(key) || isForeign(key.toLowerCase().split(" "));
  return isListed ? { kind: "abroad", name } : undefined;
}

/** Finds "Korea, Republic of", "Iran (Islamic Republic of)" and "Georgia (country)" by what stands first. */
function findInvertedName(name: string): Country | undefined {
  const { first, form = "" } = /^(?<first>[^,(]+?) ?[,(] ?(?:the )?(?<form>[^,()]+)\)?$/i.exec(name)?.groups ?? {};
  const isForm = /\bof(?: the)?$|\b(?:republic|kingdom|federation|province|country|nation)\b/i.test(form);
  const country = first === undefined || !isForm || /\bunited states\b/i.test(form) ? undefined : findCountry(first);
  return country?.kind === "abroad" ? { ...country, name } : undefined;
}

/** Combines the parts of a text: all must mean the same country. Beside the United States, words that are no country say where in them. */
function combine(name: string): Country {
  const unlisted: Country = { kind: "unlisted", name };
  if (/\b(?:non|not|outside|except|excluding|other)\b/i.test(name)) return unlisted;
  const parts = name.split(/[:;,/()\u2013\u2014]| - |(?<=^[A-Z]{2,3})-/).filter((part) => /[\p{L}\p{N}]/u.test(part));
  const countries = parts.map((part) => findCountry(part.trim()));
  const known = countries.filter((country) => country !== undefined);
  const isHome = known.some(({ kind }) => kind === "home");
  // "Virgin Islands (British)": the other words may make it another country.
  if (!isHome && known.length < countries.length) return unlisted;
  if (known.some(({ kind }) => kind === "abroad"))
    return known.every(({ kind }) => kind === "abroad") ? { kind: "abroad", name } : unlisted;
  const [state, ...others] = new Set(known.flatMap((country) => (country.kind === "territory" ? [country.state] : [])));
  if (state !== undefined) return others.length === 0 ? { kind: "territory", state } : unlisted;
  return isHome ? { kind: "home" } : unlisted;
}

let listed: ReadonlySet<string> | undefined;

/** Codes of two letters and names of countries, as keys of {@link toCountryKey}. */
function listedCountries(): ReadonlySet<string> {
  listed ??= new Set(
    [...alphabet]
      .flatMap((first) => [...alphabet].flatMap((second) => keysOfCode(`${first}${second}`)))
      .concat("VIRGIN ISLANDS BRITISH"),
  );
  return listed;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const regionNames = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });

function keysOfCode(code: string): string[] {
  const name = regionNames.of(code);
  return name === undefined ? [] : [code, toCountryKey(name)];
}

/** A country's code for {@link parseCountry}. In a column of ISO 3166 codes, NA is Namibia; elsewhere it is blank. */
export function countryOfCode(code: unknown): unknown {
  return code === "NA" ? "Namibia" : code;
}

/** A name in capitals without punctuation and accents, without the article that ISO 3166 puts behind it: "Philippines (the)". */
function toCountryKey(name: string): string {
  return name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("&", " and ")
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .replace(/^THE | THE$/, "")
    .replace(/\bST\b/, "SAINT")
    .replace(/\bU S( A)?\b/, (initials) => initials.replaceAll(" ", ""));
}
