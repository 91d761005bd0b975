import type { ContractTopic } from "./topic.ts";

/** Guards, alarms, vehicles, aircraft. */
export const safetyAndTravelTopics: readonly ContractTopic[] = [
  {
    key: "security-guards",
    naics: "561612",
    categories: ["Security"],
    value: [80_000, 9_000_000],
    delivery: "service",
    works: ["security guard services", "armed guard and patrol services", "visitor screening services"],
    needs: [
      "The site is open to the public and handles sensitive records.",
      "Guards are needed at the entrance during business hours and on patrol at night.",
    ],
    tasks: [
      "staff fixed posts and patrol the grounds",
      "screen visitors and packages",
      "watch cameras and alarms",
      "write incident reports",
      "control access after hours",
      "assist during evacuations",
    ],
    requirements: [
      "Guards must be licensed and trained in first aid.",
      "Each post must be filled at all times.",
      "A manager must be on call day and night.",
    ],
  },
  {
    key: "alarm-systems",
    naics: "561621",
    categories: ["Security", "Information Technology"],
    value: [20_000, 1_800_000],
    delivery: "works",
    works: ["access control and camera installation", "a video surveillance upgrade", "security system replacement"],
    needs: [
      "The present cameras record poor images and leave blind spots.",
      "Mechanical keys are to be replaced with cards.",
    ],
    tasks: [
      "install cameras and card readers",
      "run network cable",
      "connect alarms to a monitoring station",
      "program access levels",
      "train staff",
      "service the system for three years",
    ],
    requirements: [
      "Equipment from banned manufacturers will be rejected.",
      "Recordings must be kept for at least thirty days.",
      "Installers must hold a state alarm license.",
    ],
  },
  {
    key: "vehicle-repair",
    naics: "811111",
    categories: ["Transportation", "Facilities Maintenance"],
    value: [15_000, 700_000],
    ownSitesOnly: true,
    delivery: "service",
    works: ["vehicle maintenance and repair", "fleet inspection and repair", "bus and truck repair"],
    needs: [
      "The local fleet includes about {count} cars, trucks, and vans.",
      "The agency has no mechanic of its own at this place.",
    ],
    tasks: [
      "change oil and tires",
      "inspect brakes and lights",
      "diagnose engine faults",
      "tow disabled vehicles",
      "quote repairs before starting",
      "keep a history for each vehicle",
    ],
    requirements: [
      "The shop must be within twenty-five miles.",
      "Mechanics must hold a national certification.",
      "Most repairs must be finished within three days.",
    ],
  },
  {
    key: "air-charter",
    naics: "481211",
    categories: ["Transportation"],
    value: [60_000, 7_000_000],
    buyers: ["USDA-FS", "BLM", "NOAA", "FWS", "IHS", "USCG", "state DNR", "state EMA"],
    delivery: "service",
    works: ["helicopter services", "aerial survey flights", "air charter for crews and cargo"],
    needs: [
      "Some work sites cannot be reached by road.",
      "Flights support wildlife counts, fire patrol, and the resupply of remote camps.",
    ],
    tasks: [
      "supply aircraft and pilots and fuel trucks",
      "fly survey lines at low level",
      "carry crews and cargo",
      "stand by during fire season",
      "log every flight hour",
      "carry out daily inspections",
    ],
    requirements: [
      "Aircraft and pilots must pass an agency inspection.",
      "Pilots must have 1,500 hours in command.",
      "Satellite tracking must be on during every flight.",
    ],
  },
];
