import { sha256, toHex } from "../../shared/encoding.ts";
import { publisherDay } from "../../shared/publisher-day.ts";
import type { CommonAward, OrganizationRef } from "../../shared/responses/common-grants-awards.ts";
import type { Grant } from "../../shared/responses/records.ts";
import { type DetailedGrant, nonEmpty, present } from "./custom-fields.ts";
import { onDay, toMoney } from "./opportunity.ts";
import { toUri } from "./uri.ts";

export function isAwarded(grant: Grant): boolean {
  return "project_end_date" in grant;
}

/** Makes the protocol's award of an awarded project. Fields without a value are left out. */
export async function toAward(grant: DetailedGrant, today = publisherDay(new Date())): Promise<CommonAward> {
  const { id, title, description, created_at, listing_url, funder_id, funder_name, details: known } = grant;
  const recipient = await recipientOf(known.recipient);
  return {
    id,
    title,
    ...present({ identifiers: identifiersOf(known) }),
    description,
    status: { value: hasEnded(grant, today) ? "completed" : "awarded" },
    ...present({
      funding: nonEmpty(
        present({
          details: known.award_type,
          awardedAmount: toMoney(known.obligated_amount ?? grant.amount_max),
          disbursedAmount: toMoney(known.outlayed_amount),
        }),
      ),
      keyDates: { awardDate: onDay("Awarded", created_at.slice(0, 10)), ...projectDates(grant) },
      funders: { primary: { id: funder_id, name: funder_name } },
      recipientOrganizations: recipient && { primary: recipient },
      source: listing_url === null ? undefined : toUri(listing_url),
    }),
    createdAt: created_at,
    lastModifiedAt: known.updated_at,
  };
}

function hasEnded({ project_end_date }: Grant, today: string): boolean {
  return typeof project_end_date === "string" && project_end_date < today;
}

/** The number of the award: a FAIN where it is one, which USAspending's are, and else the publisher's own. */
function identifiersOf({ award_number, source }: DetailedGrant["details"]): CommonAward["identifiers"] {
  if (award_number === null) return undefined;
  if (source === "usaspending") return { "awd:us:fain": { registry: { code: "awd:us:fain" }, id: award_number } };
  const code = `awd:${source}:number`;
  return { otherIds: { [code]: { registry: { code }, id: award_number } } };
}

/** The project: a range where both of its ends are known. The protocol has no range with one. */
function projectDates({ project_end_date: end = null, details: { project_start_date: start } }: DetailedGrant) {
  if (start !== null && end !== null && start <= end) {
    const period = { name: "Project", eventType: "dateRange" as const, startDate: start, endDate: end };
    return { periodOfPerformance: period };
  }
  const otherDates = present({
    projectStart: start === null ? undefined : onDay("Start of the project", start),
    projectEnd: end === null ? undefined : onDay("End of the project", end),
  });
  return present({ otherDates: nonEmpty(otherDates) });
}

async function recipientOf(recipient: DetailedGrant["details"]["recipient"]): Promise<OrganizationRef | undefined> {
  if (recipient === null) return undefined;
  const { name, uei, ein } = recipient;
  const shown = name ?? uei ?? ein;
  if (shown === null) return undefined;
  const identifiers = present({
    "org:us:ein":
      ein !== null && /^\d{9}$/.test(ein) ? { registry: { code: "org:us:ein" as const }, id: ein } : undefined,
    "org:us:uei":
      uei !== null && /^[A-HJ-NP-Z0-9]{12}$/.test(uei)
        ? { registry: { code: "org:us:uei" as const }, id: uei }
        : undefined,
  });
  return {
    id: await derivedId(uei ?? ein ?? shown.toLowerCase()),
    name: shown,
    ...present({ identifiers: nonEmpty(identifiers) }),
  };
}

/** UUID of version 8 for a recipient, which has no record of its own: the same for each of its awards. */
async function derivedId(key: string): Promise<string> {
  const hash = toHex(await sha256(`recipient/${key}`));
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join("-");
}
