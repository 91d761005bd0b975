import * as z from "zod";
import { phrases, readData } from "../data.ts";
import { terrain } from "../places/states.ts";

/** Categories under the names that Grants.gov uses. */
const category = z.enum([
  "Agriculture",
  "Arts",
  "Business and Commerce",
  "Community Development",
  "Disaster Prevention and Relief",
  "Education",
  "Employment Labor and Training",
  "Energy",
  "Environment",
  "Food and Nutrition",
  "Health",
  "Housing",
  "Humanities",
  "Income Security and Social Services",
  "Information and Statistics",
  "Law Justice and Legal Services",
  "Natural Resources",
  "Regional Development",
  "Science and Technology",
  "Transportation",
]);

/** Size of the topic's projects in money. */
const scale = z.enum(["small", "medium", "large", "capital"]);
export type Scale = z.infer<typeof scale>;

/**
 * Vocabulary of one subject. Each list names the grammatical form of its entries; the sentences around them rely on it.
 * Entries may use `{town}`, `{county}` and `{water}` only where that is said.
 */
const grantTopicData = z.strictObject({
  key: z.string().min(1),
  /** A noun phrase: "we give to {theme}". */
  theme: z.string().min(1),
  categories: z.tuple([category], category),
  scale,
  terrain: terrain.optional(),
  /** True for works too large, or too official, for a foundation. */
  publicOnly: z.literal(true).optional(),
  /** Title Case names that take "Program", "Fund" or "Grants" after them. */
  programs: phrases,
  /** Title Case titles of funded projects; `{town}`, `{county}`, `{water}` allowed. */
  projects: phrases,
  /** Recipients, with their article; `{town}` allowed. */
  grantees: phrases,
  /** Full sentences that say why the money is needed. */
  needs: phrases,
  /** Bare infinitives: "to {purpose}", "will {purpose}". Purpose N is what project N does; further ones follow. */
  purposes: phrases,
  /** Gerund phrases: "Funds may pay for {activity}". No commas, since they are listed. */
  activities: phrases,
  /** Plural noun phrases: the people or regions served. */
  people: phrases,
  /** Plural noun phrases: the possible applicants. */
  applicants: phrases,
  /** Noun phrases: "report on {measure}". */
  measures: phrases,
});
export type GrantTopic = z.infer<typeof grantTopicData>;

/** Files of topics. Their order is the order of the topics, on which the generator's choices depend. */
const files = [
  "connections",
  "towns",
  "jobs",
  "energy",
  "waters",
  "land",
  "hazards",
  "hunger",
  "farms",
  "health",
  "clinics",
  "families",
  "justice",
  "schools",
  "learners",
  "heritage",
  "culture",
  "housing",
  "research",
];

/** Every grant topic. */
export const grantTopics: readonly GrantTopic[] = files.flatMap((file) =>
  readData(`grant-topics/${file}.json`, z.array(grantTopicData)),
);

const byKey = new Map(grantTopics.map((topic) => [topic.key, topic]));

/** The topic with a key. Throws on an unknown key, since funders name topics by key. */
export function grantTopic(key: string): GrantTopic {
  const topic = byKey.get(key);
  if (topic === undefined) throw new Error(`no grant topic is called ${key}`);
  return topic;
}
