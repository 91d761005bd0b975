import * as z from "zod";
import { moment } from "./fields.ts";

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

const ofEveryRecord = {
  source: z
    .string()
    .meta({ description: "Publisher of the file that the record is from.", examples: ["grants-gov", "sam-gov"] }),
  updated_at: moment("When the record last changed in this catalogue."),
};

/** Details that `expand=details` adds to a grant or contract. A field that a source does not give is null, or an empty list. */
export const opportunityDetails = z
  .object({
    opportunity_number: z
      .string()
      .nullable()
      .meta({ description: "Number of the opportunity, solicitation or award.", examples: ["EPA-OW-26-01"] }),
    notice_type: z
      .string()
      .nullable()
      .meta({ description: "Type of the notice, as its publisher writes it.", examples: ["Solicitation"] }),
    agency: z.array(z.string()).meta({
      description: "Organizations that publish the record, each within the one before: department, agency, office.",
      examples: [["Department of Agriculture", "Food and Nutrition Service"]],
    }),
    applicant_types: z.array(z.enum(applicantTypes)).meta({
      description:
        "Who may apply, in the values of CommonGrants. `unrestricted`: anyone. `custom`: others, whom `eligibility_text` names. Empty where the source does not say.",
      examples: [["government_county", "government_municipal"]],
    }),
    eligibility_text: z.string().nullable().meta({ description: "Who may apply, in the publisher's words." }),
    assistance_listings: z
      .array(
        z.object({
          number: z.string().meta({ examples: ["66.460"] }),
          title: z.string().nullable().meta({ description: "Null where the source gives the number alone." }),
        }),
      )
      .meta({ description: "Assistance listings (CFDA numbers) that the money is from." }),
    funding_instrument: z
      .array(z.enum(fundingInstruments))
      .meta({ description: "Forms in which the money may be given.", examples: [["grant"]] }),
    cost_sharing: z
      .boolean()
      .nullable()
      .meta({ description: "Whether the applicant has to bring a part of the money." }),
    expected_awards: z.int().min(0).nullable().meta({ description: "Number of awards that the publisher expects." }),
    total_funding: z.number().nullable().meta({ description: "US dollars that are expected to be given in all." }),
    psc: z
      .string()
      .nullable()
      .meta({ description: "Product or service code of a contract.", examples: ["R499"] }),
    place_of_performance: place.nullable(),
    documents: z.array(document).meta({ description: "Documents of the notice, as far as the source lists them." }),
    deadline_at: z.iso
      .datetime({ offset: true })
      .nullable()
      .meta({
        description:
          "Moment of the deadline with its offset from UTC, on the day `deadline_date`. Null where the source gives the day alone.",
        examples: ["2027-03-05T17:00:00-05:00"],
      }),
    deadline_assumed: z.boolean().meta({
      description:
        "Whether the hour of `deadline_at` is assumed: Grants.gov gives a day, which ends for it at 23:59 Eastern time.",
    }),
    deadline_note: z
      .string()
      .nullable()
      .meta({
        description:
          "What the publisher says of the deadline besides its day: an hour without a zone, a condition, or words in the place of a day.",
        examples: ["Open until funds are exhausted"],
      }),
    ...ofEveryRecord,
  })
  .meta({ description: "Details of a grant or contract. Only if `expand=details` was asked for." });

/** Details that `expand=details` adds to a funder. */
export const funderDetails = z
  .object(ofEveryRecord)
  .meta({ description: "Details of a funder. Only if `expand=details` was asked for." });

export type OpportunityDetails = z.infer<typeof opportunityDetails>;
export type FunderDetails = z.infer<typeof funderDetails>;
