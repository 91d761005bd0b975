import type { GrantRecord } from "../../../ingest/record.ts";
import { type Day, fiscalYear, isoDate, momentIn } from "../calendar.ts";
import { grantDetails } from "../details.ts";
import type { Directory } from "../funders/directory.ts";
import type { FunderProfile } from "../funders/profile.ts";
import { localNames } from "../places/local-names.ts";
import { grantPlace, type Place, workPlace } from "../places/place.ts";
import { stateOf } from "../places/states.ts";
import { fitting } from "../places/wording.ts";
import { Random } from "../random.ts";
import { slug } from "../text.ts";
import { awardedAmounts, offeredAmounts } from "./amounts.ts";
import type { GrantFacts } from "./facts.ts";
import { opportunityText } from "./opportunity-text.ts";
import { projectText } from "./project-text.ts";
import { grantStage, postedAt } from "./stage.ts";
import type { GrantTopic } from "./topics.ts";

/** Grant record `index`. */
export function grantRecord(seed: number, today: Day, directory: Directory, index: number): GrantRecord {
  const random = new Random(seed, "grants", index);
  const facts = decideFacts(directory, today, index, random);
  const { stage, place, funder, topic } = facts;
  const awarded = stage.classification === "awarded_project";
  const text = awarded ? projectText(facts, today, random) : opportunityText(facts, random);
  return {
    source: "demo",
    source_id: `demo-grant-${String(index).padStart(6, "0")}`,
    ...text,
    amount_min: facts.amounts.min,
    amount_max: facts.amounts.max,
    deadline_date: stage.deadline === null ? null : isoDate(stage.deadline),
    project_end_date: stage.projectEnd === null ? null : isoDate(stage.projectEnd),
    status: stage.status,
    classification: stage.classification,
    states: place.states,
    is_national: place.isNational,
    geography: place.geography,
    funder_name: funder.name,
    funder_source_id: funder.sourceId,
    listing_url: random.chance(0.1) ? null : listingUrl(facts),
    created_at: postedAt(stage.posted, funder.kind, random),
    archived_at: archivedAt(stage.archived, today, random),
    categories: categoriesOf(topic, random),
    identifiers: [facts.number, facts.listing].filter((identifier) => identifier !== null),
    details: grantDetails(seed, facts, text.description),
  };
}

/** An archive date that is planned is a day; one that has passed is a moment. */
function archivedAt(day: Day | null, today: Day, random: Random): string | null {
  if (day === null) return null;
  return day > today ? `${isoDate(day)}T00:00:00Z` : momentIn(day, 4, 8, random);
}

function decideFacts(directory: Directory, today: Day, index: number, random: Random): GrantFacts {
  const funder = directory.grantMaker(random);
  const topic = random.pick(funder.grantTopics);
  const stage = grantStage(funder.kind, today, index, random);
  const awarded = stage.classification === "awarded_project";
  const place = awarded
    ? workPlace(funder, topic.terrain, { unnamed: 0.18, national: 0 }, random)
    : grantPlace(funder, topic.terrain, random);
  const amounts = awarded ? awardedAmounts : offeredAmounts;
  return {
    index,
    funder,
    topic,
    stage,
    place,
    local: localNames(place.localState, random),
    amounts: amounts(funder.kind, topic.scale, random),
    program: programName(funder, topic, place, random),
    number: opportunityNumber(funder, stage.posted, index, random),
    listing: funder.listings[topic.key] ?? null,
  };
}

function programName(funder: FunderProfile, topic: GrantTopic, place: Place, random: Random): string {
  const base = random.pick(fitting(topic.programs, place.states));
  const [home] = funder.states;
  const prefix = funder.kind === "state" && home !== undefined && random.chance(0.5) ? `${stateOf(home).name} ` : "";
  const kinds =
    funder.kind === "federal"
      ? ["Program", "Grant Program", "Grant Program", "Cooperative Agreements Program", "Initiative"]
      : ["Program", "Grant Program", "Fund", "Initiative", "Grant Fund"];
  return `${prefix}${base} ${random.pick(kinds)}`;
}

/** Federal notices always have a number, state notices half the time, foundations never. */
function opportunityNumber(funder: FunderProfile, posted: Day, index: number, random: Random): string | null {
  const year = String(fiscalYear(posted) % 100).padStart(2, "0");
  const serial = String(index % 100_000).padStart(5, "0");
  if (funder.kind === "federal") return `${funder.abbreviation}-${year}-${serial}`;
  if (funder.kind === "state" && random.chance(0.5)) {
    return `${funder.abbreviation}-G${year}-${serial}`;
  }
  return null;
}

function listingUrl({ funder, program, number, index }: GrantFacts): string {
  if (number !== null) return `https://grants.${funder.host}/opportunities/${number.toLowerCase()}`;
  const folder = funder.kind === "state" ? "opportunities" : "grants";
  return `https://www.${funder.host}/${folder}/${slug(program)}-${index}`;
}

function categoriesOf(topic: GrantTopic, random: Random): string[] {
  const [first, ...others] = topic.categories;
  return [first, ...others.filter(() => random.chance(0.55))];
}
