import { xmlRows } from "../read/xml.ts";
import { categoryNames, isOver, listingUrl, scopeOf } from "./grants-gov-values.ts";
import { recordsDated, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";

const { grant } = recordsDated(sourceDates["grants-gov"]);

/** Grants.gov's daily extract, by its published schema: every opportunity since 2004, archived ones included. */
export const grantsGov: Source = {
  name: "grants-gov",
  about: "Grants.gov's daily XML extract, .zip or .xml: synopses and forecasts",
  datasets: ["grants"],
  isFull: true,
  read: xmlRows("OpportunitySynopsisDetail_1_0", "OpportunityForecastDetail_1_0"),
  map(row, { today }) {
    const isForecast = row.element === "OpportunityForecastDetail_1_0";
    const isArchived = isOver(row.ArchiveDate, today);
    return [
      grant({
        source_id: row.OpportunityID,
        title: row.OpportunityTitle,
        description: row.Description,
        amount_min: floorUnder(row.AwardFloor, row.AwardCeiling),
        amount_max: row.AwardCeiling,
        deadline_date: isForecast ? row.EstimatedSynopsisCloseDate : row.CloseDate,
        // Of a synopsis, the deadline tells whether it is posted or closed.
        status: isArchived ? "archived" : isForecast ? "forecasted" : undefined,
        archived_at: isArchived ? row.ArchiveDate : undefined,
        ...scopeOf(row.AgencyName),
        funder_name: [row.AgencyName, row.AgencyCode],
        funder_source_id: row.AgencyCode,
        listing_url: listingUrl(row.OpportunityID),
        created_at: row.PostDate,
        categories: categoryNames(row.CategoryOfFundingActivity),
        identifiers: [row.OpportunityNumber, row.CFDANumbers, row.OpportunityID],
      }),
    ];
  },
};

/** A floor above the ceiling is a slip of the publisher's, and says nothing; the ceiling is what people look at. */
function floorUnder(floor: unknown, ceiling: unknown): unknown {
  const isAbove = Number(ceiling) > 0 && Number(floor) > Number(ceiling);
  return isAbove ? undefined : floor;
}
