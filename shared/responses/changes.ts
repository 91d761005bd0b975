import * as z from "zod";
import { moment } from "./fields.ts";

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
