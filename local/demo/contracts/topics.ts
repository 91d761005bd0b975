import * as z from "zod";
import { phrases, readData } from "../data.ts";
import { terrain } from "../places/states.ts";

/** Plain names under which contracts are filed. */
const category = z.enum([
  "Administrative Services",
  "Communications",
  "Construction",
  "Education and Training",
  "Environmental Services",
  "Equipment and Supplies",
  "Facilities Maintenance",
  "Food Services",
  "Information Technology",
  "Medical",
  "Professional Services",
  "Research and Testing",
  "Security",
  "Transportation",
]);

const delivery = z.enum(["service", "works", "supplies", "remote"]);

/** `supplies` are delivered once; `remote` services have no site. */
export type Delivery = z.infer<typeof delivery>;

/** Vocabulary of one kind of purchase. Each list names the grammatical form of its entries; the sentences around rely on it. */
const contractTopicData = z.strictObject({
  key: z.string().min(1),
  /** Valid in the 2012 and the 2022 editions of NAICS. */
  naics: z.string().regex(/^\d{6}$/),
  categories: z.tuple([category], category),
  /** Usual range of a contract's value, US dollars. */
  value: z.tuple([z.int().positive(), z.int().positive()]),
  /** Buyers: federal abbreviations, or "state " and a state body's. Everyone when absent. */
  buyers: z.array(z.string()).optional(),
  terrain: terrain.optional(),
  /** True for upkeep that a body with nothing but rented offices does not need. */
  ownSitesOnly: z.literal(true).optional(),
  /** Sites of the work. `{town}`, `{water}` and `{route}` allowed; the buyer's own sites when absent. */
  sites: phrases.optional(),
  /** The preposition before a site. @default "at" */
  siteWord: z.enum(["in", "on"]).optional(),
  delivery,
  /** Noun phrases in lower case, with "a" where they need one: "a requirement for {work}". */
  works: phrases,
  /** Full sentences that describe the need. */
  needs: phrases,
  /** Bare infinitives: "The contractor shall {task}". No commas, since they are listed. */
  tasks: phrases,
  /** Full sentences that a bidder must meet. */
  requirements: phrases,
});
export type ContractTopic = z.infer<typeof contractTopicData>;

/** Files of topics. Their order is the order of the topics, on which the generator's choices depend. */
const files = [
  "upkeep",
  "building-systems",
  "construction",
  "design",
  "computing",
  "expertise",
  "communication",
  "medical",
  "laboratory",
  "provisions",
  "safety-and-travel",
];

const contractTopics: readonly ContractTopic[] = files.flatMap((file) =>
  readData(`contract-topics/${file}.json`, z.array(contractTopicData)),
);

/**
 * The topics of a buyer: those that name it, and those that everyone buys. A body with nothing but offices has no roofs,
 * roads, or grounds of its own to keep up.
 */
export function contractTopicsFor(buyer: string, hasOwnSites: boolean): readonly ContractTopic[] {
  return contractTopics.filter((topic) => topic.buyers?.includes(buyer) ?? (hasOwnSites || !isForOwnSites(topic)));
}

/** Whether the work is done on grounds that the buyer owns. */
export function isForOwnSites({ delivery, ownSitesOnly }: ContractTopic): boolean {
  return delivery === "works" || ownSitesOnly === true;
}
