import * as z from "zod";
import { applicantTypes } from "../catalogue/details.ts";
import { opportunityStatuses } from "../validation/common-grants.ts";
import { moment } from "./fields.ts";

/**
 * Answers of the CommonGrants protocol, version 0.4.0 (github.com/HHS/simpler-grants-protocol), as far as there are values
 * for them here. Fields without a value are left out; nothing is null.
 */

/** Version of the protocol. */
export const protocolVersion = "0.4.0";

const int32 = () => z.int().meta({ format: "int32" });

/** An amount of money. The amount is a decimal number as text. */
export const money = z
  .object({
    amount: z
      .string()
      .regex(/^-?[0-9]+\.?[0-9]*$/)
      .meta({ description: "A decimal number as text.", examples: ["25000"] }),
    currency: z.string().meta({ description: "ISO 4217 code. Amounts of this API are US dollars.", examples: ["USD"] }),
  })
  .meta({ description: "An amount of money." });

const eventName = z.string().meta({ description: "Name of the event.", examples: ["Close date"] });
const eventDescription = z.string().optional().meta({ description: "Meaning of the event." });
const day = z.iso.date().meta({ examples: ["2027-03-05"] });
const time = z.string().meta({ format: "time", description: "Time of day without a zone, `HH:mm:ss`: 17:00:00." });

export const singleDateEvent = z
  .object({
    name: eventName,
    eventType: z.enum(["singleDate"]),
    date: day,
    time: time.optional(),
    description: eventDescription,
  })
  .meta({ description: "An event on one day." });

const dateRangeEvent = z
  .object({
    name: eventName,
    eventType: z.enum(["dateRange"]),
    startDate: day,
    startTime: time.optional(),
    endDate: day,
    endTime: time.optional(),
    description: eventDescription,
  })
  .meta({ description: "An event that lasts. This API has none." });

const otherEvent = z
  .object({
    name: eventName,
    eventType: z.enum(["other"]),
    details: z.string().optional(),
    description: eventDescription,
  })
  .meta({ description: "An event without dates. This API has none." });

export const event = z
  .union([singleDateEvent, dateRangeEvent, otherEvent])
  .meta({ description: "An event of an opportunity." });

const status = z
  .object({
    value: z.enum(opportunityStatuses),
    customValue: z
      .string()
      .optional()
      .meta({ description: "With `custom`, the status itself.", examples: ["awarded"] }),
    description: z.string().optional(),
  })
  .meta({ description: "Status of the opportunity. `custom` is an awarded project." });

const applicantType = z
  .object({
    value: z.enum(applicantTypes),
    customValue: z.string().optional().meta({ description: "With `custom`, the type itself." }),
    description: z.string().optional(),
  })
  .meta({ description: "A type of applicants." });

const funding = z
  .object({
    totalAmountAvailable: money.optional(),
    minAwardAmount: money.optional(),
    maxAwardAmount: money.optional(),
    estimatedAwardCount: z.int().optional().meta({ description: "Number of awards that the publisher expects." }),
  })
  .meta({ description: "The money of the opportunity." });

const keyDates = z
  .object({
    postDate: event.optional().meta({ description: "When the opportunity was posted." }),
    closeDate: event.optional().meta({ description: "When the opportunity closes." }),
    otherDates: z
      .record(z.string(), event)
      .optional()
      .meta({ description: "`projectEnd`: the end of an awarded project." }),
  })
  .meta({ description: "Dates of the opportunity." });

export const customFieldTypes = ["string", "number", "integer", "boolean", "object", "array"] as const;

export const customField = z
  .object({
    name: z.string(),
    fieldType: z.enum(customFieldTypes).meta({ description: "JSON type of the value." }),
    value: z.unknown(),
    description: z.string().optional(),
  })
  .meta({ description: "A field that the protocol does not have." });

/** OpportunityBase of the protocol: a grant. */
export const commonOpportunity = z
  .object({
    id: z.guid().meta({ description: "Id of the grant.", examples: ["cb75c555-bd5f-891d-a251-07bba87727b9"] }),
    title: z.string().meta({ examples: ["Lunch All Summer Program"] }),
    status,
    description: z.string(),
    funding: funding.optional(),
    keyDates: keyDates.optional(),
    acceptedApplicantTypes: z.array(applicantType).optional().meta({ description: "Who may apply." }),
    source: z.string().optional().meta({ format: "uri", description: "Address of the published notice." }),
    customFields: z
      .record(z.string(), customField)
      .optional()
      .meta({ description: "What the source says beside the protocol's fields, by name: docs/common-grants.md." }),
    createdAt: moment("When the opportunity was posted."),
    lastModifiedAt: moment("When the record last changed in this catalogue."),
  })
  .meta({ description: "A funding opportunity of the CommonGrants protocol." });

export const success = {
  status: int32().meta({ description: "The answer's status.", examples: [200] }),
  message: z.string().meta({ examples: ["Success"] }),
};

export const paginationInfo = z
  .object({
    page: int32().min(1).meta({ description: "Page that was asked for, from 1." }),
    pageSize: z.int().min(1).meta({ description: "Maximum number of records on a page." }),
    totalItems: z.int().optional().meta({ description: "All records that match, exactly." }),
    totalPages: z.int().optional().meta({ description: "All pages of them." }),
  })
  .meta({ description: "Position of this page in the list." });

export const sortInfo = z
  .object({
    sortBy: z.string().meta({ description: "Order that was applied.", examples: ["lastModifiedAt"] }),
    customSortBy: z.string().optional().meta({ description: "With `custom`, the order itself." }),
    sortOrder: z.enum(["asc", "desc"]),
    errors: z.array(z.string()).optional().meta({ description: "Wishes that were not met." }),
  })
  .meta({ description: "How the records are sorted." });

export const opportunityAnswer = z
  .object({ ...success, data: commonOpportunity })
  .meta({ description: "One opportunity." });

export const opportunityPage = z
  .object({ ...success, items: z.array(commonOpportunity), paginationInfo })
  .meta({ description: "A page of opportunities." });

/** Answer of a search. @param filters schema of the filters, as they are in the request. */
export function foundPage<Item extends z.ZodType, Filters extends z.ZodType>(item: Item, filters: Filters) {
  return z
    .object({
      ...success,
      items: z.array(item),
      paginationInfo,
      sortInfo,
      filterInfo: z
        .object({
          filters: filters.meta({ description: "The filters that were applied." }),
          errors: z
            .array(z.string())
            .optional()
            .meta({ description: "Filters that were not applied, and those that no record can meet." }),
        })
        .meta({ description: "How the records were filtered." }),
    })
    .meta({ description: "A page of what a search found." });
}

/** Every failure of the protocol. */
export const commonError = z
  .object({
    status: int32().meta({ description: "The answer's status.", examples: [400] }),
    message: z.string().meta({ description: "Cause of the failure and what to do about it, for this request." }),
    errors: z.array(z.unknown()).meta({
      description: "Wrong fields or parameters: `{ field, message }` for each. Empty for other failures.",
      examples: [[{ field: "pageSize", message: "must be an integer from 1 to 100" }]],
    }),
  })
  .meta({ description: "Why a request failed." });

export type CommonOpportunity = z.infer<typeof commonOpportunity>;
export type SingleDateEvent = z.infer<typeof singleDateEvent>;
export type CustomField = z.infer<typeof customField>;
export type CommonError = z.infer<typeof commonError>;
export type PaginationInfo = z.infer<typeof paginationInfo>;
export type SortInfo = z.infer<typeof sortInfo>;
