import { InputError } from "../errors.ts";
import { parseDayOrNull } from "../fields/date.ts";
import { isBlank } from "../fields/value.ts";
import { csvRows } from "../read/csv.ts";
import { type ColumnNames, withColumnNames } from "./column-names.ts";
import { noRecord, type RawRow, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";
import { assistanceAward } from "./usaspending-assistance.ts";
import { contractAward } from "./usaspending-contracts.ts";

/** Columns of USAspending's awards and transactions, by the names in exports of its database. */
const columnNames: ColumnNames = {
  own: [
    "action_date",
    "assistance_award_unique_key",
    "assistance_type_description",
    "award_base_action_date",
    "award_id_fain",
    "award_id_piid",
    "award_id_uri",
    "award_latest_action_date",
    "award_type",
    "awarding_agency_name",
    "awarding_office_name",
    "awarding_sub_agency_code",
    "awarding_sub_agency_name",
    "cfda_number",
    "cfda_numbers_and_titles",
    "cfda_title",
    "contract_award_unique_key",
    "extent_competed",
    "funding_opportunity_number",
    "naics_code",
    "naics_description",
    "ordering_period_end_date",
    "parent_award_id_piid",
    "period_of_performance_current_end_date",
    "period_of_performance_potential_end_date",
    "period_of_performance_start_date",
    "potential_total_value_of_award",
    "primary_place_of_performance_city_name",
    "primary_place_of_performance_country_code",
    "primary_place_of_performance_state_code",
    "primary_place_of_performance_state_name",
    "primary_place_of_performance_zip_4",
    "prime_award_base_transaction_description",
    "product_or_service_code",
    "product_or_service_code_description",
    "recipient_city_name",
    "recipient_country_code",
    "recipient_name",
    "recipient_state_code",
    "recipient_uei",
    "solicitation_identifier",
    "total_face_value_of_loan",
    "total_obligated_amount",
    "total_outlayed_amount",
    "transaction_description",
    "type_of_contract_pricing",
    "type_of_set_aside",
    "type_of_set_aside_code",
    "usaspending_permalink",
  ],
  copies: {
    award_id: "contract_award_unique_key",
    piid: "award_id_piid",
    fain: "award_id_fain",
    uri: "award_id_uri",
    referenced_idv_piid: "parent_award_id_piid",
    awardee_name_raw: "recipient_name",
    awardee_uei: "recipient_uei",
    awarding_agency_raw: "awarding_agency_name",
    awarding_subagency_raw: "awarding_sub_agency_name",
    date_signed: "award_latest_action_date",
    potential_value: "potential_total_value_of_award",
    pop_start_date: "period_of_performance_start_date",
    pop_current_end_date: "period_of_performance_current_end_date",
    pop_potential_end_date: "period_of_performance_potential_end_date",
    naics: "naics_code",
    psc: "product_or_service_code",
    place_of_performance_state: "primary_place_of_performance_state_code",
    // Transactions.
    total_dollars_obligated: "total_obligated_amount",
    assistance_listing_number: "cfda_number",
    assistance_listing_title: "cfda_title",
  },
};

/** Keys of an award: of a contract, and of assistance. */
const keys = ["contract_award_unique_key", "assistance_award_unique_key"] as const;

/** USAspending's awards of contracts and assistance. A row is an award or one of its transactions, the latest of which says how the award stands. */
export const usaspending: Source = {
  name: "usaspending",
  about: "USAspending's awards of contracts and assistance, CSV",
  datasets: ["contracts", "grants"],
  isFull: false,
  columns: ["recipient_name", "awarding_agency_name"],
  usedColumns: columnNames.own,
  missedColumns: ["total_obligated_amount", "period_of_performance_current_end_date"],
  read: withColumnNames(csvRows, columnNames, (_, restored) => {
    if (!keys.some((key) => restored.includes(key)))
      throw new InputError(`has neither ${keys.join(" nor ")}, so it is not a file of usaspending`);
  }),
  map(row) {
    const make = isBlank(row.contract_award_unique_key) ? assistanceAward : contractAward;
    if (make === assistanceAward && isBlank(row.assistance_award_unique_key)) return noRecord("has no award key");
    return [{ ...make(row), rank: rankOf(row) }];
  },
};

/** Days from 1990 to a transaction, so that the latest of an award's counts. 0 of a summary. */
function rankOf({ action_date }: RawRow): number {
  const day = parseDayOrNull(action_date, sourceDates.usaspending.order);
  const days = day === null ? 0 : (Date.parse(day) - Date.UTC(1990, 0, 1)) / 86_400_000;
  return Math.min(Math.max(days, 0), 65_535);
}
