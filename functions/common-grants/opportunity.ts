import type { CommonOpportunity, CustomField, SingleDateEvent } from "../../shared/responses/common-grants.ts";
import type { OpportunityDetails } from "../../shared/responses/details.ts";
import type { Grant } from "../../shared/responses/records.ts";
import { toUri } from "./uri.ts";

/** A grant with its details, as the RPCs return it for `expand=details`. */
export type DetailedGrant = Grant & { details: OpportunityDetails };

/** Makes the protocol's opportunity of a grant. Fields without a value are left out. */
export function toOpportunity(grant: DetailedGrant): CommonOpportunity {
  const { id, title, description, created_at, listing_url, details } = grant;
  const applicantTypes = details.applicant_types.map((value) =>
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
          totalAmountAvailable: toMoney(details.total_funding),
          minAwardAmount: toMoney(grant.amount_min),
          maxAwardAmount: toMoney(grant.amount_max),
          estimatedAwardCount: details.expected_awards,
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
    lastModifiedAt: details.updated_at,
  };
}

function isAwarded(grant: Grant): boolean {
  return "project_end_date" in grant;
}

function statusOf(grant: Grant): CommonOpportunity["status"] {
  if (isAwarded(grant)) return { value: "custom", customValue: "awarded" };
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
function toMoney(amount: number | null) {
  return amount === null ? undefined : { amount: toDecimal(amount), currency: "USD" };
}

/** A number that is not negative in decimal digits, where JavaScript would write an exponent. */
function toDecimal(value: number): string {
  const [mantissa = "", power] = String(value).split("e");
  if (power === undefined) return mantissa;
  const digits = mantissa.replace(".", "");
  const exponent = Number(power);
  return exponent < 0 ? `0.${"0".repeat(-exponent - 1)}${digits}` : digits.padEnd(exponent + 1, "0");
}

function onDay(name: string, date: string): SingleDateEvent {
  return { name, eventType: "singleDate", date };
}

/** The deadline, with its time of day where the source says it: one that is assumed is left out. */
function closeDateOf({ deadline_date, details }: DetailedGrant): SingleDateEvent | undefined {
  if (deadline_date === null) return undefined;
  const event = onDay("Close date", deadline_date);
  const { deadline_at, deadline_assumed } = details;
  const [, time, offset] = /T(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(deadline_at ?? "") ?? [];
  if (time === undefined || deadline_assumed) return event;
  return { ...event, time, description: `The time is that of UTC${offset === "Z" ? "" : offset}.` };
}

function otherDatesOf({ project_end_date }: Grant) {
  if (project_end_date === undefined || project_end_date === null) return undefined;
  return { projectEnd: onDay("End of the project", project_end_date) };
}

/** Custom fields, by name: values for which the protocol has no field. */
function customFieldsOf({ categories, funder_id, funder_name, geography, details }: DetailedGrant) {
  const { assistance_listings, place_of_performance, documents } = details;
  return Object.fromEntries(
    [
      text("opportunityNumber", details.opportunity_number, "Number of the opportunity or award."),
      list("agency", details.agency, "Organizations that publish it, each within the one before."),
      text("funderName", funder_name, "The funder."),
      text("funderId", funder_id, "Id of the funder at /funders-api."),
      list("categories", categories, "Categories of the catalogue."),
      text("geography", geography, "Place, as free text."),
      text("noticeType", details.notice_type, "Type of the notice, as its publisher writes it."),
      text("eligibilityText", details.eligibility_text, "Who may apply, in the publisher's words."),
      list("assistanceListings", assistance_listings.map(withoutNulls), "Assistance listings (CFDA numbers)."),
      list("fundingInstruments", details.funding_instrument, "Forms in which the money may be given."),
      field("boolean", "costSharing", details.cost_sharing, "Whether the applicant has to bring a part of the money."),
      field(
        "object",
        "placeOfPerformance",
        place_of_performance === null ? null : nonEmpty(withoutNulls(place_of_performance)),
        "Where the work is done.",
      ),
      list("documents", documents.map(withoutNulls), "Documents of the notice."),
      text(
        "deadlineAt",
        details.deadline_at,
        details.deadline_assumed
          ? "Moment of the deadline. Its hour is assumed: the source gives the day alone."
          : "Moment of the deadline.",
      ),
      text("deadlineNote", details.deadline_note, "What the publisher says of the deadline besides its day."),
      text("dataSource", details.source, "Publisher of the file that the record is from."),
    ].flatMap((custom) => (custom === undefined ? [] : [[custom.name, custom]])),
  );
}

function field(
  fieldType: CustomField["fieldType"],
  name: string,
  value: unknown,
  description: string,
): CustomField | undefined {
  return value === null || value === undefined ? undefined : { name, fieldType, value, description };
}

function text(name: string, value: string | null, description: string) {
  return field("string", name, value, description);
}

function list(name: string, items: readonly unknown[], description: string) {
  return field("array", name, items.length === 0 ? null : items, description);
}

function withoutNulls(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function nonEmpty<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}

/** Members that have a value. */
type Present<Value> = { [Name in keyof Value]?: NonNullable<Value[Name]> };

function present<Value extends object>(value: Value): Present<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== null && member !== undefined),
  ) as Present<Value>;
}
