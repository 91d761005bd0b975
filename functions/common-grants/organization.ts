import type { CommonOrganization } from "../../shared/responses/common-grants-organizations.ts";
import type { FunderDetails } from "../../shared/responses/details.ts";
import type { Funder } from "../../shared/responses/records.ts";
import type { OrganizationPages } from "../../shared/validation/common-grants.ts";
import type { ListParameters } from "../../shared/validation/list.ts";
import { field, nonEmpty, present } from "./custom-fields.ts";
import { largestOffset } from "./list-parameters.ts";
import { toUri } from "./uri.ts";

/** A funder with its details, as the RPCs return it for `expand=details`. */
export type DetailedFunder = Funder & { details: FunderDetails };

/** Makes the protocol's organization of a funder. Fields without a value are left out. */
export function toOrganization({ id, name, summary, website, details }: DetailedFunder): CommonOrganization {
  const { ein, source, updated_at } = details;
  const address = website === null ? undefined : toUri(website);
  const customFields = [
    field("summary", summary, "What the source says of the organization."),
    field("dataSource", source, "Publisher of the file that the record is from."),
    field("lastModifiedAt", updated_at, "When the record last changed in this catalogue."),
  ];
  return {
    id,
    name,
    ...present({
      identifiers: ein === null ? undefined : { "org:us:ein": { registry: { code: "org:us:ein" as const }, id: ein } },
      socials: nonEmpty(present({ website: address })),
      customFields: Object.fromEntries(customFields.flatMap((one) => (one === undefined ? [] : [[one.name, one]]))),
    }),
  };
}

/** Parameters of `list_funders` for a page of organizations, of all or of those with an identifier. Only EINs are known here. */
export function organizationParameters({ page, pageSize, registry, id }: OrganizationPages): ListParameters {
  return {
    ...(registry === undefined ? {} : identified(registry, id)),
    expand: ["details"],
    limit: pageSize,
    offset: Math.min((page - 1) * pageSize, largestOffset),
    search_mode: "keyword",
    count_only: false,
    sort_by: "name",
    order: "asc",
  };
}

function identified(registry: string, id: string | undefined): { ein: string } | { has_ein: true } {
  // No funder has the EIN "": one of another registry is not found.
  if (registry !== "org:us:ein") return { ein: "" };
  return id === undefined ? { has_ein: true } : { ein: id.replace(/^(\d\d)-(?=\d{7}$)/, "$1") };
}
