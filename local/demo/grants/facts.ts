import type { FunderProfile } from "../funders/profile.ts";
import type { LocalNames } from "../places/local-names.ts";
import type { Place } from "../places/place.ts";
import type { Amounts } from "./amounts.ts";
import type { GrantStage } from "./stage.ts";
import type { GrantTopic } from "./topics.ts";

/** Facts of a grant, chosen before its text is written. */
export interface GrantFacts {
  index: number;
  funder: FunderProfile;
  topic: GrantTopic;
  stage: GrantStage;
  place: Place;
  local: LocalNames;
  amounts: Amounts;
  /** "Ohio Clean Lakes and Streams Grant Program" */
  program: string;
  /** Opportunity number, or null where the funder has none. */
  number: string | null;
  /** Assistance listing, for example `10.559`; federal only. */
  listing: string | null;
}
