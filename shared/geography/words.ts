/** Words of addresses, in lower case and without periods. */

const parseWords = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** USPS Publication 28, appendix C1: the usual suffixes of streets. */
export const streetSuffixes = parseWords(
  `st str street ave av aven avenue blvd boulevard rd road dr drive ln lane ct court pl place pkwy parkway hwy highway
   way cir circle ter terrace sq square loop pike trl trail tpke turnpike expy expressway fwy freeway row alley
   broadway route rte mall`,
);

export const directions = parseWords(
  "n s e w ne nw se sw north south east west northeast northwest southeast southwest",
);

/** Quadrants of Washington, DC, which stand behind its streets. */
export const quadrants = parseWords("ne nw se sw");

/** Words that say which part of a state is meant. */
export const stateParts = parseWords(
  `northern southern eastern western central north south east west upstate downstate greater coastal rural urban
   northeastern northwestern southeastern southwestern northeast northwest southeast southwest all entire`,
);

/** Words behind a state after which it is still the state: "Ohio statewide", "the Washington, DC metropolitan area". */
export const areaWords = parseWords("area areas region metro metropolitan vicinity statewide only state wide");

/** Nouns before "of" and a state that leave it the state: "State of Ohio", not "Bank of Ohio". */
export const partNouns = parseWords(
  `state states commonwealth territory territories all most much rest part parts portion portions area areas region
   regions city counties cities valley coast anywhere outside north south east west any`,
);

/** Words before a state's name that make it part of another name: "Fort Washington", "USS Ohio". */
export const nameStarts = parseWords(
  `fort ft port mount mt lake camp cape saint st uss usns ssn ssbn ssgn hms usat usav george martha denzel booker
   new baja gulf route hwy highway interstate little old class miss mr mrs ms dr hotel`,
);

/** Words before "CO" that make it a company: "ACME SUPPLY CO". */
export const businessWords = parseWords(
  `supply mfg manufacturing construction const electric electrical oil gas power steel iron tool tools equipment
   brothers bros sons son service services products product trading insurance transport trucking lumber paving
   engineering contracting machine machinery paint chemical coal metal glass paper drug food foods systems
   technology technologies motor motors press publishing telephone shipping`,
);

/** Words before a number, or the Roman "VI", that make it their number: "suite", "region". */
export const numberLabels = parseWords(
  `bldg building suite ste unit box pob apt room rm hangar psc cmr no number phase region part title zone area division
   corps district volume section block class group route rte hwy highway contract solicitation mod order nsn cage job
   project sr us interstate lot tract mile milepost warehouse floor type level appendix chapter`,
);

/** Words before "ID" that make it an identifier, not Idaho. */
export const idLabels = parseWords(
  "vendor site contract solicitation project photo user tax customer notice the opportunity employee duns uei facility",
);

/** Words of the names of United States military installations. */
export const baseWords = parseWords(
  "fort ft afb ab air naval navy nas army base camp arsenal barracks ang ngb garrison joint vamc marine mcas jb usda",
);

/** Words that name no place: "various locations", "multiple sites". */
export const noiseWords = parseWords(
  `various multiple several many location locations site sites place places of performance pop throughout across the
   within all at different see below sow pws tbd wide region statewide and other any facilities facility work will be
   address performed conus-wide delivery deliver to fob destination ship point`,
);

/** Function words: each begins a new phrase. */
export const functionWords = parseWords(
  "in at for with from to near on by within throughout across including includes is are be must will shall through via",
);

/** Words of English and Spanish that are state codes too. */
export const codesThatAreWords = parseWords("in or me hi oh ok as de la id co");
