import { isBlank, toLine } from "../fields/value.ts";
import { awardAmounts } from "./award-amounts.ts";
import { composeAwardTitle, titleOfDescription, toSentenceCase } from "./award-title.ts";
import { facts } from "./facts.ts";
import { performancePlace } from "./performance-place.ts";
import { productServiceGroup } from "./product-service-codes.ts";
import { createRecordMakers, type MappedRecord, type RawRow } from "./source.ts";
import { sourceDates } from "./source-dates.ts";
import { agencyFields, performancePlaceOf, recipientOf } from "./usaspending-fields.ts";

const { contract } = createRecordMakers(sourceDates.usaspending);

/** Contract of a row of USAspending's contract awards. */
export function contractAward(row: RawRow): MappedRecord {
  const key = row.contract_award_unique_key;
  const group = productServiceGroup(row.product_or_service_code);
  const [number] = awardNumbers(row);
  const type = isBlank(row.award_type) ? undefined : toSentenceCase(toLine(row.award_type));
  return contract({
    source_id: key,
    title: [
      titleOfDescription(row.prime_award_base_transaction_description),
      composeAwardTitle({ type: type ?? "Contract", number, recipient: row.recipient_name, purpose: group }),
    ],
    description: [
      row.prime_award_base_transaction_description,
      facts({
        Recipient: row.recipient_name,
        "Award type": row.award_type,
        "Product or service": [row.product_or_service_code_description, group],
        Industry: row.naics_description,
        Competition: row.extent_competed,
        Pricing: row.type_of_contract_pricing,
      }),
    ],
    classification: "awarded_project",
    ...awardAmounts(row.total_obligated_amount, row.potential_total_value_of_award),
    project_start_date: row.period_of_performance_start_date,
    project_end_date: [
      row.period_of_performance_current_end_date,
      row.period_of_performance_potential_end_date,
      row.ordering_period_end_date,
    ],
    ...performancePlace({
      country: row.primary_place_of_performance_country_code,
      state: row.primary_place_of_performance_state_code,
      city: row.primary_place_of_performance_city_name,
      zip: row.primary_place_of_performance_zip_4,
    }),
    ...agencyFields(row),
    listing_url: [row.usaspending_permalink, `https://www.usaspending.gov/award/${toLine(key)}`],
    created_at: [row.award_base_action_date, row.award_latest_action_date, row.action_date],
    categories: group,
    identifiers: awardNumbers(row),
    naics: row.naics_code,
    opportunity_number: row.solicitation_identifier,
    notice_type: type,
    recipient: recipientOf(row),
    award_number: number,
    award_type: type,
    obligated_amount: row.total_obligated_amount,
    outlayed_amount: row.total_outlayed_amount,
    psc: row.product_or_service_code,
    place_of_performance: performancePlaceOf(row, row.primary_place_of_performance_state_code),
    // FPDS has its own code for Buy Indian.
    set_aside_code: row.type_of_set_aside_code === "BI" ? "BICiv" : [row.type_of_set_aside_code, row.type_of_set_aside],
  });
}

/** Numbers of the award and of its parent. An order's four digits are meaningful only after its parent's number. */
function awardNumbers(row: RawRow): string[] {
  const [number, parent] = [row.award_id_piid, row.parent_award_id_piid].map((value) =>
    isBlank(value) ? "" : toLine(value),
  );
  const own = number !== undefined && number.length <= 4 && parent !== "" ? `${parent}-${number}` : number;
  return [own, parent].filter((value) => value !== undefined && value !== "") as string[];
}
