/** Words of addresses, in lower case and without periods. */

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** USPS Publication 28, appendix C1: the usual suffixes of streets. */
export const streetSuffixes = setOf(
  `st str street ave av aven avenue blvd boulevard rd road dr drive ln lane ct court pl place pkwy parkway hwy highway
   way cir circle ter terrace sq square loop pike trl trail tpke turnpike expy expressway fwy freeway row alley
   broadway route rte mall`,
);

export const directions = setOf("n s e w ne nw se sw north south east west northeast northwest southeast southwest");

/** The quarters of Washington, DC, which stand behind its streets. */
export const quadrants = setOf("ne nw se sw");

/** Words that say which part of a state is meant. */
export const parts = setOf(
  `northern southern eastern western central north south east west upstate downstate greater coastal rural urban
   northeastern northwestern southeastern southwestern northeast northwest southeast southwest all entire`,
);

/** Words behind a state that leave it the place: "Ohio statewide", "the Washington, DC metropolitan area". */
export const scopes = setOf("area areas region metro metropolitan vicinity statewide only state wide");

/** What may be "of" a state without being something else: "State of Ohio", not "Bank of Ohio". */
export const partsOf = setOf(
  `state states commonwealth territory territories all most much rest part parts portion portions area areas region
   regions city counties cities valley coast anywhere outside north south east west any`,
);

/** Words before a state's name that make it the name of something else: "Fort Washington", "USS Ohio". */
export const nameStarts = setOf(
  `fort ft port mount mt lake camp cape saint st uss usns ssn ssbn ssgn hms usat usav george martha denzel booker
   new baja gulf route hwy highway interstate little old class miss mr mrs ms dr hotel`,
);

/** Words before "CO" that make it a company: "ACME SUPPLY CO". */
export const businessWords = setOf(
  `supply mfg manufacturing construction const electric electrical oil gas power steel iron tool tools equipment
   brothers bros sons son service services products product trading insurance transport trucking lumber paving
   engineering contracting machine machinery paint chemical coal metal glass paper drug food foods systems
   technology technologies motor motors press publishing telephone shipping`,
);

/** Words before a number or "VI" that make it a number of theirs. */
export const numberLabels = setOf(
  `bldg building suite ste unit box pob apt room rm hangar psc cmr no number phase region part title zone area division
   corps district volume section block class group route rte hwy highway contract solicitation mod order nsn cage job
   project sr us interstate lot tract mile milepost warehouse floor type level appendix chapter`,
);

/** Words before "ID" that make it an identifier. */
export const idLabels = setOf(
  "vendor site contract solicitation project photo user tax customer notice the opportunity employee duns uei facility",
);

/** Words that tell that the place is a United States installation. */
export const baseWords = setOf(
  "fort ft afb ab air naval navy nas army base camp arsenal barracks ang ngb garrison joint vamc marine mcas jb usda",
);

/** Words that say nothing of the place: "various locations", "multiple sites". */
export const noise = setOf(
  `various multiple several many location locations site sites place places of performance pop throughout across the
   within all at different see below sow pws tbd wide region statewide and other any facilities facility work will be
   address performed conus-wide delivery deliver to fob destination ship point`,
);

/** Small words behind which another part of the text begins. */
export const functionWords = setOf(
  "in at for with from to near on by within throughout across including includes is are be must will shall through via",
);

/** Small words of English and Spanish that are state codes as well. */
export const wordCodes = setOf("in or me hi oh ok as de la id co");
