import type { FederalAgency } from "./agency.ts";

/** Commerce, transport, science, culture, and defense. */
export const economyAgencies: readonly FederalAgency[] = [
  {
    name: "General Services Administration",
    abbreviation: "GSA",
    listings: {},
    officeCode: "47PB00",
    sites: ["the {town} Federal Building and Courthouse", "the {town} Land Port of Entry"],
  },
  {
    name: "National Science Foundation",
    abbreviation: "NSF",
    listings: {
      "basic-science": "47.049",
      stem: "47.076",
      cybersecurity: "47.070",
      "community-data": "47.075",
    },
    officeCode: "49100A",
  },
  {
    name: "Institute of Museum and Library Services",
    abbreviation: "IMLS",
    listings: { "museum-collections": "45.301", libraries: "45.310", "tribal-language": "45.308" },
    officeCode: "59IMLS",
  },
  {
    name: "Federal Transit Administration",
    abbreviation: "FTA",
    listings: { "public-transit": "20.526" },
    officeCode: "693JJ4",
  },
  {
    name: "Department of the Navy",
    abbreviation: "NAVY",
    listings: {},
    officeCode: "N40085",
    sites: ["Naval Station {town}", "the {town} Naval Shipyard", "Marine Corps Base {town}"],
  },
  {
    name: "National Endowment for the Arts",
    abbreviation: "NEA",
    listings: { "community-arts": "45.024" },
    officeCode: "59NEA1",
  },
  {
    name: "National Endowment for the Humanities",
    abbreviation: "NEH",
    listings: { "oral-history": "45.164", "museum-collections": "45.149" },
    officeCode: "59NEH1",
  },
  {
    name: "Economic Development Administration",
    abbreviation: "EDA",
    listings: { downtown: "11.307", "small-business": "11.300" },
    officeCode: "1331L5",
  },
  {
    name: "Small Business Administration",
    abbreviation: "SBA",
    listings: { "small-business": "59.037" },
    officeCode: "733510",
  },
  {
    name: "Department of Transportation",
    abbreviation: "DOT",
    listings: { "safe-streets": "20.939", "public-transit": "20.513" },
    officeCode: "693JK4",
  },
  {
    name: "National Institutes of Health",
    abbreviation: "NIH",
    listings: { "chronic-disease": "93.393", "basic-science": "93.847" },
    officeCode: "75N980",
    sites: ["the {town} Research Campus"],
  },
  {
    name: "National Telecommunications and Information Administration",
    abbreviation: "NTIA",
    listings: { "rural-broadband": "11.035" },
    officeCode: "1331NT",
  },
  {
    name: "Department of the Air Force",
    abbreviation: "USAF",
    listings: {},
    officeCode: "FA4890",
    sites: ["{town} Air Force Base", "the {town} Air Reserve Station"],
  },
  {
    name: "National Archives and Records Administration",
    abbreviation: "NARA",
    listings: { "oral-history": "89.003" },
    officeCode: "88310R",
    sites: ["the {town} Federal Records Center"],
  },
  {
    name: "National Aeronautics and Space Administration",
    abbreviation: "NASA",
    listings: { stem: "43.008", "basic-science": "43.001" },
    officeCode: "80GRC0",
    sites: ["the {town} Research Center"],
  },
  {
    name: "Appalachian Regional Commission",
    abbreviation: "ARC",
    listings: {
      "small-business": "23.002",
      downtown: "23.002",
      "rural-broadband": "23.002",
      apprenticeships: "23.002",
    },
    officeCode: "94ARC1",
    states: "AL GA KY MD MS NY NC OH PA SC TN VA WV",
  },
];
