import { isBlank } from "../fields/value.ts";
import { agencyName } from "./agency-name.ts";
import type { RawRow } from "./source.ts";

/** Fields that USAspending's contract and assistance awards share. */

/** Funder and path of agencies: the sub-agency, else the agency. */
export function agencyFields(row: RawRow) {
  const { awarding_agency_name: agency, awarding_sub_agency_name: subAgency } = row;
  const funder = isBlank(subAgency) ? undefined : agencyName(subAgency, agency);
  return {
    funder_name: [funder, agency],
    funder_source_id: row.awarding_sub_agency_code,
    agency: [isBlank(agency) ? undefined : agencyName(agency), funder, row.awarding_office_name],
  };
}

export function recipientOf(row: RawRow) {
  return {
    name: row.recipient_name,
    uei: row.recipient_uei,
    city: row.recipient_city_name,
    state: row.recipient_state_code,
    country: row.recipient_country_code,
  };
}

/** Place of performance in the publisher's words. Contracts have a code of the state, assistance its name. */
export function performancePlaceOf(row: RawRow, state: unknown) {
  return {
    city: row.primary_place_of_performance_city_name,
    state,
    zip: row.primary_place_of_performance_zip_4,
    country: row.primary_place_of_performance_country_code,
  };
}
