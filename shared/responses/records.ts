import * as z from "zod";
import { funderDetails, opportunityDetails } from "./details.ts";
import { explanation } from "./explanation.ts";
import { day, id, moment, relevanceScore } from "./fields.ts";

/** Fields that grants and contracts have in common. */
const opportunityFields = {
  id: id("Id of the record. It is the same in every copy of the catalogue."),
  title: z.string().meta({ examples: ["Lunch All Summer Program"] }),
  description: z.string(),
  amount_min: z
    .number()
    .nullable()
    .meta({ description: "US dollars.", examples: [25_000] }),
  amount_max: z
    .number()
    .nullable()
    .meta({ description: "US dollars.", examples: [250_000] }),
  deadline_date: day()
    .nullable()
    .meta({ description: "Always null on awarded projects.", examples: ["2027-03-05"] }),
  geography: z
    .string()
    .nullable()
    .meta({ description: "Place, as free text.", examples: ["Ohio"] }),
  funder_id: id("The funder's id."),
  funder_name: z.string().meta({ examples: ["Food and Nutrition Service"] }),
  listing_url: z.string().nullable().meta({ description: "Address of the published notice." }),
  created_at: moment("When the opportunity was posted."),
  categories: z.array(z.string()).meta({ examples: [["Food and Nutrition", "Education"]] }),
  project_end_date: day()
    .nullable()
    .optional()
    .meta({ description: "Only on awarded projects, in place of a deadline.", examples: ["2027-09-30"] }),
  relevance_score: relevanceScore,
  explanation: explanation.optional(),
  details: opportunityDetails.optional(),
};

export const grant = z
  .object({
    ...opportunityFields,
    status: z
      .enum(["open", "posted", "closed", "forecasted", "upcoming"])
      .meta({ description: "Status as published." }),
  })
  .meta({ description: "A grant opportunity, or a project that was granted money." });

export const contract = z
  .object({
    ...opportunityFields,
    status: z.string().meta({
      description:
        "`open`, `closed`, `upcoming`, `forecasted`, `cancelled` or `awarded`, into which publishers' words are translated; any other status is its publisher's own, in lower case.",
      examples: ["open"],
    }),
    document_url: z.string().nullable(),
    naics: z
      .string()
      .regex(/^\d{6}$/)
      .nullable()
      .meta({ description: "NAICS code of the industry.", examples: ["541511"] }),
    primary_contact_email: z.string().nullable(),
    set_aside_code: z
      .string()
      .nullable()
      .meta({ description: "A GSA set-aside code, or the publisher's own.", examples: ["HZC"] }),
  })
  .meta({ description: "A government contract opportunity, or a contract that was awarded." });

export const funder = z
  .object({
    id: id("Id of the funder. It is the same in every copy of the catalogue."),
    name: z.string().meta({ examples: ["Food and Nutrition Service"] }),
    summary: z.string().nullable(),
    website: z.string().nullable(),
    created_at: moment("When the funder was added to the catalogue."),
    relevance_score: relevanceScore,
    explanation: explanation.optional(),
    details: funderDetails.optional(),
  })
  .meta({ description: "An organization that funds grants or contracts." });

export type Grant = z.infer<typeof grant>;
export type Contract = z.infer<typeof contract>;
export type Funder = z.infer<typeof funder>;
/** A record, as the API returns it. */
export type RecordBody = Grant | Contract | Funder;
