import { parseAgencyPath, parseApplicantTypes } from "../../ingest/fields/details.ts";
import type { StoredDetails } from "../../ingest/record.ts";
import { agencyPath, assumedDeadline } from "../../ingest/sources/grants-gov-values.ts";
import { type Day, isoDate } from "./calendar.ts";
import type { ContractFacts } from "./contracts/facts.ts";
import type { FunderProfile } from "./funders/profile.ts";
import type { GrantFacts } from "./grants/facts.ts";
import { Random } from "./random.ts";

type ApplicantTypes = NonNullable<StoredDetails["applicant_types"]>;

/** Groups that notices name together. */
const applicants: readonly ApplicantTypes[] = [
  ["government_state", "government_county", "government_municipal", "government_tribal"],
  ["government_county", "government_municipal", "government_special_district"],
  ["non_profit_with_501c3"],
  ["non_profit_with_501c3", "nonprofit_without_501c3"],
  ["higher_education_public", "higher_education_private", "non_profit_with_501c3"],
  ["school_district_independent", "government_county"],
  ["for_profit_small_business"],
  ["individual"],
  ["unrestricted"],
  ["custom"],
];

/** Sentence of a description that says who may apply, and those that say whether costs are shared. */
const eligibility =
  /(?:Eligible applicants are|Applications are accepted from|Eligibility is limited to|Those eligible include|Applicants must be|We fund) [^.]+\.|[A-Z][^.]* may apply[^.]*\./;
const costsAreShared = /cover at least \d+ percent|match of \d+ percent/i;
const costsAreNotShared = /cost sharing is not required|no match|not require a match/i;

/** Hours at which applications close, with their offset in summer and in winter. */
const closingHours = ["17:00:00", "15:00:00", "23:59:00"];

/** Details of a grant. (A stream of its own: the other fields of a record stay what they were without details.) */
export function grantDetails(seed: number, facts: GrantFacts, description: string): StoredDetails {
  const { index, funder, stage, number, listing, amounts, topic } = facts;
  const random = new Random(seed, "grant details", index);
  const isAwarded = stage.classification === "awarded_project";
  const agency = agencyOf(funder);
  const known = {
    ...(number === null ? {} : { opportunity_number: number }),
    agency,
    ...(listing === null ? {} : { assistance_listings: [{ number: listing, title: topic.categories[0] }] }),
    funding_instrument: [funder.kind === "federal" && random.chance(0.25) ? "cooperative_agreement" : "grant"],
  } satisfies StoredDetails;
  if (isAwarded) return known;
  const awards = random.integer(1, 40);
  const sentence = eligibility.exec(description)?.[0];
  const written = sentence === undefined ? [] : parseApplicantTypes([sentence]).filter((type) => type !== "custom");
  return {
    ...known,
    notice_type: stage.status === "forecasted" ? "Forecast" : "Synopsis",
    applicant_types: written.length > 0 ? written : random.pick(applicants),
    ...(sentence === undefined ? {} : { eligibility_text: sentence }),
    cost_sharing: costsAreShared.test(description) || (!costsAreNotShared.test(description) && random.chance(0.2)),
    ...(random.chance(0.7) ? { expected_awards: awards } : {}),
    ...(amounts.max !== null && random.chance(0.6) ? { total_funding: amounts.max * awards } : {}),
    ...(random.chance(0.6) ? { documents: [notice(funder, `${index}`, stage.posted, random)] } : {}),
    ...deadlineOf(funder, stage.deadline, random),
  };
}

/** Details of a contract. */
export function contractDetails(seed: number, index: number, facts: ContractFacts): StoredDetails {
  const { buyer, stage, place, solicitation, topic } = facts;
  const random = new Random(seed, "contract details", index);
  const isAwarded = stage.classification === "awarded_project";
  const [state] = place.states;
  return {
    opportunity_number: solicitation,
    notice_type: isAwarded
      ? "Award Notice"
      : random.pick(["Solicitation", "Combined Synopsis/Solicitation", "Presolicitation"]),
    agency: agencyOf(buyer),
    psc: { works: "Z2AA", supplies: "7110" }[topic.delivery as string] ?? "R499",
    ...(state === undefined ? {} : { place_of_performance: { city: null, state, zip: null, country: "USA" } }),
    ...(isAwarded || random.chance(0.3)
      ? {}
      : { documents: [notice(buyer, solicitation.toLowerCase(), stage.posted, random)] }),
    ...(isAwarded ? {} : deadlineOf(buyer, stage.deadline, random)),
  };
}

function agencyOf({ kind, abbreviation, name }: FunderProfile): string[] {
  return kind === "federal" ? parseAgencyPath(agencyPath(abbreviation, name)) : [name];
}

function notice(funder: FunderProfile, name: string, posted: Day, random: Random) {
  return {
    name: "Full announcement",
    url: `https://www.${funder.host}/documents/${name}.pdf`,
    type: "application/pdf",
    size: random.integer(90_000, 2_400_000),
    updated_at: `${isoDate(posted)}T14:00:00.000Z`,
  };
}

/** Words of publishers in the place of a deadline. */
const openEndedNotes = ["Rolling", "Open until funds are exhausted", "Applications are accepted all year round"];

/** Federal notices give the day alone; of the others, most give the hour. */
function deadlineOf(funder: FunderProfile, deadline: Day | null, random: Random): StoredDetails {
  if (deadline === null) return { deadline_note: random.pick(openEndedNotes) };
  const assumed = assumedDeadline(isoDate(deadline));
  if (funder.kind === "federal") return assumed ?? {};
  if (assumed === undefined || random.chance(0.2)) return {};
  return { deadline_at: assumed.deadline_at.replace("23:59:00", random.pick(closingHours)) };
}
