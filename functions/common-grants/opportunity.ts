import type { CommonOpportunity, SingleDateEvent } from "../../shared/responses/common-grants.ts";
import type { Grant } from "../../shared/responses/records.ts";
import { customFieldsOf, type DetailedGrant, nonEmpty, present } from "./custom-fields.ts";
import { toUri } from "./uri.ts";

/** Makes the protocol's opportunity of a grant. Fields without a value are left out. */
export function toOpportunity(grant: DetailedGrant): CommonOpportunity {
  const { id, title, description, created_at, listing_url, details: known } = grant;
  const applicantTypes = known.applicant_types.map((value) =>
    value === "custom" ? { value, customValue: "other" } : { value },
  );
  return {
    id,
    title,
    status: statusOf(grant),
    description,
    ...present({
      funding: nonEmpty(
        present({
          totalAmountAvailable: toMoney(known.total_funding),
          minAwardAmount: toMoney(grant.amount_min),
          maxAwardAmount: toMoney(grant.amount_max),
          estimatedAwardCount: known.expected_awards,
        }),
      ),
      keyDates: {
        postDate: onDay("Posted", created_at.slice(0, 10)),
        ...present({ closeDate: closeDateOf(grant), otherDates: otherDatesOf(grant) }),
      },
      acceptedApplicantTypes: applicantTypes.length === 0 ? undefined : applicantTypes,
      source: listing_url === null ? undefined : toUri(listing_url),
      customFields: customFieldsOf(grant),
    }),
    createdAt: created_at,
    lastModifiedAt: known.updated_at,
  };
}

function statusOf(grant: Grant): CommonOpportunity["status"] {
  if ("project_end_date" in grant) return { value: "custom", customValue: "awarded" };
  switch (grant.status) {
    case "open":
    case "posted":
      return { value: "open" };
    case "closed":
      return { value: "closed" };
    case "forecasted":
    case "upcoming":
      return { value: "forecasted" };
  }
}

/** US dollars as the protocol has them; undefined for null. Numbers have no exponent. */
export function toMoney(amount: number | null) {
  return amount === null ? undefined : { amount: toDecimal(amount), currency: "USD" };
}

/** A number in decimal digits, where JavaScript would write an exponent. */
function toDecimal(value: number): string {
  if (value < 0) return `-${toDecimal(-value)}`;
  const [mantissa = "", power] = String(value).split("e");
  if (power === undefined) return mantissa;
  const digits = mantissa.replace(".", "");
  const exponent = Number(power);
  return exponent < 0 ? `0.${"0".repeat(-exponent - 1)}${digits}` : digits.padEnd(exponent + 1, "0");
}

export function onDay(name: string, date: string): SingleDateEvent {
  return { name, eventType: "singleDate", date };
}

/** The deadline, with its time of day where the source says it: one that is assumed is left out. */
function closeDateOf({ deadline_date, details: known }: DetailedGrant): SingleDateEvent | undefined {
  if (deadline_date === null) return undefined;
  const event = onDay("Close date", deadline_date);
  const { deadline_at, deadline_assumed } = known;
  const [, time, offset] = /T(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(deadline_at ?? "") ?? [];
  if (time === undefined || deadline_assumed) return event;
  return { ...event, time, description: `The time is that of UTC${offset === "Z" ? "" : offset}.` };
}

function otherDatesOf({ project_end_date }: Grant) {
  if (project_end_date === undefined || project_end_date === null) return undefined;
  return { projectEnd: onDay("End of the project", project_end_date) };
}
