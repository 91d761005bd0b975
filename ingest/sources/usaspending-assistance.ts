import { isBlank, toLine } from "../fields/value.ts";
import { awardAmounts } from "./award-amounts.ts";
import { composeAwardTitle, titleOfDescription, toSentenceCase } from "./award-title.ts";
import { facts } from "./facts.ts";
import { performancePlace } from "./performance-place.ts";
import { createRecordMakers, type MappedRecord, type RawRow } from "./source.ts";
import { sourceDates } from "./source-dates.ts";
import { agencyFields, performancePlaceOf, recipientOf } from "./usaspending-fields.ts";

const { grant } = createRecordMakers(sourceDates.usaspending);

/** Grant of a row of USAspending's assistance awards: grants, cooperative agreements, loans and other assistance. */
export function assistanceAward(row: RawRow): MappedRecord {
  const key = row.assistance_award_unique_key;
  const number = [row.award_id_fain, row.award_id_uri].find((value) => !isBlank(value));
  const listings = [row.cfda_numbers_and_titles, listingOf(row)].find((value) => !isBlank(value));
  const description = [row.prime_award_base_transaction_description, row.transaction_description];
  const type = isBlank(row.assistance_type_description) ? undefined : typeInWords(row.assistance_type_description);
  return grant({
    source_id: key,
    title: [
      ...description.map(titleOfDescription),
      composeAwardTitle({ type: type ?? "Award", number, recipient: row.recipient_name, purpose: row.cfda_title }),
    ],
    description: [
      description.find((text) => !isBlank(text)),
      facts({ Recipient: row.recipient_name, "Award type": type, Programme: listings }),
    ],
    classification: "awarded_project",
    ...awardAmounts(row.total_obligated_amount, row.total_face_value_of_loan),
    project_start_date: row.period_of_performance_start_date,
    project_end_date: row.period_of_performance_current_end_date,
    ...performancePlace({
      country: row.primary_place_of_performance_country_code,
      state: row.primary_place_of_performance_state_name,
      city: row.primary_place_of_performance_city_name,
      zip: row.primary_place_of_performance_zip_4,
    }),
    ...agencyFields(row),
    listing_url: [row.usaspending_permalink, `https://www.usaspending.gov/award/${toLine(key)}`],
    created_at: [row.award_base_action_date, row.award_latest_action_date, row.action_date],
    identifiers: number,
    opportunity_number:
      isBlank(row.funding_opportunity_number) || isNone(row.funding_opportunity_number)
        ? undefined
        : row.funding_opportunity_number,
    assistance_listings: listings,
    funding_instrument: type,
    recipient: recipientOf(row),
    award_number: number,
    award_type: type,
    obligated_amount: row.total_obligated_amount,
    outlayed_amount: row.total_outlayed_amount,
    place_of_performance: performancePlaceOf(row, row.primary_place_of_performance_state_name),
  });
}

/** The listing of a transaction, which has its number and title in two columns. */
function listingOf({ cfda_number, cfda_title }: RawRow): string | undefined {
  if (isBlank(cfda_number)) return undefined;
  return isBlank(cfda_title) ? toLine(cfda_number) : `${toLine(cfda_number)}: ${toLine(cfda_title)}`;
}

/** "PROJECT GRANT (B)" as "Project grant". The letter is an old code. */
function typeInWords(description: unknown): string {
  return toSentenceCase(toLine(description).replace(/\s*\([A-Z]\)$/, ""));
}

/** Agencies write this where there was no announcement. */
function isNone(number: unknown): boolean {
  return /^(?:none|n\/?a|not applicable|no nofo)$/i.test(toLine(number));
}
