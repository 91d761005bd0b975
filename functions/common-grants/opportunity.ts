import * as z from "zod";
import { type Detail, details } from "../../shared/catalogue/details.ts";
import type { CommonOpportunity, CustomField, SingleDateEvent } from "../../shared/responses/common-grants.ts";
import type { OpportunityDetails } from "../../shared/responses/details.ts";
import type { Grant } from "../../shared/responses/records.ts";
import { toUri } from "./uri.ts";

/** A grant with its details, as the RPCs return it for `expand=details`. */
export type DetailedGrant = Grant & { details: OpportunityDetails };

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

/** Details that are custom fields, with what is said of each: the first sentence of its description. */
const customDetails = Object.entries<Detail>(details).flatMap(([detail, { schema, commonGrants }]) => {
  const [place, name] = commonGrants?.split(".") ?? [];
  if (place !== "customFields" || name === undefined) return [];
  return [{ detail: detail as keyof typeof details, name, about: descriptionOf(schema).split(/(?<=\.) /)[0] ?? "" }];
});

function descriptionOf(schema: z.ZodType): string {
  return schema.description ?? (schema instanceof z.ZodNullable ? descriptionOf(schema.unwrap() as z.ZodType) : "");
}

/** Custom fields, by name: values for which the protocol has no field. */
function customFieldsOf({ categories, funder_id, funder_name, geography, details: known }: DetailedGrant) {
  const assumed = known.deadline_assumed ? " Its hour is assumed: the source gives the day alone." : "";
  const fields = [
    field("funderName", funder_name, "The funder."),
    field("funderId", funder_id, "Id of the funder at /funders-api."),
    field("categories", categories, "Categories of the catalogue."),
    field("geography", geography, "Place, as free text."),
    ...customDetails.map(({ detail, name, about }) =>
      field(name, known[detail], detail === "deadline_at" ? `${about}${assumed}` : about),
    ),
    field("dataSource", known.source, "Publisher of the file that the record is from."),
  ];
  return Object.fromEntries(fields.flatMap((custom) => (custom === undefined ? [] : [[custom.name, custom]])));
}

/** A custom field; undefined where the source does not give the value, an item or a member of it. */
function field(name: string, given: unknown, description: string): CustomField | undefined {
  if (Array.isArray(given)) {
    const value = given.map((item) => (typeof item === "object" ? withoutNulls(item) : item));
    return value.length === 0 ? undefined : { name, fieldType: "array", value, description };
  }
  if (typeof given === "object" && given !== null) {
    const value = nonEmpty(withoutNulls(given));
    return value === undefined ? undefined : { name, fieldType: "object", value, description };
  }
  const fieldType = typeof given as "string" | "number" | "boolean";
  return given === null || given === undefined ? undefined : { name, fieldType, value: given, description };
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
