import * as z from "zod";
import { type Detail, details } from "../../shared/catalogue/details.ts";
import type { CustomField } from "../../shared/responses/common-grants.ts";
import type { OpportunityDetails } from "../../shared/responses/details.ts";
import type { Grant } from "../../shared/responses/records.ts";
import { toUri } from "./uri.ts";

/** A grant with its details, as the RPCs return it for `expand=details`. */
export type DetailedGrant = Grant & { details: OpportunityDetails };

type DetailName = keyof typeof details;

/** Details that are custom fields, with what is said of each: the first sentence of its description. */
const customDetails = Object.entries<Detail>(details).flatMap(([detail, { schema, commonGrants }]) => {
  const [place, name] = commonGrants?.split(".") ?? [];
  if (place !== "customFields" || name === undefined) return [];
  return [{ detail: detail as DetailName, name, about: descriptionOf(schema).split(/(?<=\.) /)[0] ?? "" }];
});

function descriptionOf(schema: z.ZodType): string {
  return schema.description ?? (schema instanceof z.ZodNullable ? descriptionOf(schema.unwrap() as z.ZodType) : "");
}

/**
 * Values of the fields that the protocol's catalogue has (website/src/specs/custom-fields of HHS/simpler-grants-protocol), in its shapes. Other details
 * are shown as they are.
 */
const catalogued: {
  [Name in DetailName]?: (value: NonNullable<OpportunityDetails[Name]>, grant: DetailedGrant) => unknown;
} = {
  agency: (path) => nonEmpty(present({ name: path.at(-1), parentName: path.at(-2) })),
  assistance_listings: (listings) =>
    listings.map(({ number, title }) => present({ identifier: number, programTitle: title })),
  cost_sharing: (isRequired) => ({ isRequired }),
  eligibility_text: (text) => ({ details: text }),
  funding_instrument: (instruments) => instruments.map((value) => instrumentNames[value]),
  documents: (documents, grant) => documents.flatMap((document) => fileOf(document, grant)),
};

const instrumentNames: Record<OpportunityDetails["funding_instrument"][number], string> = {
  grant: "grant",
  cooperative_agreement: "cooperativeAgreement",
  procurement_contract: "procurementContract",
  other: "other",
};

/** A document as the protocol's File. Where its publisher does not say when it changed, it is as old as the opportunity. */
function fileOf(
  { url, name, type, size, updated_at }: OpportunityDetails["documents"][number],
  { created_at }: DetailedGrant,
): object[] {
  const downloadUrl = toUri(url);
  if (downloadUrl === undefined) return [];
  const changed = updated_at ?? created_at;
  return [
    {
      downloadUrl,
      name: name ?? lastSegment(downloadUrl),
      ...present({ sizeInBytes: size, mimeType: type }),
      createdAt: changed,
      lastModifiedAt: changed,
    },
  ];
}

function lastSegment(address: string): string {
  const { pathname, host } = new URL(address);
  return pathname.split("/").findLast((segment) => segment !== "") ?? host;
}

/** Names that fields had in 1.3, with details as they are. They go with the release after the next. */
const former: Readonly<Record<string, { detail: DetailName; now: string }>> = {
  opportunityNumber: { detail: "opportunity_number", now: "federalOpportunityNumber" },
  eligibilityText: { detail: "eligibility_text", now: "eligibilityCriteria" },
  fundingInstruments: { detail: "funding_instrument", now: "federalFundingInstruments" },
  contact: { detail: "contact", now: "contactInfo" },
  documents: { detail: "documents", now: "attachments" },
};

/** Custom fields, by name: values for which the protocol has no field. */
export function customFieldsOf(grant: DetailedGrant): Record<string, CustomField> {
  const { categories, funder_id, funder_name, geography, details: known } = grant;
  const assumed = known.deadline_assumed ? " Its hour is assumed: the source gives the day alone." : "";
  const fields = [
    field("funderName", funder_name, "The funder."),
    field("funderId", funder_id, "Id of the funder at /funders-api."),
    field("categories", categories, "Categories of the catalogue."),
    field("geography", geography, "Place, as free text."),
    legacySerialId(grant),
    ...customDetails.map(({ detail, name, about }) =>
      field(name, shapedValue(detail, grant), detail === "deadline_at" ? `${about}${assumed}` : about),
    ),
    field("dataSource", known.source, "Publisher of the file that the record is from."),
    ...Object.entries(former).map(([name, { detail, now }]) =>
      field(name, known[detail], `Deprecated: ${now} has it, in the shape of the protocol's catalogue.`),
    ),
  ];
  return Object.fromEntries(fields.flatMap((custom) => (custom === undefined ? [] : [[custom.name, custom]])));
}

function shapedValue<Name extends DetailName>(name: Name, grant: DetailedGrant): unknown {
  const value = grant.details[name];
  const shape = catalogued[name];
  return value === null || value === undefined || shape === undefined ? value : shape(value, grant);
}

/** The numeric id of Grants.gov, with which the address of its page ends. */
function legacySerialId({ listing_url, details: { source } }: DetailedGrant): CustomField | undefined {
  const digits = /^https:\/\/www\.grants\.gov\/.*\/(\d{1,15})$/.exec(
    source === "grants-gov" ? (listing_url ?? "") : "",
  )?.[1];
  if (digits === undefined) return undefined;
  return { name: "legacySerialId", fieldType: "integer", value: Number(digits), description: "Id at Grants.gov." };
}

/** A custom field; undefined where the source does not give the value, an item or a member of it. */
export function field(name: string, given: unknown, description: string): CustomField | undefined {
  if (Array.isArray(given)) {
    const value = given.map((item) => (typeof item === "object" ? present(item) : item));
    return value.length === 0 ? undefined : { name, fieldType: "array", value, description };
  }
  if (typeof given === "object" && given !== null) {
    const value = nonEmpty(present(given));
    return value === undefined ? undefined : { name, fieldType: "object", value, description };
  }
  const fieldType = typeof given as "string" | "number" | "boolean";
  return given === null || given === undefined ? undefined : { name, fieldType, value: given, description };
}

/** Members that have a value. */
type Present<Value> = { [Name in keyof Value]?: NonNullable<Value[Name]> };

/** Leaves out members that are null or undefined. */
export function present<Value extends object>(value: Value): Present<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== null && member !== undefined),
  ) as Present<Value>;
}

/** An object that has a member; undefined for one without. */
export function nonEmpty<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}
