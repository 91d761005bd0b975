import * as z from "zod";
import { customField, paginationInfo, success } from "./common-grants.ts";
import { identifierOf } from "./common-grants-awards.ts";

/** Organizations of the CommonGrants protocol, version 0.4.0, as far as there are values for them here. Fields without a value are left out. */

/** OrganizationBase of the protocol: a funder. */
export const commonOrganization = z
  .object({
    id: z.guid().meta({ description: "Id of the funder.", examples: ["3fcba028-2b9c-8a62-a983-a71781e55569"] }),
    name: z.string().meta({ examples: ["Food and Nutrition Service"] }),
    identifiers: z
      .object({ "org:us:ein": identifierOf(z.enum(["org:us:ein"]), z.string().regex(/^[0-9]{9}$/)).optional() })
      .optional()
      .meta({ description: "The EIN of a private foundation." }),
    socials: z
      .object({ website: z.string().optional().meta({ format: "uri" }) })
      .optional()
      .meta({ description: "The organization on the web." }),
    customFields: z
      .record(z.string(), customField)
      .optional()
      .meta({ description: "`summary`, `dataSource`, `lastModifiedAt`." }),
  })
  .meta({ description: "An organization of the CommonGrants protocol." });

export const organizationAnswer = z
  .object({ ...success, data: commonOrganization })
  .meta({ description: "One organization." });

export const organizationPage = z
  .object({ ...success, items: z.array(commonOrganization), paginationInfo })
  .meta({ description: "A page of organizations." });

export type CommonOrganization = z.infer<typeof commonOrganization>;
