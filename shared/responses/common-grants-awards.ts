import * as z from "zod";
import { awardStatuses } from "../validation/common-grants.ts";
import { event, money, paginationInfo, success } from "./common-grants.ts";
import { moment } from "./fields.ts";

/** Awards of the CommonGrants protocol, version 0.4.0, as far as there are values for them here. Fields without a value are left out. */

export function identifierOf<Code extends z.ZodType, Id extends z.ZodType>(code: Code, id: Id) {
  return z
    .object({
      registry: z.object({ code: code.optional(), url: z.string().optional().meta({ format: "uri" }) }).optional(),
      id: id.optional(),
    })
    .meta({ description: "An identifier that a registry gave." });
}

const otherIds = z
  .record(z.string(), identifierOf(z.string(), z.string()))
  .optional()
  .meta({ description: "Identifiers of other registries, by their code." });

const organization = z
  .object({
    id: z.guid().meta({
      description:
        "Of a funder: its id at /funders-api. Of a recipient: made of its identifier or name; it leads nowhere.",
    }),
    name: z.string(),
    identifiers: z
      .object({
        "org:us:ein": identifierOf(z.enum(["org:us:ein"]), z.string().regex(/^[0-9]{9}$/)).optional(),
        "org:us:uei": identifierOf(z.enum(["org:us:uei"]), z.string().regex(/^[A-HJ-NP-Z0-9]{12}$/)).optional(),
      })
      .optional(),
  })
  .meta({ description: "A reference to an organization." });

const organizations = z.object({ primary: organization }).meta({ description: "Organizations with one role." });

/** AwardBase of the protocol: an awarded project of the grants. */
export const commonAward = z
  .object({
    id: z.guid().meta({ description: "Id of the grant.", examples: ["cb75c555-bd5f-891d-a251-07bba87727b9"] }),
    title: z.string(),
    identifiers: z
      .object({
        "awd:us:fain": identifierOf(z.enum(["awd:us:fain"]), z.string()).optional(),
        otherIds,
      })
      .optional()
      .meta({ description: "The award's number: a FAIN, or its publisher's own." }),
    description: z.string(),
    status: z
      .object({
        value: z.enum(awardStatuses),
        customValue: z.string().optional(),
        description: z.string().optional(),
      })
      .meta({ description: "`completed` after the end of the project, else `awarded`." }),
    funding: z
      .object({
        details: z.string().optional().meta({ description: "Type of the award, as its publisher writes it." }),
        awardedAmount: money.optional(),
        disbursedAmount: money.optional(),
      })
      .optional()
      .meta({ description: "The money of the award." }),
    keyDates: z
      .object({
        awardDate: event.optional().meta({ description: "When it was awarded." }),
        periodOfPerformance: event
          .optional()
          .meta({ description: "The project, where its first and last day are known." }),
        otherDates: z
          .record(z.string(), event)
          .optional()
          .meta({ description: "`projectStart`, `projectEnd`: where one is known." }),
      })
      .optional()
      .meta({ description: "Dates of the award." }),
    funders: organizations.optional(),
    recipientOrganizations: organizations.optional(),
    source: z.string().optional().meta({ format: "uri", description: "Address of the published award." }),
    createdAt: moment("When it was awarded."),
    lastModifiedAt: moment("When the record last changed in this catalogue."),
  })
  .meta({ description: "An award of the CommonGrants protocol." });

export const awardAnswer = z.object({ ...success, data: commonAward }).meta({ description: "One award." });

export const awardPage = z
  .object({ ...success, items: z.array(commonAward), paginationInfo })
  .meta({ description: "A page of awards." });

export type CommonAward = z.infer<typeof commonAward>;
export type OrganizationRef = z.infer<typeof organization>;
