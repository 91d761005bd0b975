import * as z from "zod";
import { type Day, longDate, monthAndYear } from "../calendar.ts";
import { phrases, readData } from "../data.ts";
import { stateOf } from "../places/states.ts";
import { fitting } from "../places/wording.ts";
import type { Random } from "../random.ts";
import { capitalize, dollars, fill, series } from "../text.ts";
import type { GrantFacts } from "./facts.ts";

/** Sentences on work that is over, and on work that goes on. */
const tensed = z.strictObject({ past: phrases, present: phrases });

const { openings, work, people, measures, ends } = readData(
  "grants/projects.json",
  z.strictObject({ openings: phrases, work: tensed, people: tensed, measures: tensed, ends: tensed }),
);

/** The title and description (60 to 180 words) of a funded project. */
export function projectText(facts: GrantFacts, today: Day, random: Random): { title: string; description: string } {
  const { topic, place, local } = facts;
  const states = place.localState === null ? [] : [place.localState];
  const project = random.pick(fitting(topic.projects, states));
  // The purposes are in the order of the projects; the rest can serve as a second aim.
  const purpose = topic.purposes[topic.projects.indexOf(project)] ?? random.pick(topic.purposes);
  return {
    title: capitalize(fill(project, { ...local })),
    description: describe(facts, purpose, today, random),
  };
}

function describe(facts: GrantFacts, purpose: string, today: Day, random: Random): string {
  const { topic, place, local, stage, amounts, funder } = facts;
  const end = stage.projectEnd ?? stage.posted;
  const tense = end < today ? "past" : "present";
  const states = place.localState === null ? [] : [place.localState];
  const several = (bank: readonly string[], count: number) => series(random.sample(fitting(bank, states), count));
  const second = random.pick(fitting(topic.purposes, states));
  const blanks = {
    ...local,
    the: `the ${funder.name}`,
    program: facts.program,
    grantee: fill(random.pick(topic.grantees), { ...local }),
    purpose,
    where: whereabouts(facts),
    activities: several(topic.activities, 3),
    people: several(topic.people, 2),
    measures: several(topic.measures, 2),
    end: longDate(end),
    started: monthAndYear(stage.posted),
  };
  const need = random.pick(fitting(topic.needs, states));
  const opening = random.pick(openings);
  const sentences = random.chance(0.6) ? [opening, need] : [need, opening];
  const middle = [random.pick(work[tense]), random.pick(people[tense]), random.pick(measures[tense])];
  sentences.push(...random.sample(middle, 3));
  if (second !== purpose && random.chance(0.6)) {
    const modal = tense === "past" ? "A second aim was" : "A second aim is";
    sentences.push(`${modal} to ${second}.`);
  }
  if (amounts.max !== null && random.chance(0.7)) {
    sentences.push(`The award of ${dollars(amounts.max)} was made in {started}.`);
  }
  sentences.push(random.pick(ends[tense]));
  if (facts.number !== null && random.chance(0.3)) {
    sentences.push(`The award was made under ${facts.number}.`);
  }
  return sentences.map((sentence) => fill(sentence, blanks)).join(" ");
}

/** "Alder County, Ohio", or only the county when the record does not name its state. */
function whereabouts({ place, local }: GrantFacts): string {
  const [code] = place.states;
  return code === undefined ? local.county : `${local.county}, ${stateOf(code).name}`;
}
