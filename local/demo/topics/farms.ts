import type { GrantTopic } from "./topic.ts";

/** New farmers, soil and water on farms. */
export const farmTopics: readonly GrantTopic[] = [
  {
    key: "small-farms",
    theme: "small and beginning farms",
    categories: ["Agriculture", "Business and Commerce"],
    scale: "medium",
    terrain: "countryside",
    programs: [
      "Beginning Farmer and Rancher",
      "Small Farm Viability",
      "Next Generation Agriculture",
      "Family Farm Innovation",
    ],
    projects: [
      "Land and Mentors for New Farmers in {county}",
      "A Shared Wash and Pack House near {town}",
      "Hoop Houses for Small Growers in {county}",
    ],
    grantees: ["the {town} Farmers Cooperative", "the {town} Extension Office", "the {town} Growers Alliance"],
    needs: [
      "The average farmer is close to sixty, and few young people can afford land.",
      "Family farms that sell to their neighbors need equipment made for small acreage.",
      "New growers learn fastest from experienced ones, but there are few formal ways to do so.",
    ],
    purposes: [
      "help new farmers and ranchers get started",
      "keep small and family farms in business",
      "teach growers new crops, methods, and business skills",
      "pass farmland on to the next generation",
    ],
    activities: [
      "farm business planning",
      "mentoring by experienced growers",
      "buying tools and hoop houses",
      "matching retiring farmers with new ones",
      "testing new crops and markets",
      "stress and mental health support for farm families",
    ],
    people: [
      "farmers in their first ten years",
      "veterans who want to farm",
      "immigrant and refugee growers",
      "ranchers with fewer than a hundred head of cattle",
    ],
    applicants: [
      "farmer cooperatives",
      "extension services and land-grant colleges",
      "farmers and ranchers",
      "nonprofit farm incubators",
    ],
    measures: [
      "new farms still operating after three years",
      "farm income",
      "acres kept in agriculture",
      "growers trained",
    ],
  },
  {
    key: "soil",
    theme: "soil health and water conservation on farms",
    categories: ["Agriculture", "Natural Resources", "Environment"],
    scale: "medium",
    publicOnly: true,
    terrain: "countryside",
    programs: ["Soil Health", "Conservation on Working Lands", "Cover Crop", "Irrigation Efficiency"],
    projects: [
      "Cover Crops on 5,000 Acres in {county}",
      "Saving Irrigation Water around {town}",
      "Better Grazing on {county} Livestock Farms",
    ],
    grantees: ["the {town} Conservation District", "the {town} Irrigation District", "the {town} Grazing Association"],
    needs: [
      "Good soil washes or blows away each year that a field is left bare.",
      "Drought is forcing growers to produce the same crop with less water.",
      "Healthy ground holds rain, feeds plants, and needs less fertilizer.",
    ],
    purposes: [
      "build healthy soil on farms and ranches",
      "save water and cut erosion on working land",
      "help producers adopt cover crops, no-till planting, and better grazing",
      "prepare farms for drought and heavy rain",
    ],
    activities: [
      "seeding cover crops",
      "replacing flood irrigation with drip lines",
      "fencing for rotational grazing",
      "soil testing and nutrient planning",
      "field days on working farms",
      "sharing no-till drills among neighbors",
      "planting windbreaks",
    ],
    people: [
      "producers on highly erodible land",
      "irrigators in drought-stricken basins",
      "ranchers on native range",
      "growers who are new to conservation programs",
    ],
    applicants: [
      "conservation districts",
      "farmers, ranchers, and forest owners",
      "irrigation districts",
      "producer associations",
    ],
    measures: [
      "acres under improved management",
      "tons of soil saved",
      "acre-feet of water conserved",
      "organic matter in sampled fields",
    ],
  },
];
