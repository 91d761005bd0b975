import * as z from "zod";
import { id } from "./fields.ts";
import { markedRanges } from "./highlights.ts";

/** A part of a document, of some 200 words, which ends where a sentence does. */
export const passage = z
  .object({
    document_id: id("Id of the document: `GET /documents/{id}` gives all of its text."),
    name: z.string().nullable().meta({
      description: "Name of the document in an archive, or of a file without an address; null of others.",
    }),
    url: z.string().nullable().meta({
      description:
        "Address of the document, of a PDF with the page (`#page=12`). Null of a file that the operator of this API added.",
    }),
    page: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: "Page on which the passage begins; null where the format has no pages." }),
    last_page: z.int().min(1).nullable().meta({ description: "Page on which it ends." }),
    heading: z
      .string()
      .nullable()
      .meta({
        description: "Headings above it, the outermost first.",
        examples: ["Eligibility > Cost sharing"],
      }),
    text: z.string().meta({ description: "The passage: paragraphs, items and rows, each on a line." }),
    ranges: markedRanges("text"),
  })
  .meta({ description: "A passage of a document that has what was searched for." });

export const passages = z.array(passage).meta({
  description: "Up to three passages of the record's documents, the best first. Only with `passages=true`.",
});

export type Passage = z.infer<typeof passage>;
