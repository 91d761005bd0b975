import * as z from "zod";
import { moment } from "./fields.ts";

/** Fields whose changes are noted: those of records, then those of details. The database has the same (`funding.api_fields`). */
export const changeableFields = [
  "title",
  "description",
  "amount_min",
  "amount_max",
  "deadline_date",
  "project_end_date",
  "status",
  "geography",
  "funder_id",
  "listing_url",
  "created_at",
  "categories",
  "archived_at",
  "document_url",
  "naics",
  "primary_contact_email",
  "set_aside_code",
  "name",
  "summary",
  "website",
  "opportunity_number",
  "notice_type",
  "agency",
  "applicant_types",
  "eligibility_text",
  "assistance_listings",
  "funding_instrument",
  "cost_sharing",
  "expected_awards",
  "total_funding",
  "psc",
  "place_of_performance",
  "documents",
  "deadline_at",
  "deadline_assumed",
  "deadline_note",
] as const;

/** Change of one field of a record. */
export const fieldChange = z.object({
  field: z.string().meta({ description: "Field of the record or of its details.", examples: ["deadline_date"] }),
  from: z.unknown().meta({ description: "Its value before; null where it had none." }),
  to: z.unknown().meta({ description: "Its value since." }),
});

/** Answer of `GET /NAME/{id}/changes`. */
export const recordChanges = z
  .object({
    results: z.array(
      z.object({
        changed_at: moment("When the change was imported."),
        changes: z.array(fieldChange).meta({
          examples: [[{ field: "deadline_date", from: "2027-03-05", to: "2027-04-02" }]],
        }),
      }),
    ),
    next: z
      .string()
      .nullable()
      .meta({ description: "`cursor` of the next page; null on the last page.", examples: ["4711"] }),
  })
  .meta({ description: "What changed in a record, newest first." });

export type FieldChange = z.infer<typeof fieldChange>;
export type RecordChanges = z.infer<typeof recordChanges>;
