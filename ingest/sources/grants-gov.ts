import { xmlRows } from "../read/xml.ts";
import {
  agencyPath,
  assumedDeadline,
  categoryNames,
  checkFloor,
  contactOf,
  floorNotes,
  listingUrl,
  rankOf,
  scopeOf,
} from "./grants-gov-values.ts";
import { createRecordMakers, type RawRow, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";

const { grant } = createRecordMakers(sourceDates["grants-gov"]);

/** Grants.gov's daily extract, by its published schema: every opportunity since 2004, archived ones included. */
export const grantsGov: Source = {
  name: "grants-gov",
  about: "Grants.gov's daily XML extract, .zip or .xml: synopses and forecasts",
  datasets: ["grants"],
  isFull: true,
  read: xmlRows("OpportunitySynopsisDetail_1_0", "OpportunityForecastDetail_1_0"),
  isEarly: isForecastRow,
  map(row) {
    const isForecast = isForecastRow(row);
    const deadline = isForecast ? row.EstimatedSynopsisCloseDate : row.CloseDate;
    return [
      {
        rank: rankOf(isForecast, row.Version),
        notes: floorNotes(row.AwardFloor, row.AwardCeiling),
        ...grant({
          source_id: row.OpportunityID,
          title: row.OpportunityTitle,
          description: row.Description,
          amount_min: checkFloor(row.AwardFloor, row.AwardCeiling),
          amount_max: row.AwardCeiling,
          deadline_date: deadline,
          ...assumedDeadline(deadline),
          deadline_note: isForecast ? row.EstimatedSynopsisCloseDateExplanation : row.CloseDateExplanation,
          status: isForecast ? "forecasted" : "posted",
          archived_at: row.ArchiveDate,
          ...scopeOf(row.AgencyName),
          funder_name: [row.AgencyName, row.AgencyCode],
          funder_source_id: row.AgencyCode,
          listing_url: listingUrl(row.OpportunityID),
          created_at: row.PostDate,
          categories: categoryNames(row.CategoryOfFundingActivity),
          identifiers: [row.OpportunityNumber, row.CFDANumbers, row.OpportunityID],
          opportunity_number: row.OpportunityNumber,
          notice_type: isForecast ? "Forecast" : "Synopsis",
          agency: agencyPath(row.AgencyCode, row.AgencyName),
          applicant_types: row.EligibleApplicants,
          eligibility_text: row.AdditionalInformationOnEligibility,
          assistance_listings: row.CFDANumbers,
          funding_instrument: row.FundingInstrumentType,
          cost_sharing: row.CostSharingOrMatchingRequirement,
          expected_awards: row.ExpectedNumberOfAwards,
          total_funding: row.EstimatedTotalProgramFunding,
          contact: contactOf({
            email: row.GrantorContactEmail,
            ...(isForecast
              ? { name: row.GrantorContactName, phone: row.GrantorContactPhoneNumber }
              : { text: row.GrantorContactText }),
          }),
          documents: { name: row.AdditionalInformationText, url: row.AdditionalInformationURL },
        }),
      },
    ];
  },
};

function isForecastRow(row: RawRow): boolean {
  return row.element === "OpportunityForecastDetail_1_0";
}
