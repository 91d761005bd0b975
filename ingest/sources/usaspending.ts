import { isBlank, toLine } from "../fields/value.ts";
import { csvRows } from "../read/csv.ts";
import { agencyName } from "./agency-name.ts";
import { awardAmounts } from "./award-amounts.ts";
import { type ColumnNames, withColumnNames } from "./column-names.ts";
import { facts } from "./facts.ts";
import { type OtherFile, refuseOtherFiles } from "./other-files.ts";
import { performancePlace } from "./performance-place.ts";
import { productServiceGroup } from "./product-service-codes.ts";
import { createRecordMakers, noRecord, type RawRow, type Source } from "./source.ts";
import { sourceDates } from "./source-dates.ts";

const { contract } = createRecordMakers(sourceDates.usaspending);

/** Columns of USAspending's award summaries, by the names in exports of its database. */
const columnNames: ColumnNames = {
  own: [
    "award_base_action_date",
    "award_id_piid",
    "award_latest_action_date",
    "award_type",
    "awarding_agency_name",
    "awarding_office_name",
    "awarding_sub_agency_code",
    "awarding_sub_agency_name",
    "contract_award_unique_key",
    "extent_competed",
    "naics_code",
    "naics_description",
    "ordering_period_end_date",
    "parent_award_id_piid",
    "period_of_performance_current_end_date",
    "period_of_performance_potential_end_date",
    "potential_total_value_of_award",
    "primary_place_of_performance_city_name",
    "primary_place_of_performance_country_code",
    "primary_place_of_performance_state_code",
    "primary_place_of_performance_zip_4",
    "prime_award_base_transaction_description",
    "product_or_service_code",
    "product_or_service_code_description",
    "recipient_name",
    "total_obligated_amount",
    "type_of_contract_pricing",
    "type_of_set_aside",
    "type_of_set_aside_code",
    "usaspending_permalink",
  ],
  copies: {
    award_id: "contract_award_unique_key",
    piid: "award_id_piid",
    referenced_idv_piid: "parent_award_id_piid",
    awardee_name_raw: "recipient_name",
    awarding_agency_raw: "awarding_agency_name",
    awarding_subagency_raw: "awarding_sub_agency_name",
    date_signed: "award_latest_action_date",
    potential_value: "potential_total_value_of_award",
    pop_current_end_date: "period_of_performance_current_end_date",
    pop_potential_end_date: "period_of_performance_potential_end_date",
    naics: "naics_code",
    psc: "product_or_service_code",
    place_of_performance_state: "primary_place_of_performance_state_code",
  },
};

const requiredColumns = ["contract_award_unique_key", "recipient_name", "awarding_agency_name"];

/** Grants, loans and other assistance, which USAspending gives in files of their own. */
const otherFiles: readonly OtherFile[] = [
  {
    columns: ["assistance_award_unique_key", "assistance_transaction_unique_key"],
    is: "is a file of assistance awards (grants, loans and the like)",
    format: "csv",
    dataset: "grants",
    source: "usaspending-assistance",
    maps: [
      ["source_id", "assistance_award_unique_key"],
      ["title", "prime_award_base_transaction_description", "transaction_description", "award_id_fain", "award_id_uri"],
      ["description", "prime_award_base_transaction_description", "transaction_description", "recipient_name"],
      ["funder", "awarding_sub_agency_name", "awarding_agency_name"],
      ["identifiers", "award_id_fain", "award_id_uri"],
      ["amount_min", "total_obligated_amount"],
      ["amount_max", "total_obligated_amount"],
      ["created_at", "award_base_action_date", "award_latest_action_date", "action_date"],
      ["project_end_date", "period_of_performance_current_end_date"],
      ["assistance_listings", "cfda_numbers_and_titles", "cfda_number"],
      ["states", "primary_place_of_performance_state_name"],
      ["place_zip", "primary_place_of_performance_zip_4"],
      ["place_country", "primary_place_of_performance_country_code"],
      ["url", "usaspending_permalink"],
    ],
    options: "--set classification=awarded",
  },
];

