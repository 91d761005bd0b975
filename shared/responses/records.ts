import * as z from "zod";
import { funderDetails, opportunityDetails } from "./details.ts";
import { explanation } from "./explanation.ts";
import { day, id, moment, relevanceScore } from "./fields.ts";
import { highlights } from "./highlights.ts";
import { passages } from "./passages.ts";

/** Beginning of a grant and of a contract. The order of all fields is that of the columns in CSV. */
const what = {
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
  project_end_date: day()
    .nullable()
    .optional()
    .meta({ description: "Only on awarded projects, in place of a deadline.", examples: ["2027-09-30"] }),
};

const geography = z
  .string()
  .nullable()
  .meta({ description: "Place, as free text.", examples: ["Ohio"] });

const whose = {
  funder_id: id("The funder's id."),
  funder_name: z.string().meta({ examples: ["Food and Nutrition Service"] }),
};

const listingUrl = z.string().nullable().meta({ description: "Address of the published notice." });

const rest = {
  created_at: moment("When the opportunity was posted."),
  categories: z.array(z.string()).meta({ examples: [["Food and Nutrition", "Education"]] }),
};

/** Members that an answer adds to a record on request. */
const added = {
  relevance_score: relevanceScore,
  explanation: explanation.optional(),
  highlights: highlights.optional(),
};

/** Of grants and contracts. */
const addedOfDocuments = { passages: passages.optional() };

export const grant = z
  .object({
    ...what,
    status: z
      .enum(["open", "posted", "closed", "forecasted", "upcoming"])
      .meta({ description: "Status as published." }),
    geography,
    ...whose,
    listing_url: listingUrl,
    ...rest,
    ...added,
    ...addedOfDocuments,
    details: opportunityDetails.optional(),
  })
  .meta({ description: "A grant opportunity, or a project that was granted money." });

export const contract = z
  .object({
    ...what,
    status: z.string().meta({
      description:
        "`open`, `closed`, `upcoming`, `forecasted`, `cancelled` or `awarded`, into which publishers' words are translated; any other status is its publisher's own, in lower case.",
      examples: ["open"],
    }),
    geography,
    document_url: z.string().nullable(),
    listing_url: listingUrl,
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
    ...whose,
    ...rest,
    ...added,
    ...addedOfDocuments,
    details: opportunityDetails.optional(),
  })
  .meta({ description: "A government contract opportunity, or a contract that was awarded." });

export const funder = z
  .object({
    id: id("Id of the funder. It is the same in every copy of the catalogue."),
    name: z.string().meta({ examples: ["Food and Nutrition Service"] }),
    summary: z.string().nullable(),
    website: z.string().nullable(),
    created_at: moment("When the funder was added to the catalogue."),
    ...added,
    details: funderDetails.optional(),
  })
  .meta({ description: "An organization that funds grants or contracts." });

export type Grant = z.infer<typeof grant>;
export type Contract = z.infer<typeof contract>;
export type Funder = z.infer<typeof funder>;
/** A record, as the API returns it. */
export type RecordBody = Grant | Contract | Funder;
