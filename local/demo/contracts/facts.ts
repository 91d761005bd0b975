import type { ContractTopic } from "../contract-topics/topic.ts";
import type { FunderProfile } from "../funders/profile.ts";
import type { Place } from "../places/place.ts";
import type { ContractStage } from "./stage.ts";

/** All that is settled about a contract before its text is written. */
export interface ContractFacts {
  buyer: FunderProfile;
  topic: ContractTopic;
  stage: ContractStage;
  place: Place;
  /** "roof replacement" */
  work: string;
  /** "the Oak Falls Regional Office", or null for work that has no place. */
  site: string | null;
  /** Estimated or awarded value, US dollars. */
  min: number | null;
  max: number | null;
  solicitation: string;
  naics: string | null;
  setAside: string | null;
  email: string | null;
}
