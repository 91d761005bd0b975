import { clinicTopics } from "./clinics.ts";
import { connectionTopics } from "./connections.ts";
import { cultureTopics } from "./culture.ts";
import { energyTopics } from "./energy.ts";
import { familyTopics } from "./families.ts";
import { farmTopics } from "./farms.ts";
import { hazardTopics } from "./hazards.ts";
import { healthTopics } from "./health.ts";
import { heritageTopics } from "./heritage.ts";
import { housingTopics } from "./housing.ts";
import { hungerTopics } from "./hunger.ts";
import { jobTopics } from "./jobs.ts";
import { justiceTopics } from "./justice.ts";
import { landTopics } from "./land.ts";
import { learnerTopics } from "./learners.ts";
import { researchTopics } from "./research.ts";
import { schoolTopics } from "./schools.ts";
import type { GrantTopic } from "./topic.ts";
import { townTopics } from "./towns.ts";
import { waterTopics } from "./waters.ts";

/** Every grant topic. */
export const grantTopics: readonly GrantTopic[] = [
  ...connectionTopics,
  ...townTopics,
  ...jobTopics,
  ...energyTopics,
  ...waterTopics,
  ...landTopics,
  ...hazardTopics,
  ...hungerTopics,
  ...farmTopics,
  ...healthTopics,
  ...clinicTopics,
  ...familyTopics,
  ...justiceTopics,
  ...schoolTopics,
  ...learnerTopics,
  ...heritageTopics,
  ...cultureTopics,
  ...housingTopics,
  ...researchTopics,
];

const byKey = new Map(grantTopics.map((topic) => [topic.key, topic]));

/** The topic with a key. Throws on an unknown key, since funders name topics by key. */
export function grantTopic(key: string): GrantTopic {
  const topic = byKey.get(key);
  if (topic === undefined) throw new Error(`no grant topic is called ${key}`);
  return topic;
}
