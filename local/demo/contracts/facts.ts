import type { FunderProfile } from "../funders/profile.ts";
import type { Place } from "../places/place.ts";
import type { ContractStage } from "./stage.ts";
import type { ContractTopic } from "./topics.ts";

/** Facts of a contract, chosen before its text is written. */
export interface ContractFacts {
  buyer: FunderProfile;
  topic: ContractTopic;
  stage: ContractStage;
  place: Place;
  /** "roof replacement" */
  work: string;
  /** "the Oak Falls Regional Office", or null for remote work. */
  site: string | null;
  /** Estimated or awarded value, US dollars. */
  min: number | null;
  max: number | null;
  solicitation: string;
  naics: string | null;
  setAside: string | null;
  email: string | null;
}
