import { isBlank, toLine } from "../fields/value.ts";
import { jsonObjects } from "../read/json-objects.ts";
import { awardAmounts } from "./award-amounts.ts";
import { facts } from "./facts.ts";
import { performancePlace } from "./performance-place.ts";
import { createRecordMakers, noRecord, type RawRow, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";

const { grant } = createRecordMakers(sourceDates["nih-reporter"]);

const healthAndHumanServices = "Department of Health and Human Services";

/** Agencies whose projects RePORTER has, by its `agency_code`, each below its department. */
const agencies: Readonly<Record<string, readonly [department: string, agency: string]>> = {
  ACF: [healthAndHumanServices, "Administration for Children and Families"],
  AHRQ: [healthAndHumanServices, "Agency for Healthcare Research and Quality"],
  CDC: [healthAndHumanServices, "Centers for Disease Control and Prevention"],
  FDA: [healthAndHumanServices, "Food and Drug Administration"],
  HRSA: [healthAndHumanServices, "Health Resources and Services Administration"],
  NIH: [healthAndHumanServices, "National Institutes of Health"],
  SAMHSA: [healthAndHumanServices, "Substance Abuse and Mental Health Services Administration"],
  VA: ["Department of Veterans Affairs", "Veterans Health Administration"],
};

/** Projects of NIH RePORTER: answers of its API v2. A record is a project's award of one fiscal year. */
export const nihReporter: Source = {
  name: "nih-reporter",
  about: "answers of NIH RePORTER's API v2, JSON: awarded grants",
  datasets: ["grants"],
  isFull: false,
  columns: ["appl_id", "project_title"],
  read: jsonObjects("appl_id", "project_title"),
  map(row) {
    if (isBlank(row.appl_id)) return noRecord("has no application id");
    const id = toLine(row.appl_id);
    const recipient = recipientOf(objectIn(row.organization));
    const institute = objectIn(row.agency_ic_admin).name;
    const [department, agency] = agencies[textIn(row.agency_code) || "NIH"] ?? [];
    const listing = listingNumber(row.cfda_code);
    const budget = facts({ "Fiscal year": row.fiscal_year, Recipient: recipient.name });
    return [
      grant({
        source_id: id,
        title: row.project_title,
        description: [row.abstract_text, row.phr_text, budget],
        classification: "awarded_project",
        ...awardAmounts(row.award_amount),
        project_start_date: row.project_start_date,
        project_end_date: row.project_end_date,
        ...performancePlace({ ...recipient, zip: objectIn(row.organization).org_zipcode }),
        funder_name: [institute, agency, row.agency_code],
        listing_url: [row.project_detail_url, `https://reporter.nih.gov/project-details/${id}`],
        created_at: row.award_notice_date,
        categories: textIn(row.spending_categories_desc).split(/\s*;\s*/),
        identifiers: [row.project_num, row.core_project_num, listing],
        opportunity_number: row.opportunity_number,
        recipient,
        award_number: row.project_num,
        award_type: [row.funding_mechanism, row.activity_code],
        obligated_amount: row.award_amount,
        notice_type: row.activity_code,
        agency: [department, agency, institute],
        assistance_listings: listing,
        funding_instrument: instrumentOf(row),
        place_of_performance: { ...recipient, zip: objectIn(row.organization).org_zipcode },
      }),
    ];
  },
};

function recipientOf(organization: RawRow) {
  const { org_ueis: ueis } = organization;
  return {
    name: organization.org_name,
    uei: organization.primary_uei ?? (Array.isArray(ueis) ? ueis[0] : undefined),
    city: organization.org_city ?? organization.city,
    state: organization.org_state,
    country: organization.org_country ?? organization.country,
  };
}

/** Number of the assistance listing. RePORTER gives the digits behind the point: all listings of HHS begin with 93. */
function listingNumber(code: unknown): string | undefined {
  const text = textIn(code);
  return /^\d{3}$/.test(text) ? `93.${text}` : text || undefined;
}

/** Form of the funding by the activity code (R01, U54, N01, ZIA), which the number has behind the application's type: "5R01CA000001-02". */
function instrumentOf({ activity_code, project_num }: RawRow): string | undefined {
  const activity = textIn(activity_code) || (/^\d{0,2}([A-Z]\w\w)/.exec(textIn(project_num))?.[1] ?? "");
  if (activity === "") return undefined;
  if (activity.startsWith("U")) return "cooperative agreement";
  if (/^N/.test(activity)) return "procurement contract";
  return /^Z/.test(activity) ? "intramural research" : "grant";
}

function objectIn(value: unknown): RawRow {
  return typeof value === "object" && value !== null ? (value as RawRow) : {};
}

function textIn(value: unknown): string {
  return isBlank(value) ? "" : toLine(value);
}
