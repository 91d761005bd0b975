import type { ContractRecord } from "../../../ingest/record.ts";
import { type Day, fiscalYear, isoDate, momentIn } from "../calendar.ts";
import { contractDetails } from "../details.ts";
import type { Directory } from "../funders/directory.ts";
import type { FunderProfile } from "../funders/profile.ts";
import { localNames } from "../places/local-names.ts";
import { workPlace } from "../places/place.ts";
import { fitting } from "../places/wording.ts";
import { Random } from "../random.ts";
import { fill } from "../text.ts";
import type { ContractFacts } from "./facts.ts";
import { setAsideCode } from "./set-asides.ts";
import { contractStage } from "./stage.ts";
import { contractDescription, contractTitle } from "./text.ts";
import { type ContractTopic, isForOwnSites } from "./topics.ts";

const mailboxes = ["contracting", "acquisitions", "procurement", "purchasing", "bids", "solicitations"];
const documents = ["solicitation.pdf", "statement-of-work.pdf", "bid-package.zip", "specifications.pdf"];

/** Contract record `index`. */
export function contractRecord(seed: number, today: Day, directory: Directory, index: number): ContractRecord {
  const random = new Random(seed, "contracts", index);
  const facts = decideFacts(directory, today, index, random);
  const { stage, place, buyer, topic, solicitation } = facts;
  const [category, ...others] = topic.categories;
  const listing = `https://contracts.${buyer.host}/notices/${solicitation.toLowerCase()}`;
  return {
    source: "demo",
    source_id: `demo-contract-${String(index).padStart(6, "0")}`,
    title: contractTitle(facts, random),
    description: contractDescription(facts, today, random),
    amount_min: facts.min,
    amount_max: facts.max,
    deadline_date: stage.deadline === null ? null : isoDate(stage.deadline),
    project_end_date: stage.projectEnd === null ? null : isoDate(stage.projectEnd),
    status: stage.status,
    classification: stage.classification,
    states: place.states,
    is_national: place.isNational,
    geography: place.geography,
    funder_name: buyer.name,
    funder_source_id: buyer.sourceId,
    listing_url: random.chance(0.1) ? null : listing,
    document_url: random.chance(0.35) ? null : `${listing}/${random.pick(documents)}`,
    naics: facts.naics,
    primary_contact_email: facts.email,
    set_aside_code: facts.setAside,
    created_at: momentIn(stage.posted, 11, 23, random),
    archived_at: stage.archived === null ? null : momentIn(stage.archived, 4, 8, random),
    categories: [category, ...others.filter(() => random.chance(0.6))],
    identifiers: [solicitation],
    details: contractDetails(seed, index, facts),
  };
}

function decideFacts(directory: Directory, today: Day, index: number, random: Random): ContractFacts {
  const buyer = directory.buyer(random);
  const topic = random.pick(buyer.contractTopics);
  const stage = contractStage(topic.delivery, today, random);
  const national = topic.delivery === "remote" ? 0.5 : 0;
  const place = workPlace(buyer, topic.terrain, { unnamed: 0.15, national }, random);
  const local = localNames(place.localState, random);
  const near = place.localState === null ? [] : [place.localState];
  const blanks = { ...local, route: String(random.integer(2, 390)) };
  const site = topic.delivery === "remote" ? null : fill(random.pick(fitting(sitesOf(topic, buyer), near)), blanks);
  return {
    buyer,
    topic,
    stage,
    place,
    work: random.pick(fitting(topic.works, place.states)),
    site,
    ...estimate(topic, buyer, stage.status === "awarded", random),
    solicitation: solicitationNumber(buyer, topic, stage.posted, index),
    naics: random.chance(0.05) ? null : topic.naics,
    setAside: setAsideCode(buyer, random),
    email: random.chance(0.25) ? null : `${random.pick(mailboxes)}@${buyer.host}`,
  };
}

function sitesOf(topic: ContractTopic, buyer: FunderProfile): readonly string[] {
  if (topic.sites !== undefined) return topic.sites;
  return isForOwnSites(topic) && buyer.ownSites.length > 0 ? buyer.ownSites : [...buyer.ownSites, ...buyer.offices];
}

/** Small contracts are far more common than large ones, so the draw is even in the logarithm. */
function estimate(
  topic: ContractTopic,
  buyer: FunderProfile,
  awarded: boolean,
  random: Random,
): { min: number | null; max: number | null } {
  const [low, high] = topic.value;
  const size = low * (high / low) ** random.next() * (buyer.kind === "state" ? 0.6 : 1);
  const max = round(size);
  const min = awarded ? max : round(size * random.pick([0.1, 0.25, 0.4, 0.5, 0.6]));
  return { min: random.chance(0.4) ? null : min, max: random.chance(0.2) ? null : max };
}

function round(amount: number): number {
  const step = 10 ** Math.max(2, Math.floor(Math.log10(amount)) - 1);
  return Math.max(1000, Math.round(amount / step) * step);
}

/** "W912EE26B0123" for a federal office, "OH-DOT-IFB-26-00123" for a state. */
function solicitationNumber(buyer: FunderProfile, topic: ContractTopic, posted: Day, index: number): string {
  const year = String(fiscalYear(posted) % 100).padStart(2, "0");
  const bids = topic.delivery === "works";
  if (buyer.officeCode !== null) {
    const letter = bids ? "B" : topic.delivery === "supplies" ? "Q" : "R";
    return `${buyer.officeCode}${year}${letter}${String(index % 10_000).padStart(4, "0")}`;
  }
  const serial = String(index % 100_000).padStart(5, "0");
  return `${buyer.abbreviation}-${bids ? "IFB" : "RFP"}-${year}-${serial}`;
}
