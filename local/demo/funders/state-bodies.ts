/** A kind of agency that every state has. */
export interface StateBody {
  /** Follows the state's name: "Ohio" + " " + title. */
  title: string;
  abbreviation: string;
  grantTopics: readonly string[];
  /** Its own kinds of work place. `{town}` and `{water}` allowed. */
  sites: readonly string[];
  /** False for a body that a city without farmland does not have. */
  inCity?: false;
}

/** Seventeen kinds: a prime number, which `funder-list.ts` needs to deal them out evenly. */
export const stateBodies: readonly StateBody[] = [
  {
    title: "Department of Natural Resources",
    abbreviation: "DNR",
    grantTopics: [
      "watershed",
      "wildlife",
      "parks-trails",
      "urban-forestry",
      "wildfire",
      "coastal-resilience",
      "fisheries",
    ],
    sites: ["{water} State Park", "the {town} State Fish Hatchery"],
  },
  {
    title: "Department of Agriculture",
    abbreviation: "AGR",
    grantTopics: ["small-farms", "farmers-markets", "soil", "food-pantries"],
    sites: ["the {town} Animal Health Laboratory", "the {town} State Fairgrounds"],
    inCity: false,
  },
  {
    title: "Department of Education",
    abbreviation: "DOE",
    grantTopics: [
      "early-literacy",
      "stem",
      "after-school",
      "summer-meals",
      "adult-education",
      "college-access",
      "child-care",
    ],
    sites: ["the {town} School for the Deaf"],
  },
  {
    title: "Department of Health",
    abbreviation: "DOH",
    grantTopics: ["maternal-health", "rural-clinics", "opioid", "oral-health", "chronic-disease"],
    sites: ["the {town} Public Health Laboratory", "the {town} State Hospital"],
  },
  {
    title: "Department of Human Services",
    abbreviation: "DHS",
    grantTopics: [
      "food-pantries",
      "summer-meals",
      "domestic-violence",
      "child-care",
      "homelessness",
      "disability",
      "healthy-aging",
      "refugees",
    ],
    sites: ["the {town} Family Services Center"],
  },
  {
    title: "Housing Finance Agency",
    abbreviation: "HFA",
    grantTopics: ["affordable-housing", "homelessness", "veterans-housing", "home-repair", "weatherization"],
    sites: [],
  },
  {
    title: "Department of Transportation",
    abbreviation: "DOT",
    grantTopics: ["public-transit", "safe-streets", "clean-air"],
    sites: ["the {town} Maintenance Garage", "the {town} Rest Area"],
  },
  {
    title: "Department of Environmental Quality",
    abbreviation: "DEQ",
    grantTopics: ["brownfields", "drinking-water", "watershed", "recycling", "clean-air"],
    sites: ["the {town} Monitoring Station"],
  },
  {
    title: "Department of Commerce",
    abbreviation: "COM",
    grantTopics: ["small-business", "downtown", "rural-broadband", "cybersecurity", "community-data"],
    sites: [],
  },
  {
    title: "Arts Council",
    abbreviation: "ARTS",
    grantTopics: ["community-arts"],
    sites: [],
  },
  {
    title: "Historical Commission",
    abbreviation: "HIST",
    grantTopics: ["historic-preservation", "museum-collections", "oral-history"],
    sites: ["the {town} State Historic Site"],
  },
  {
    title: "Library Commission",
    abbreviation: "LIB",
    grantTopics: ["libraries", "early-literacy", "adult-education"],
    sites: [],
  },
  {
    title: "Emergency Management Agency",
    abbreviation: "EMA",
    grantTopics: ["flood", "fire-departments", "wildfire"],
    sites: ["the {town} Emergency Operations Center"],
  },
  {
    title: "Workforce Development Board",
    abbreviation: "WDB",
    grantTopics: ["apprenticeships", "clean-energy-workforce", "reentry", "adult-education"],
    sites: ["the {town} Career Center"],
  },
  {
    title: "Energy Office",
    abbreviation: "ENR",
    grantTopics: ["weatherization", "community-energy", "clean-energy-workforce"],
    sites: [],
  },
  {
    title: "Office of Justice Programs",
    abbreviation: "OJP",
    grantTopics: ["domestic-violence", "youth-violence", "reentry", "legal-aid", "opioid"],
    sites: ["the {town} State Crime Laboratory"],
  },
  {
    title: "Behavioral Health Authority",
    abbreviation: "BHA",
    grantTopics: ["opioid", "youth-mental-health", "veterans-housing"],
    sites: ["the {town} Psychiatric Hospital"],
  },
];
