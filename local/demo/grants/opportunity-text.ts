import { fiscalYear, longDate, monthAndYear } from "../calendar.ts";
import { stateOf } from "../places/states.ts";
import { fitting } from "../places/wording.ts";
import type { Random } from "../random.ts";
import { fill, series, wordCount } from "../text.ts";
import { awardTerms } from "./award-terms.ts";
import { banksFor, type GrantBanks } from "./banks.ts";
import type { GrantFacts } from "./facts.ts";

/** Longest description, so that it fits on a screen. */
const maximumWords = 168;

type Section = "uses" | "people" | "eligibility" | "award" | "costShare" | "review" | "reporting" | "apply" | "extras";

/** Orders of the sections in real notices. */
const layouts: readonly (readonly Section[])[] = [
  ["uses", "people", "eligibility", "award", "costShare", "review", "reporting", "apply", "extras"],
  ["eligibility", "uses", "award", "costShare", "people", "reporting", "extras", "apply", "review"],
  ["people", "uses", "reporting", "eligibility", "costShare", "award", "review", "extras", "apply"],
  ["award", "eligibility", "uses", "people", "review", "costShare", "reporting", "apply", "extras"],
  ["uses", "reporting", "people", "award", "apply", "eligibility", "costShare", "review", "extras"],
];

/** The title and description (60 to 180 words) of an opportunity. */
export function opportunityText(facts: GrantFacts, random: Random): { title: string; description: string } {
  return { title: titleOf(facts, random), description: describe(facts, random) };
}

function titleOf({ program, stage, funder, place }: GrantFacts, random: Random): string {
  const year = fiscalYear(stage.deadline ?? stage.posted);
  const [only] = place.states;
  const local = place.states.length === 1 && only !== undefined ? stateOf(only) : null;
  const isPublic = funder.kind === "federal" || funder.kind === "state";
  const forms = [program, program, isPublic ? `Fiscal Year ${year} ${program}` : `${year} ${program}`];
  if (isPublic) forms.push(`${program}, FY ${year}`, `${program} - Round ${random.integer(1, 4)}`);
  if (local !== null && !program.includes(local.name)) forms.push(`${program} in ${local.phrase}`);
  return random.pick(forms);
}

function describe(facts: GrantFacts, random: Random): string {
  const banks = banksFor(facts.funder.kind);
  const lead = leadSentences(facts, banks, random);
  const target = random.integer(85, 150);
  const written = new Map<Section, string>();
  let words = wordCount(lead);
  for (const section of orderOfWriting(random)) {
    if (words >= target) break;
    const text = sectionText(section, facts, banks, random);
    const added = wordCount(text);
    if (words + added > maximumWords) continue;
    written.set(section, text);
    words += added;
  }
  const body = random.pick(layouts).map((section) => written.get(section) ?? "");
  return [lead, ...body].filter((text) => text !== "").join(" ");
}

/** Order of priority: uses come first, the rest competes for the words that are left. */
function orderOfWriting(random: Random): readonly Section[] {
  const core = random.sample<Section>(["award", "eligibility", "apply"], 3);
  const rest = random.sample<Section>(["people", "costShare", "review", "reporting", "extras"], 5);
  return random.chance(0.6) ? ["uses", ...core, ...rest] : ["uses", ...rest.slice(0, 2), ...core, ...rest.slice(2)];
}

function leadSentences(facts: GrantFacts, banks: GrantBanks, random: Random): string {
  const { topic, place, stage } = facts;
  const need = random.pick(fitting(topic.needs, place.states));
  const [purpose, second] = random.sample(fitting(topic.purposes, place.states), 2);
  const [one, two] = random.sample(fitting(topic.applicants, place.states), 2);
  const blanks = {
    the: `the ${facts.funder.name}`,
    program: facts.program,
    inPlace: place.inPlace,
    applicants: series([one ?? "", two ?? ""].filter((text) => text !== "")),
    purpose: purpose ?? "",
  };
  const opening = fill(random.pick(banks.openings), blanks);
  const sentences = random.chance(0.5) ? [need, opening] : [opening, need];
  if (second !== undefined && random.chance(0.55)) {
    sentences.push(fill(random.pick(banks.followUps), { purpose: second }));
  }
  if (stage.status === "forecasted") sentences.unshift(forecastNotice(facts, random));
  if (stage.status === "upcoming") sentences.push(upcomingNotice(facts, random));
  return sentences.join(" ");
}

function forecastNotice({ funder }: GrantFacts, random: Random): string {
  return random.pick([
    "This is a forecast, and details may change.",
    `This is notice of an opportunity that the ${funder.name} expects to publish.`,
    "This forecast is posted so that applicants can begin to plan.",
  ]);
}

function upcomingNotice({ stage }: GrantFacts, random: Random): string {
  const opening = stage.deadline === null ? null : monthAndYear(stage.deadline - 28);
  if (opening === null) return "Applications will open later this year.";
  return random.pick(["The application form will be posted soon.", `The full guidelines will be out by ${opening}.`]);
}

function sectionText(section: Section, facts: GrantFacts, banks: GrantBanks, random: Random): string {
  const { topic, place } = facts;
  const states = place.states;
  const several = (bank: readonly string[], low: number, high: number) =>
    series(random.sample(fitting(bank, states), random.integer(low, high)));
  const say = (bank: readonly string[], blanks: Record<string, string> = {}) =>
    fill(random.pick(bank), { the: `the ${facts.funder.name}`, ...blanks });
  switch (section) {
    case "uses":
      return say(banks.uses, { activities: several(topic.activities, 3, 4) });
    case "people":
      return say(banks.people, { people: several(topic.people, 1, 2) });
    case "eligibility":
      return say(banks.eligibility, { applicants: several(topic.applicants, 2, 4) });
    case "award":
      return awardTerms(facts, random);
    case "costShare":
      return say(banks.costShare, { match: random.pick(["10", "15", "20", "25"]) });
    case "review":
      return say(banks.review);
    case "reporting":
      return say(banks.reporting, { measures: several(topic.measures, 2, 3) });
    case "apply":
      return applyText(facts, banks, random);
    case "extras":
      return say(fitting(banks.extras, states));
  }
}

function applyText(facts: GrantFacts, banks: GrantBanks, random: Random): string {
  const { deadline, status } = facts.stage;
  const early = status === "forecasted" || status === "upcoming";
  const sentences: string[] = [];
  if (deadline !== null) {
    sentences.push(
      early
        ? `Applications are expected to be due on ${longDate(deadline)}.`
        : fill(random.pick(banks.applyBy), {
            deadline: longDate(deadline),
            zone: facts.funder.kind === "federal" ? "Eastern Time" : "local time",
          }),
    );
  } else if (early) {
    sentences.push("The deadline has not been set.");
  } else if (status !== "closed") {
    sentences.push(random.pick(banks.rolling));
  }
  if (facts.number !== null && random.chance(0.55)) {
    sentences.push(
      random.pick([
        `The opportunity number is ${facts.number}.`,
        `Refer to ${facts.number} in all correspondence.`,
        `Search for opportunity ${facts.number} to find the application package.`,
      ]),
    );
  }
  return sentences.join(" ");
}
