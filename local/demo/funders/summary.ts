import type { Random } from "../random.ts";
import { fill, series } from "../text.ts";
import type { FunderKind, FunderProfile } from "./profile.ts";

const openings: Readonly<Record<FunderKind, readonly string[]>> = {
  federal: [
    "{The} makes competitive and formula awards for {themes}.",
    "{The} is a federal agency whose programs support {themes}.",
    "Through grants and cooperative agreements, {the} invests in {themes}.",
  ],
  state: [
    "{The} is the state body responsible for {themes}.",
    "{The} distributes state and federal money for {themes}.",
    "{The} makes grants to local partners for {themes}.",
  ],
  community: [
    "{The} pools gifts from local donors and makes grants for {themes}, among other needs.",
    "Neighbors built {the} to support {themes} close to home.",
    "{The} manages donor and endowment funds and gives to {themes}.",
  ],
  family: [
    "{The} is a private family foundation that gives to {themes}.",
    "{The} supports {themes}, mostly through small and mid-sized nonprofits.",
    "For more than two generations {the} has given to {themes}.",
  ],
  corporate: [
    "{The} is the charitable arm of a privately held company and supports {themes}.",
    "{The} gives where the company's employees live and work, with a focus on {themes}.",
    "Funded each year from company profits, {the} supports {themes}.",
  ],
};

const closings: Readonly<Record<FunderKind, readonly string[]>> = {
  federal: [
    "Awards go to governments, tribes, universities, and nonprofits.",
    "Its notices are posted throughout the fiscal year.",
    "Technical assistance is offered to first-time applicants.",
  ],
  state: [
    "Applications are taken once or twice a year.",
    "Local governments and nonprofits may apply.",
    "Regional staff help applicants with questions.",
  ],
  community: [
    "Volunteers from the area review every request.",
    "Most grants are under $50,000.",
    "Priority goes to projects that neighbors have helped to plan.",
  ],
  family: [
    "Trustees meet twice a year.",
    "Unsolicited letters of inquiry are welcome.",
    "The trustees favor general operating support.",
  ],
  corporate: [
    "Employees serve on the review committee.",
    "Grants are renewed for up to three years.",
    "Organizations in the communities it serves come first.",
  ],
};

const buyerOnly = [
  "{The} buys goods and services from private firms and posts its solicitations through the year.",
  "{The} awards contracts for construction, supplies, and services at its sites nationwide.",
];

/** Two or three sentences on what a funder does. */
export function summaryOf(funder: FunderProfile, random: Random): string {
  const slots = {
    the: `the ${funder.name}`,
    themes: series(random.sample(funder.grantTopics, random.integer(2, 4)).map(({ theme }) => theme)),
  };
  if (funder.grantTopics.length === 0) return fill(random.pick(buyerOnly), slots);
  const opening = fill(random.pick(openings[funder.kind]), slots);
  return [opening, ...random.sample(closings[funder.kind], random.integer(1, 2))].join(" ");
}