/** USAspending's contract awards. A row is an award, with its amounts and its end. */
export const usaspending: Source = {
  name: "usaspending",
  about: "USAspending's Contracts_PrimeAwardSummaries CSV: awarded contracts",
  datasets: ["contracts"],
  isFull: false,
  columns: requiredColumns,
  usedColumns: columnNames.own,
  missedColumns: ["total_obligated_amount", "potential_total_value_of_award", "period_of_performance_current_end_date"],
  read: withColumnNames(csvRows, columnNames, refuseOtherFiles("usaspending", otherFiles, requiredColumns)),
  map(row) {
    const key = row.contract_award_unique_key;
    if (isBlank(key)) return noRecord("has no award key");
    const group = productServiceGroup(row.product_or_service_code);
    return [
      contract({
        source_id: key,
        title: [shorten(row.prime_award_base_transaction_description), composeTitle(row)],
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
        funder_name: [funderName(row), row.awarding_agency_name],
        funder_source_id: row.awarding_sub_agency_code,
        listing_url: [row.usaspending_permalink, `https://www.usaspending.gov/award/${toLine(key)}`],
        created_at: [row.award_base_action_date, row.award_latest_action_date],
        categories: group,
        identifiers: awardNumbers(row),
        naics: row.naics_code,
        opportunity_number: awardNumbers(row)[0],
        notice_type: isBlank(row.award_type) ? undefined : toSentenceCase(toLine(row.award_type)),
        agency: [
          isBlank(row.awarding_agency_name) ? undefined : agencyName(row.awarding_agency_name),
          funderName(row),
          row.awarding_office_name,
        ],
        psc: row.product_or_service_code,
        place_of_performance: {
          city: row.primary_place_of_performance_city_name,
          state: row.primary_place_of_performance_state_code,
          zip: row.primary_place_of_performance_zip_4,
          country: row.primary_place_of_performance_country_code,
        },
        // FPDS has its own code for Buy Indian.
        set_aside_code:
          row.type_of_set_aside_code === "BI" ? "BICiv" : [row.type_of_set_aside_code, row.type_of_set_aside],
      }),
    ];
  },
};

function funderName(row: RawRow): string | undefined {
  if (isBlank(row.awarding_sub_agency_name)) return undefined;
  return agencyName(row.awarding_sub_agency_name, row.awarding_agency_name);
}

/** Maximum of a title, since an award's description may be a page long. */
const maxTitleCharacters = 200;

function shorten(description: unknown): string | undefined {
  if (isBlank(description)) return undefined;
  const text = toLine(description);
  return text.length > maxTitleCharacters ? `${text.slice(0, maxTitleCharacters).replace(/\s+\S*$/, "")}...` : text;
}

/** "Delivery order FA8650-0001 to EXAMPLE, INC.: Research and Development". */
function composeTitle(row: RawRow): string {
  const type = isBlank(row.award_type) ? "Contract" : toSentenceCase(toLine(row.award_type));
  const recipient = isBlank(row.recipient_name) ? "" : ` to ${toLine(row.recipient_name)}`;
  const group = productServiceGroup(row.product_or_service_code);
  return `${type} ${awardNumbers(row)[0] ?? ""}${recipient}${group === undefined ? "" : `: ${group}`}`;
}

/** Numbers of the award and of its parent. An order's four digits are meaningful only after its parent's number. */
function awardNumbers(row: RawRow): string[] {
  const [number, parent] = [row.award_id_piid, row.parent_award_id_piid].map((value) =>
    isBlank(value) ? "" : toLine(value),
  );
  const own = number !== undefined && number.length <= 4 && parent !== "" ? `${parent}-${number}` : number;
  return [own, parent].filter((value) => value !== undefined && value !== "") as string[];
}

function toSentenceCase(text: string): string {
  const lower = text.toLowerCase().replace(/\bbpa\b/, "BPA");
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}
