/**
 * Names of countries, provinces and continents as publishers write them, in lower case and without accents. Georgia is
 * left out: it counts as the country only where something else in the text says so.
 */
const names = `afghanistan|albania|algeria|andorra|angola|antarctica|argentina|armenia|aruba|australia|austria|azerbaijan|
bahamas|bahrain|bangladesh|barbados|belarus|belgium|belize|benin|bermuda|bhutan|bolivia|bosnia|bosnia and herzegovina|
bosnia herzegovina|herzegovina|botswana|brazil|british virgin islands|brunei|bulgaria|burkina faso|burma|burundi|
cabo verde|cambodia|cameroon|canada|cape verde|cayman islands|central african republic|chad|chile|china|colombia|comoros|
congo|costa rica|cote d ivoire|croatia|cuba|curacao|cyprus|czech republic|czechia|democratic republic of the congo|
denmark|diego garcia|djibouti|dominica|dominican republic|east timor|ecuador|egypt|el salvador|england|
equatorial guinea|eritrea|estonia|eswatini|ethiopia|fiji|finland|france|gabon|gambia|germany|ghana|gibraltar|great britain|
greece|greenland|grenada|guatemala|guinea|guinea-bissau|guyana|haiti|holland|honduras|hong kong|hungary|iceland|india|
indonesia|iran|iraq|ireland|israel|italy|ivory coast|jamaica|japan|jordan|kazakhstan|kenya|kiribati|korea|south korea|
north korea|republic of korea|rok|kosovo|kuwait|kyrgyzstan|laos|latvia|lebanon|lesotho|liberia|libya|liechtenstein|
lithuania|luxembourg|macedonia|north macedonia|madagascar|malawi|malaysia|maldives|mali|malta|mauritania|mauritius|mexico|
moldova|monaco|mongolia|montenegro|morocco|mozambique|myanmar|namibia|nauru|nepal|netherlands|the netherlands|
new zealand|nicaragua|niger|nigeria|northern ireland|norway|oman|pakistan|palestine|panama|papua new guinea|paraguay|
peru|philippines|the philippines|poland|portugal|qatar|republic of georgia|romania|russia|russian federation|rwanda|
samoa|saudi arabia|scotland|senegal|serbia|seychelles|sierra leone|singapore|slovakia|slovenia|solomon islands|
somalia|south africa|south sudan|spain|sri lanka|sudan|suriname|sweden|switzerland|syria|taiwan|tajikistan|tanzania|
thailand|togo|tonga|trinidad and tobago|tunisia|turkey|turkiye|turkmenistan|tuvalu|uganda|ukraine|united arab emirates|
uae|united kingdom|uk|great britain|uruguay|uzbekistan|vanuatu|vatican city|venezuela|vietnam|viet nam|wales|west bank|
yemen|zambia|zimbabwe|europe|africa|asia|middle east|latin america|international|overseas|abroad|foreign|worldwide|
outside the united states|outside the us|outside us|oconus|alberta|british columbia|manitoba|new brunswick|
newfoundland|nova scotia|ontario|prince edward island|quebec|saskatchewan|yukon|nunavut`;

const foreignNames = new Set(names.replaceAll("\n", "").split("|"));

/** Whether the words are, as a whole, the name of a country, province or continent abroad. */
export function isForeign(words: readonly string[]): boolean {
  return foreignNames.has(words.join(" "));
}

/** Counts the words at the end that name a country abroad: 2 in "Seoul South Korea", 0 where none do. */
export function countForeignWordsAtEnd(words: readonly string[]): number {
  for (const count of [5, 4, 3, 2, 1]) {
    if (count <= words.length && isForeign(words.slice(-count))) return count;
  }
  return 0;
}

/** Foreign cities by their country's ISO 3166 code, where it is a state's code too: "Berlin, DE" is not in Delaware. */
const citiesByCode: Readonly<Record<string, string>> = {
  AL: "tirana|durres",
  AR: "buenos aires|rosario",
  AZ: "baku",
  CA: "toronto|ottawa|montreal|vancouver bc|calgary|edmonton|winnipeg|halifax|quebec",
  CO: "bogota|medellin|cali|cartagena|barranquilla",
  DE: "berlin|munich|frankfurt|hamburg|cologne|stuttgart|ramstein|kaiserslautern|wiesbaden|bonn|vilseck|grafenwoehr",
  GA: "libreville",
  ID: "jakarta|surabaya|bandung",
  IL: "tel aviv|jerusalem|haifa",
  IN: "new delhi|delhi|mumbai|bangalore|bengaluru|chennai|hyderabad|kolkata|pune",
  KY: "george town",
  LA: "vientiane",
  MA: "rabat|casablanca|marrakesh|tangier",
  MD: "chisinau",
  ME: "podgorica",
  MN: "ulaanbaatar",
  MO: "macau",
  MS: "plymouth montserrat",
  MT: "valletta",
  NE: "niamey|agadez",
  PA: "panama city",
  SC: "mahe",
  SD: "khartoum",
  TN: "tunis",
  VA: "vatican",
};

/** Whether the words end with a city of the country that has this code. */
export function isForeignCity(words: readonly string[], code: string): boolean {
  const text = words.join(" ");
  return (citiesByCode[code] ?? "")
    .split("|")
    .some((city) => city !== "" && (text === city || text.endsWith(` ${city}`)));
}

/** Cities and regions of the country Georgia. */
const georgianCities =
  /\b(tbilisi|batumi|kutaisi|rustavi|zugdidi|poti|telavi|mtskheta|sukhumi|abkhazia|ossetia|vaziani|krtsanisi|senaki)\b/i;

/** "Georgia (country)", "Georgia (GE)", "the country of Georgia". */
const countryGeorgia =
  /\bgeorgia\s*[([]\s*(?:the\s+)?(?:country|nation|republic|republic of|caucasus|sakartvelo|europe|asia|eurasia|geo?)\s*[)\]]|\b(?:country|nation) of georgia\b/i;

/** Whether the text names a city of the country Georgia, or calls it a country, so that "Georgia" in it is not the state. */
export function isInGeorgia(text: string): boolean {
  return georgianCities.test(text) || countryGeorgia.test(text);
}

/** A Canadian postal code: "K1P 5T1". */
const canadianPostalCode = /\b[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d\b/;

export function hasCanadianPostalCode(text: string): boolean {
  return canadianPostalCode.test(text);
}
