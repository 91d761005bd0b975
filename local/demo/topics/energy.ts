import type { GrantTopic } from "./topic.ts";

/** Weatherization and local power. */
export const energyTopics: readonly GrantTopic[] = [
  {
    key: "weatherization",
    theme: "energy bills and home weatherization",
    categories: ["Energy", "Housing", "Income Security and Social Services"],
    scale: "large",
    terrain: "temperate",
    programs: ["Home Weatherization", "Energy Bill Relief", "Efficient Homes", "Low-Income Energy Savings"],
    projects: [
      "Insulating 200 Homes in {county}",
      "Heat Pumps for Low-Income Families in {town}",
      "Lower Energy Bills for {town} Seniors",
    ],
    grantees: [
      "the {town} Community Action Agency",
      "the {town} Housing Partnership",
      "the {town} Area Agency on Aging",
    ],
    needs: [
      "Low-income families spend three times as much of their budget on heating and cooling as other households do.",
      "Drafty windows and old furnaces make homes unhealthy as well as costly.",
      "No one should have to choose between paying the electric bill and buying groceries.",
    ],
    purposes: [
      "insulate and air-seal older homes",
      "replace unsafe furnaces with efficient equipment",
      "cut heating and cooling bills for families with low incomes",
      "make homes warmer in winter, cooler in summer, and cheaper to run",
    ],
    activities: [
      "energy audits",
      "adding insulation in attics and walls",
      "sealing drafts around windows and doors",
      "installing heat pumps and efficient water heaters",
      "fixing roofs and wiring before weatherization",
      "teaching residents how to save energy",
    ],
    people: [
      "older homeowners on fixed incomes",
      "families behind on their utility bills",
      "renters in drafty apartments",
      "households with a member who has asthma",
    ],
    applicants: [
      "community action agencies",
      "local housing authorities",
      "nonprofit housing repair groups",
      "tribal housing departments",
    ],
    measures: [
      "homes weatherized",
      "energy saved per home",
      "average savings on utility bills",
      "health and safety hazards corrected",
    ],
  },
  {
    key: "community-energy",
    theme: "community solar and resilient power",
    categories: ["Energy", "Community Development", "Science and Technology"],
    scale: "capital",
    publicOnly: true,
    programs: ["Community Solar", "Resilient Power", "Local Microgrid", "Renewable Energy for Rural America"],
    projects: [
      "Solar Panels and Batteries for {town} Fire Stations",
      "A Microgrid for the {town} Medical Center",
      "Community Solar Garden in {county}",
    ],
    grantees: [
      "the {town} Electric Cooperative",
      "the {town} Municipal Light Department",
      "the {town} Energy Alliance",
    ],
    needs: [
      "Storms and heat waves knock out power for days in places at the end of the line.",
      "Renters and people with shaded roofs cannot put up solar panels of their own.",
      "Small utilities want to add renewable power but lack engineers to plan it.",
    ],
    purposes: [
      "build solar and battery systems that keep the lights on during an outage",
      "plan and install microgrids at hospitals, shelters, and water plants",
      "share the savings of solar power with renters and low-income households",
      "help rural utilities and small businesses switch to renewable energy",
    ],
    activities: [
      "installing rooftop and ground-mounted solar panels",
      "adding battery storage at emergency shelters",
      "feasibility and interconnection studies",
      "upgrading distribution lines",
      "signing up households for a shared solar garden",
      "training operators of small utilities",
    ],
    people: [
      "renters and low-income electricity customers",
      "remote villages that burn diesel fuel for power",
      "communities with frequent blackouts",
      "farms and rural small businesses",
    ],
    applicants: [
      "electric cooperatives and municipal utilities",
      "tribal energy offices",
      "local governments",
      "rural small businesses",
    ],
    measures: [
      "kilowatts installed",
      "hours of outage avoided",
      "bill savings for subscribers",
      "tons of carbon dioxide avoided",
    ],
  },
];
