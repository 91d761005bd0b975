import { buildingSystemTopics } from "./building-systems.ts";
import { communicationTopics } from "./communication.ts";
import { computingTopics } from "./computing.ts";
import { constructionTopics } from "./construction.ts";
import { designTopics } from "./design.ts";
import { expertiseTopics } from "./expertise.ts";
import { laboratoryTopics } from "./laboratory.ts";
import { medicalTopics } from "./medical.ts";
import { provisionTopics } from "./provisions.ts";
import { safetyAndTravelTopics } from "./safety-and-travel.ts";
import type { ContractTopic } from "./topic.ts";
import { upkeepTopics } from "./upkeep.ts";

/** Every contract topic. */
export const contractTopics: readonly ContractTopic[] = [
  ...upkeepTopics,
  ...buildingSystemTopics,
  ...constructionTopics,
  ...designTopics,
  ...computingTopics,
  ...expertiseTopics,
  ...communicationTopics,
  ...medicalTopics,
  ...laboratoryTopics,
  ...provisionTopics,
  ...safetyAndTravelTopics,
];

/**
 * What a buyer buys: the topics that name it, and those that everyone buys. A body with nothing but
 * offices has no roofs, roads, or grounds of its own to keep up.
 */
export function contractTopicsFor(buyer: string, hasOwnSites: boolean): readonly ContractTopic[] {
  return contractTopics.filter((topic) => topic.buyers?.includes(buyer) ?? (hasOwnSites || !isForOwnSites(topic)));
}

/** Whether the work is done on grounds that the buyer owns. */
export function isForOwnSites({ delivery, ownSitesOnly }: ContractTopic): boolean {
  return delivery === "works" || ownSitesOnly === true;
}
