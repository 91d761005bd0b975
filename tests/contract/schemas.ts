import { z } from "zod";

/**
 * The resources as the tables of docs/api.md ("Records") give them, field by field. The objects
 * are strict: a field that is not in them fails as surely as a missing one.
 */

const isoDate = z.iso.date();
const isoDateTime = z.iso.datetime({ offset: true });
const amount = z.number().nullable();

const grantFields = {
  id: z.uuid(),
  title: z.string(),
  description: z.string(),
  amount_min: amount,
  amount_max: amount,
  deadline_date: isoDate.nullable(),
  status: z.enum(["open", "posted", "closed", "forecasted", "upcoming"]),
  geography: z.string().nullable(),
  funder_id: z.uuid(),
  funder_name: z.string(),
  listing_url: z.string().nullable(),
  created_at: isoDateTime,
  categories: z.array(z.string()),
};

const contractFields = {
  id: z.uuid(),
  title: z.string(),
  description: z.string(),
  amount_min: amount,
  amount_max: amount,
  deadline_date: isoDate.nullable(),
  status: z.string().min(1),
  geography: z.string().nullable(),
  document_url: z.string().nullable(),
  listing_url: z.string().nullable(),
  naics: z
    .string()
    .regex(/^\d{6}$/)
    .nullable(),
  primary_contact_email: z
    .string()
    .regex(/^[^@\s]+@[^@\s]+$/)
    .nullable(),
  set_aside_code: z.string().min(1).nullable(),
  funder_id: z.uuid(),
  funder_name: z.string(),
  created_at: isoDateTime,
  categories: z.array(z.string()),
};

/** Fields of an awarded record, which has no deadline. */
const awardedFields = { deadline_date: z.null(), project_end_date: isoDate };
const scoreFields = { relevance_score: z.number().min(0).max(1) };

export const openGrant = z.strictObject(grantFields);
export const awardedGrant = z.strictObject({ ...grantFields, ...awardedFields });
export const openContract = z.strictObject(contractFields);
export const awardedContract = z.strictObject({ ...contractFields, ...awardedFields });
export const funder = z.strictObject({
  id: z.uuid(),
  name: z.string().min(1),
  summary: z.string().nullable(),
  website: z.string().nullable(),
  created_at: isoDateTime,
});

export type Grant = z.infer<typeof openGrant> | z.infer<typeof awardedGrant>;
export type Contract = z.infer<typeof openContract> | z.infer<typeof awardedContract>;
export type Funder = z.infer<typeof funder>;
export type Opportunity = Grant | Contract;

export interface RecordOf {
  "grants-api": Grant;
  "contracts-api": Contract;
  "funders-api": Funder;
}
export type CollectionName = keyof RecordOf;
export type OpportunityCollection = "grants-api" | "contracts-api";
export type Scored<Item> = Item & z.infer<z.ZodObject<typeof scoreFields>>;

export const recordSchemas: { [Name in CollectionName]: z.ZodType<RecordOf[Name]> } = {
  "grants-api": z.union([openGrant, awardedGrant]),
  "contracts-api": z.union([openContract, awardedContract]),
  "funders-api": funder,
};

export const scoredSchemas: { [Name in CollectionName]: z.ZodType<Scored<RecordOf[Name]>> } = {
  "grants-api": z.union([openGrant.extend(scoreFields), awardedGrant.extend(scoreFields)]),
  "contracts-api": z.union([openContract.extend(scoreFields), awardedContract.extend(scoreFields)]),
  "funders-api": funder.extend(scoreFields),
};

const count = z.int().min(0);
const searchMode = z.enum(["keyword", "semantic", "hybrid"]);

/** The envelope of a list (2.4), with the two members of meta that we add. */
export function listOf<Item>(record: z.ZodType<Item>) {
  return z.strictObject({
    results: z.array(record),
    pagination: z.strictObject({
      total: count,
      limit: count,
      offset: count,
      returned: count,
      next: z.string().nullable(),
    }),
    meta: z.strictObject({
      response_time_ms: z.number().min(0),
      sort_by: z.string(),
      order: z.enum(["asc", "desc"]),
      search_mode: searchMode,
      data_as_of: isoDateTime,
      // Only of the feed of changes.
      last_updated_at: isoDateTime.nullable().optional(),
    }),
  });
}

/** The answer to `count_only=true`. */
export const countAnswer = z.strictObject({ total: count });

/** The answer of `POST /semantic-search`: open records alone, each with its type and score. */
export const semanticAnswer = z.strictObject({
  results: z.array(
    z.discriminatedUnion("type", [
      openGrant.extend({ ...scoreFields, type: z.literal("grants") }),
      openContract.extend({ ...scoreFields, type: z.literal("contracts") }),
    ]),
  ),
  meta: z.looseObject({ response_time_ms: z.number().min(0), search_mode: searchMode, data_as_of: isoDateTime }),
});

/** An RFC 9457 problem document. */
export const problemDocument = z.strictObject({
  type: z.url(),
  title: z.string().min(1),
  status: z.int(),
  detail: z.string().min(1),
  instance: z.string().startsWith("/"),
  request_id: z.string().min(1),
  errors: z
    .array(z.strictObject({ parameter: z.string().min(1), message: z.string().min(1) }))
    .min(1)
    .optional(),
});
export type ProblemDocument = z.infer<typeof problemDocument>;
