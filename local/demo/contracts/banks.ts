import type { ContractTopic } from "../contract-topics/topic.ts";

type Delivery = ContractTopic["delivery"];

/** First sentences of a solicitation. `{where}` starts with "at", "for" or "in", or is empty. */
export const openings: Readonly<Record<Delivery, readonly string[]>> = {
  service: [
    "{The} has a requirement for {work}{where}.",
    "{The} seeks a qualified firm to provide {work}{where}.",
    "{The} intends to award a contract for {work}{where}.",
    "Offers are invited for {work}{where}.",
  ],
  remote: [
    "{The} has a requirement for {work}{where}.",
    "{The} seeks proposals for {work}{where}.",
    "{The} plans to award one contract for {work}{where}.",
    "Qualified firms are invited to submit proposals for {work}{where}.",
  ],
  works: [
    "{The} invites bids for {work}{where}.",
    "{The} intends to contract for {work}{where}.",
    "Sealed bids are sought for {work}{where}.",
    "This solicitation covers {work}{where}.",
  ],
  supplies: [
    "{The} intends to buy {work}{where}.",
    "{The} requests quotations for {work}{where}.",
    "Quotes are invited for {work}{where}.",
    "This is a combined synopsis and solicitation for {work}{where}.",
  ],
};

export const duties = [
  "The contractor shall {tasks}.",
  "The contractor will be expected to {tasks}.",
  "Among other duties, the firm selected must {tasks}.",
  "The scope of work requires the contractor to {tasks}.",
];

export const awardedDuties = {
  past: ["The contract called for the vendor to {tasks}.", "The vendor agreed to {tasks}."],
  present: ["The contract calls for the vendor to {tasks}.", "The vendor is to {tasks}."],
};

/** How long: a notice says it once. */
export const durations: Readonly<Record<Delivery, readonly string[]>> = {
  service: [
    "The contract will have a base year and {options} one-year options.",
    "The term is {years} years, with fixed prices for each.",
  ],
  remote: [
    "The contract will have a base year and {options} one-year options.",
    "The period of performance is {months} months.",
  ],
  works: [
    "Work must be finished within {days} days of the notice to proceed.",
    "The period of performance is {days} calendar days.",
  ],
  supplies: ["Delivery is required within {shortDays} days of the order."],
};

export const conditions: Readonly<Record<Delivery, readonly string[]>> = {
  service: ["Services are to begin within thirty days of award.", "Invoices are paid monthly for work accepted."],
  remote: [
    "Work may be done remotely, with monthly meetings by video.",
    "Payment follows the acceptance of each deliverable.",
  ],
  works: [
    "The contractor must furnish all labor, materials, and equipment.",
    "A single firm-fixed-price contract is expected.",
  ],
  supplies: ["Prices must include delivery and unloading.", "A single firm-fixed-price order is expected."],
};

export const evaluation = [
  "Award will go to the lowest-priced offer that meets every requirement.",
  "Offers will be judged on technical approach, past performance, and price.",
  "The evaluation gives more weight to quality than to price.",
  "Past performance on similar work will be checked.",
  "The contract will be awarded without discussions, so first offers should be best offers.",
];

export const magnitude = {
  ranged: ["The estimated value is between {min} and {max}.", "The expected value is from {min} to {max}."],
  capped: ["The estimated value does not exceed {max}.", "The ceiling for this requirement is {max}."],
  floored: ["A minimum of {min} will be ordered.", "The guaranteed minimum is {min}."],
};

export const visits = [
  "A site visit will be held two weeks before offers are due.",
  "Offerors are urged to inspect the site before they submit a price.",
  "Those who wish to see the site must register with the contracting office.",
];

export const due = [
  "Offers are due by 2:00 p.m. local time on {deadline}.",
  "Responses must be received no later than {deadline}.",
  "The closing date is {deadline}.",
  "Bids will be accepted until 4:00 p.m. local time on {deadline}.",
];

export const questions = [
  "Send questions to {email}.",
  "Questions must be e-mailed to {email}; calls will not be returned.",
  "Direct all inquiries to {email}.",
];

/** First sentences of a notice that asks for no offers yet. */
export const forecastOpenings = [
  "{The} expects to need {work}{where}.",
  "{The} is looking for firms able to supply {work}{where}.",
  "{The} plans to solicit offers for {work}{where} later in the fiscal year.",
];

export const forecasts = [
  "This is a sources sought notice, not a request for offers.",
  "This presolicitation notice is for planning only.",
  "This is a forecast of a contract that has not yet been approved.",
];

export const cancellations = [
  "This solicitation has been cancelled because the requirement changed.",
  "This notice is cancelled; no acceptable offers were received.",
  "The solicitation is cancelled and may be issued again in a later fiscal year.",
  "This requirement has been cancelled for lack of funds.",
];

export const awards = [
  "{The} awarded this contract for {work}{where}.",
  "This is a notice of award for {work}{where}.",
  "A contract for {work}{where} was awarded by {the}.",
];

export const competition = [
  "The agency received {offers} offers.",
  "Award followed a competition among {offers} firms.",
  "The award was made to the firm whose offer was judged the best value.",
  "The lowest of {offers} responsive bids was accepted.",
];
