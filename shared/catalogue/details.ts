import * as z from "zod";
import { day, moment } from "../responses/fields.ts";

/** Applicant types, by the values of CommonGrants (protocol version 0.4.0). */
export const applicantTypes = [
  "individual",
  "organization",
  "government_state",
  "government_county",
  "government_municipal",
  "government_special_district",
  "government_tribal",
  "organization_tribal_other",
  "school_district_independent",
  "higher_education_public",
  "higher_education_private",
  "non_profit_with_501c3",
  "nonprofit_without_501c3",
  "for_profit_small_business",
  "for_profit_not_small_business",
  "unrestricted",
  "custom",
] as const;

/** Forms in which money is given. */
export const fundingInstruments = ["grant", "cooperative_agreement", "procurement_contract", "other"] as const;

const document = z.object({
  name: z.string().nullable().meta({ description: "Name of the file, or what the publisher says of it." }),
  url: z.string(),
  type: z
    .string()
    .nullable()
    .meta({ description: "Media type.", examples: ["application/pdf"] }),
  size: z.int().min(0).nullable().meta({ description: "Bytes." }),
  updated_at: moment("When the publisher last changed it.").nullable(),
});

const place = z
  .object({
    city: z.string().nullable(),
    state: z.string().nullable().meta({ description: "As the publisher writes it: a USPS code or a name." }),
    zip: z.string().nullable(),
    country: z.string().nullable(),
  })
  .meta({ description: "Where the work is done, in the publisher's words." });

const recipient = z
  .object({
    name: z.string().nullable(),
    uei: z.string().nullable().meta({ description: "Unique Entity Identifier of SAM.gov: twelve letters and digits." }),
    ein: z.string().nullable().meta({ description: "Employer Identification Number: nine digits." }),
    city: z.string().nullable(),
    state: z.string().nullable().meta({ description: "As the publisher writes it: a USPS code or a name." }),
    country: z.string().nullable(),
  })
  .meta({ description: "Who received the award. Null of opportunities." });

/**
 * A detail of a grant or contract, which `expand=details` shows.
 *
 * @property schema how the API writes it. Its description is the one of the documentation, its first example the one of the OpenAPI document.
 * @property reads what an import reads in a row's values: the name of a parser (`ingest/fields/parsers.ts`), or for an object that of each member.
 * @property columns other names that columns of files have for it, in lower case with `_` for spaces.
 * @property commonGrants where an opportunity of CommonGrants has it: a field of the protocol, or `customFields.NAME`; null where grants have none.
 */
export interface Detail<Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  commonGrants: string | null;
  reads: Reading | Readonly<Record<string, Reading>>;
  columns?: readonly string[];
}

/** Kinds of values that can be read in a row. Each kind after `phone` belongs to one detail. */
export type Reading =
  | "number"
  | "line"
  | "paragraphs"
  | "count"
  | "dollars"
  | "signedDollars"
  | "yesNo"
  | "email"
  | "phone"
  | "agencyPath"
  | "applicantTypes"
  | "assistanceListings"
  | "fundingInstruments"
  | "costSharing"
  | "psc"
  | "place"
  | "recipient"
  | "startDay"
  | "documents"
  | "momentOfDeadline";

