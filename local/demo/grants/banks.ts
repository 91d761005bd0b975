import type { FunderKind } from "../funders/profile.ts";

/** Sentences that any topic can use. Public funders and foundations speak differently. */
export interface GrantBanks {
  openings: readonly string[];
  followUps: readonly string[];
  uses: readonly string[];
  people: readonly string[];
  eligibility: readonly string[];
  costShare: readonly string[];
  review: readonly string[];
  reporting: readonly string[];
  applyBy: readonly string[];
  rolling: readonly string[];
  extras: readonly string[];
}

const uses = [
  "Funds may be used for {activities}.",
  "Eligible activities include {activities}.",
  "Typical projects include {activities}.",
  "Past awards have paid for {activities}.",
  "Examples of eligible work are {activities}.",
  "The money can go toward {activities}.",
];

const people = [
  "Priority will be given to projects that serve {people}.",
  "{The} especially encourages proposals that reach {people}.",
  "Preference goes to work that benefits {people}.",
  "At least half of each award should benefit {people}.",
  "Extra points are available for plans that focus on {people}.",
];

const review = [
  "Reviewers will weigh need, the soundness of the plan, and the ability of the team to carry it out.",
  "Proposals are scored on need, design, partnerships, and cost.",
  "Letters of support from partners strengthen a proposal.",
  "A panel of people who know the field will read every proposal.",
  "Realistic budgets and clear goals count for more than polished writing.",
];

const reporting = [
  "Grantees will report on {measures}.",
  "Progress is judged by {measures}.",
  "Each year recipients must report {measures}.",
  "Applicants should explain how they will track {measures}.",
  "The final report must cover {measures}.",
];

const publicBanks: GrantBanks = {
  openings: [
    "{The} seeks applications from organizations that will {purpose}.",
    "The purpose of the {program} is to {purpose}.",
    "The {program} helps {applicants} {purpose}.",
    "{The} announces the availability of funds to {purpose}.",
    "Through the {program}, {the} funds efforts to {purpose}.",
    "Funding is available {inPlace} to {purpose}.",
    "This notice invites proposals to {purpose}.",
  ],
  followUps: [
    "Successful projects will also {purpose}.",
    "Recipients are expected to {purpose}.",
    "A second goal is to {purpose}.",
    "Applicants may also propose to {purpose}.",
  ],
  uses,
  people,
  eligibility: [
    "Eligible applicants are {applicants}.",
    "Applications are accepted from {applicants}.",
    "{Applicants} may apply.",
    "Eligibility is limited to {applicants}.",
    "Those eligible include {applicants}, alone or in partnership.",
  ],
  costShare: [
    "Cost sharing is not required.",
    "Applicants must cover at least {match} percent of project costs from other sources.",
    "A match of {match} percent is required and may be met in cash or in kind.",
    "There is no match, but other contributions will be noted in review.",
    "The match of {match} percent may be waived for communities with high poverty.",
  ],
  review,
  reporting,
  applyBy: [
    "Applications must be received by 11:59 p.m. {zone} on {deadline}.",
    "The deadline to apply is {deadline}.",
    "Complete applications are due on {deadline}; late submissions will not be considered.",
    "Submit the application online no later than {deadline}.",
  ],
  rolling: [
    "Applications are accepted at any time and reviewed in the order in which they arrive.",
    "There is no fixed deadline; awards are made until the money is spent.",
    "Applications are reviewed every quarter.",
  ],
  extras: [
    "A webinar for applicants will be recorded and posted online.",
    "First-time applicants are encouraged to attend an information session.",
    "Awards depend on the availability of appropriated funds.",
    "Recipients must register with the government's award management system before they apply.",
    "Indirect costs may be charged at the applicant's negotiated rate.",
    "Applicants should read the full announcement before they begin.",
  ],
};

const foundationBanks: GrantBanks = {
  openings: [
    "{The} invites proposals from groups that {purpose}.",
    "The {program} helps {applicants} {purpose}.",
    "With these grants, {the} aims to {purpose}.",
    "{The} supports organizations {inPlace} that {purpose}.",
    "Grants are available {inPlace} to {purpose}.",
    "{The} created the {program} to {purpose}.",
  ],
  followUps: [
    "We also welcome proposals to {purpose}.",
    "Strong applicants often {purpose} as well.",
    "Grants may help groups {purpose}.",
  ],
  uses,
  people: [
    "We give first consideration to projects that serve {people}.",
    "Our board has a particular interest in {people}.",
    "Preference goes to work that benefits {people}.",
    "We want to hear from groups that work with {people}.",
  ],
  eligibility: [
    "Applicants must be tax-exempt nonprofits, schools, or public agencies.",
    "We fund {applicants}.",
    "{Applicants} may apply, as may groups with a fiscal sponsor.",
    "Nonprofits with annual budgets under $2 million are preferred.",
  ],
  costShare: [
    "No match is required.",
    "We like to see other donors involved, but we do not require a match.",
    "Up to {match} percent of the request may cover overhead.",
  ],
  review,
  reporting,
  applyBy: [
    "Proposals are due on {deadline}.",
    "Please submit the online form by {deadline}.",
    "Send a letter of inquiry of no more than two pages by {deadline}.",
    "The application closes on {deadline}, and decisions follow about eight weeks later.",
  ],
  rolling: [
    "Letters of inquiry are accepted all year.",
    "There is no deadline; the committee meets every month.",
    "Requests are considered as they arrive.",
  ],
  extras: [
    "Call before applying if you are not sure that your project fits.",
    "Multi-year requests will be considered.",
    "We do not fund individuals, endowments, or political campaigns.",
    "General operating support is available to past grantees.",
    "Small and new organizations are encouraged to apply.",
    "A site visit may be part of the review.",
  ],
};

/** The sentences that fit the funder. */
export function banksFor(funder: FunderKind): GrantBanks {
  return funder === "federal" || funder === "state" ? publicBanks : foundationBanks;
}
