import { type Day, longDate } from "../calendar.ts";
import { stateOf } from "../places/states.ts";
import { fitting } from "../places/wording.ts";
import type { Random } from "../random.ts";
import { type Blanks, capitalize, dollars, fill, series, thousands, wordCount } from "../text.ts";
import { banks } from "./banks.ts";
import type { ContractFacts } from "./facts.ts";
import { setAsideSentence } from "./set-asides.ts";

const maximumWords = 165;

/** "Roof Replacement at Oak Falls Regional Office" */
export function contractTitle({ work, site, buyer, place, topic }: ContractFacts, random: Random): string {
  const name = titleCase(work.replace(/^an? /, ""));
  const state = place.states.length === 1 ? place.geography : null;
  if (site === null) {
    const forms = [name, `${name} for the ${buyer.name}`, `${name} (${buyer.abbreviation})`];
    return random.pick(forms);
  }
  const where = titleCase(site.replace(/^the /, ""));
  const preposition = topic.siteWord ?? "at";
  const forms = [`${name} ${preposition} ${where}`, `${name} - ${where}`, `${where}: ${name}`];
  if (state !== null && !where.includes(state)) {
    forms.push(`${name}, ${where}, ${state}`);
  }
  return capitalize(random.pick(forms));
}

/** The description of a solicitation or an award, 60 to 180 words. */
export function contractDescription(facts: ContractFacts, today: Day, random: Random): string {
  const blanks = blanksOf(facts, random);
  const awarded = facts.stage.classification === "awarded_project";
  const [lead, rest] = awarded ? awardSentences(facts, today, random) : solicitationSentences(facts, random);
  const opening = lead.map((sentence) => fill(sentence, blanks)).join(" ");
  const others = rest.map((sentence) => fill(sentence, blanks));
  return [opening, ...keepSome(others, wordCount(opening), random)].join(" ");
}

/** Leaves out sentences at random; the others keep the order of a real notice. */
function keepSome(sentences: readonly string[], wordsBefore: number, random: Random): string[] {
  const target = random.integer(80, 135);
  const kept = new Set<string>();
  let words = wordsBefore;
  for (const sentence of random.sample(sentences, sentences.length)) {
    if (words >= target) break;
    const added = wordCount(sentence);
    if (words + added > maximumWords) continue;
    kept.add(sentence);
    words += added;
  }
  return sentences.filter((sentence) => kept.has(sentence));
}

/** Sentences that every description has, and sentences that may be left out. */
type Sentences = readonly [lead: string[], rest: string[]];

function solicitationSentences(facts: ContractFacts, random: Random): Sentences {
  const { topic, stage, site } = facts;
  const forecast = stage.status === "forecasted";
  const lead = [random.pick(forecast ? banks.forecastOpenings : banks.openings[topic.delivery])];
  if (forecast) lead.unshift(random.pick(banks.forecasts));
  if (stage.status === "cancelled") lead.unshift(random.pick(banks.cancellations));
  lead.push(random.pick(needsOf(facts)), random.pick(banks.duties));
  const rest = random.sample(fitting(topic.requirements, facts.place.states), 2);
  rest.push(random.pick(banks.durations[topic.delivery]), random.pick(banks.conditions[topic.delivery]));
  rest.push(...magnitudeOf(facts, random));
  if (site !== null && topic.delivery !== "supplies" && !forecast) {
    rest.push(random.pick(banks.visits));
  }
  rest.push(...ruleSentences(facts), random.pick(banks.evaluation));
  if (stage.deadline !== null && !forecast) rest.push(random.pick(banks.due));
  if (facts.email !== null) rest.push(random.pick(banks.questions));
  return [lead, rest];
}

function awardSentences(facts: ContractFacts, today: Day, random: Random): Sentences {
  const end = facts.stage.projectEnd ?? today;
  const tense = end < today ? "past" : "present";
  const lead = [random.pick(banks.awards), random.pick(needsOf(facts)), random.pick(banks.awardedDuties[tense])];
  const rest = [random.pick(banks.competition), ...ruleSentences(facts)];
  if (facts.max !== null) rest.unshift("The total value of the contract is {max}.");
  lead.push(tense === "past" ? "Performance ended on {end}." : "Performance runs until {end}.");
  rest.push(...random.sample(facts.topic.requirements, 2));
  return [lead, rest];
}

function ruleSentences({ setAside, naics, solicitation }: ContractFacts): string[] {
  const sentences = [`The solicitation number is ${solicitation}.`];
  if (naics !== null) sentences.unshift(`The NAICS code is ${naics}.`);
  const limit = setAside === null ? null : setAsideSentence(setAside);
  if (limit !== null) sentences.unshift(limit);
  return sentences;
}

function magnitudeOf({ min, max }: ContractFacts, random: Random): string[] {
  if (min !== null && max !== null) return [random.pick(banks.magnitude.ranged)];
  if (max !== null) return [random.pick(banks.magnitude.capped)];
  if (min !== null) return [random.pick(banks.magnitude.floored)];
  return [];
}

function needsOf({ topic, place }: ContractFacts): readonly string[] {
  return fitting(topic.needs, place.states);
}

function blanksOf(facts: ContractFacts, random: Random): Blanks {
  const { buyer, topic, place, stage, min, max } = facts;
  return {
    the: `the ${buyer.name}`,
    work: facts.work,
    where: whereOf(facts),
    tasks: series(random.subset(fitting(topic.tasks, place.states), random.integer(3, 4))),
    area: thousands(random.integer(4, 180) * 500),
    acres: String(random.integer(3, 90) * 5),
    yards: thousands(random.integer(8, 120) * 5000),
    count: String(random.integer(4, 60) * 5),
    options: random.pick(["two", "three", "four"]),
    years: random.pick(["three", "five"]),
    months: random.pick(["9", "12", "18", "24"]),
    days: random.pick(["90", "120", "180", "240", "365"]),
    shortDays: random.pick(["15", "30", "45", "60", "90"]),
    offers: random.pick(["three", "four", "five", "six", "eight", "eleven"]),
    min: min === null ? "" : dollars(min),
    max: max === null ? "" : dollars(max),
    deadline: stage.deadline === null ? "" : longDate(stage.deadline),
    end: stage.projectEnd === null ? "" : longDate(stage.projectEnd),
    email: facts.email ?? "",
  };
}

function whereOf({ site, place, topic }: ContractFacts): string {
  const [code] = place.states;
  const state = code === undefined ? "" : ` in ${stateOf(code).phrase}`;
  if (site === null) return state;
  const preposition = topic.delivery === "supplies" ? "for" : (topic.siteWord ?? "at");
  return ` ${preposition} ${site}${state}`;
}

const smallWords = new Set(["a", "an", "and", "by", "for", "in", "of", "on", "or", "the", "to", "with"]);

function titleCase(text: string): string {
  const words = text.split(" ");
  return words.map((word, index) => (index > 0 && smallWords.has(word) ? word : capitalizeParts(word))).join(" ");
}

function capitalizeParts(word: string): string {
  return word.split("-").map(capitalize).join("-");
}