/** Every detail of grants and contracts, in the order of the answers and of the columns in CSV. */
export const details = {
  opportunity_number: {
    schema: z
      .string()
      .nullable()
      .meta({
        description: "Number of the opportunity or solicitation; of an award, the one that it was given under.",
        examples: ["USDA-FNS-26-00080"],
      }),
    commonGrants: "customFields.federalOpportunityNumber",
    reads: "number",
  },
  notice_type: {
    schema: z
      .string()
      .nullable()
      .meta({ description: "Type of the notice, as its publisher writes it.", examples: ["Solicitation"] }),
    commonGrants: "customFields.noticeType",
    reads: "line",
  },
  agency: {
    schema: z.array(z.string()).meta({
      description: "Organizations that publish the record, each within the one before: department, agency, office.",
      examples: [["Department of Agriculture", "Food and Nutrition Service"]],
    }),
    commonGrants: "customFields.agency",
    reads: "agencyPath",
  },
  applicant_types: {
    schema: z.array(z.enum(applicantTypes)).meta({
      description:
        "Who may apply, in the values of CommonGrants. `unrestricted`: anyone. `custom`: others, whom `eligibility_text` names. Empty where the source does not say.",
      examples: [["government_county", "non_profit_with_501c3"]],
    }),
    commonGrants: "acceptedApplicantTypes",
    reads: "applicantTypes",
    columns: ["applicant_type", "eligible_applicants"],
  },
  eligibility_text: {
    schema: z.string().nullable().meta({ description: "Who may apply, in the publisher's words." }),
    commonGrants: "customFields.eligibilityCriteria",
    reads: "paragraphs",
    columns: ["eligibility", "additional_information_on_eligibility", "applicant_eligibility_description"],
  },
  assistance_listings: {
    schema: z
      .array(
        z.object({
          number: z.string().meta({ examples: ["10.559"] }),
          title: z.string().nullable().meta({ description: "Null where the source gives the number alone." }),
        }),
      )
      .meta({
        description: "Assistance listings (CFDA numbers) that the money is from.",
        examples: [[{ number: "10.559", title: "Summer Food Service Program for Children" }]],
      }),
    commonGrants: "customFields.assistanceListings",
    reads: "assistanceListings",
    columns: ["assistance_listing", "cfda", "opportunity_assistance_listings"],
  },
  funding_instrument: {
    schema: z
      .array(z.enum(fundingInstruments))
      .meta({ description: "Forms in which the money may be given.", examples: [["grant"]] }),
    commonGrants: "customFields.federalFundingInstruments",
    reads: "fundingInstruments",
    columns: ["funding_instrument_type", "funding_instruments"],
  },
  cost_sharing: {
    schema: z
      .boolean()
      .nullable()
      .meta({ description: "Whether the applicant has to bring a part of the money.", examples: [false] }),
    commonGrants: "customFields.costSharing",
    reads: "costSharing",
    columns: ["cost_sharing_/_match_requirement", "is_cost_sharing"],
  },
  expected_awards: {
    schema: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "Number of awards that the publisher expects.", examples: [40] }),
    commonGrants: "funding.estimatedAwardCount",
    reads: "count",
    columns: ["expected_number_of_awards"],
  },
  total_funding: {
    schema: z
      .number()
      .nullable()
      .meta({ description: "US dollars that are expected to be given in all.", examples: [10_000_000] }),
    commonGrants: "funding.totalAmountAvailable",
    reads: "dollars",
    columns: ["estimated_total_funding", "estimated_total_program_funding"],
  },
  psc: {
    schema: z
      .string()
      .nullable()
      .meta({ description: "Product or service code of a contract.", examples: ["R499"] }),
    commonGrants: null,
    reads: "psc",
    columns: ["product_or_service_code"],
  },
  place_of_performance: { schema: place.nullable(), commonGrants: "customFields.placeOfPerformance", reads: "place" },
  recipient: {
    schema: recipient.nullable(),
    commonGrants: null,
    reads: "recipient",
    columns: ["recipient_name", "awardee"],
  },
  award_number: {
    schema: z.string().nullable().meta({
      description: "Number of the award: of a contract (PIID), of assistance (FAIN), or the publisher's own.",
    }),
    commonGrants: null,
    reads: "number",
    columns: ["award_id_piid", "award_id_fain"],
  },
  award_type: {
    schema: z.string().nullable().meta({ description: "Type of the award, as its publisher writes it." }),
    commonGrants: null,
    reads: "line",
    columns: ["assistance_type_description"],
  },
  obligated_amount: {
    schema: z.number().nullable().meta({
      description:
        "US dollars that the government has bound itself to pay so far. Below 0 where it took back more than it gave.",
    }),
    commonGrants: null,
    reads: "signedDollars",
    columns: ["total_obligated_amount"],
  },
  outlayed_amount: {
    schema: z.number().nullable().meta({ description: "US dollars that were paid so far." }),
    commonGrants: null,
    reads: "signedDollars",
    columns: ["total_outlayed_amount"],
  },
  project_start_date: {
    schema: day().nullable().meta({ description: "First day of an awarded project. `project_end_date` is its last." }),
    commonGrants: null,
    reads: "startDay",
    columns: ["period_of_performance_start_date"],
  },
  contact: {
    schema: z
      .object({
        name: z.string().nullable(),
        email: z.string().nullable(),
        phone: z.string().nullable().meta({ description: "As the publisher writes it." }),
      })
      .nullable()
      .meta({
        description: "Whom to ask about the opportunity, as its publisher says.",
        examples: [{ name: "Grants Management Office", email: "grants@usda-fns.example.gov", phone: "202-555-0143" }],
      }),
    commonGrants: "customFields.contactInfo",
    reads: { name: "line", email: "email", phone: "phone" },
    columns: ["point_of_contact"],
  },
  documents: {
    schema: z.array(document).meta({ description: "Documents of the notice, as far as the source lists them." }),
    commonGrants: "customFields.attachments",
    reads: "documents",
  },
  deadline_at: {
    schema: z.iso
      .datetime({ offset: true })
      .nullable()
      .meta({
        description:
          "Moment of the deadline with its offset from UTC, on the day `deadline_date`. Null where the source gives the day alone.",
        examples: ["2027-03-05T17:00:00-05:00"],
      }),
    commonGrants: "customFields.deadlineAt",
    reads: "momentOfDeadline",
  },
  deadline_assumed: {
    schema: z.boolean().meta({
      description:
        "Whether the hour of `deadline_at` is assumed: Grants.gov gives a day, which ends for it at 23:59 Eastern time.",
    }),
    commonGrants: "keyDates.closeDate",
    reads: "yesNo",
  },
  deadline_note: {
    schema: z
      .string()
      .nullable()
      .meta({
        description:
          "What the publisher says of the deadline besides its day: an hour without a zone, a condition, or words in the place of a day.",
        examples: ["Open until funds are exhausted"],
      }),
    commonGrants: "customFields.deadlineNote",
    reads: "paragraphs",
    columns: ["close_date_description", "close_date_explanation"],
  },
} satisfies Record<string, Detail>;

type Schemas = { [Name in keyof typeof details]: (typeof details)[Name]["schema"] };

/** Schemas of all details, by name. */
export const detailSchemas = Object.fromEntries(
  Object.entries(details).map(([name, { schema }]) => [name, schema]),
) as Schemas;
