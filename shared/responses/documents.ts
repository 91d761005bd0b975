import * as z from "zod";
import { count, id, moment, responseTime } from "./fields.ts";

/** Facts that are looked for in documents, by the rules of `ingest/documents/facts`. */
export const factNames = [
  "letter_of_intent_due",
  "questions_due",
  "narrative_page_limit",
  "expected_awards",
  "cost_share_required",
  "cost_share_percent",
] as const;

const documentId = id("Id of the document: `GET /documents/{id}` gives its text.");
const page = z.int().min(1).nullable();
const address = z.string().nullable().meta({
  description: "Address of the document, of a PDF with the page. Null of a file that the operator of this API added.",
});

/** A document that was read, or why it could not be. */
export const readDocument = z.object({
  id: documentId,
  name: z
    .string()
    .nullable()
    .meta({ description: "Name in an archive, or of a file without an address; null of others." }),
  url: address,
  media_type: z.string().nullable(),
  pages: z.int().min(0).nullable().meta({ description: "Null where the format has no pages." }),
  fetched_at: moment("When the file was fetched.").nullable(),
  checked_at: moment("When it was looked for last."),
  problem: z
    .string()
    .nullable()
    .meta({ description: "Why it could not be had or read at the last look; null where it was." }),
});

/** A fact that a document states, with its proof. */
export const documentFact = z.object({
  name: z.enum(factNames),
  value: z.union([z.string(), z.number(), z.boolean()]),
  sentence: z.string().meta({ description: "The sentence that states it." }),
  page: page.meta({ description: "Page that states it; null where the format has no pages." }),
  url: address,
  document_id: documentId,
});

const document = z
  .object({
    ...readDocument.shape,
    url: address.meta({ description: "Address of the file. Null of one that the operator of this API added." }),
    is_cut: z.boolean().meta({ description: "Whether its text was too long, and the end of it is missing." }),
    records: z
      .array(
        z.object({
          type: z.enum(["grants", "contracts"]),
          id: id("The record's id."),
          title: z.string(),
        }),
      )
      .meta({
        description:
          "Grants and contracts that have the document, by title: the first hundred of those that the key reads.",
      }),
    facts: z.array(documentFact).meta({
      description: "Facts that a program read in it, each with the sentence that states it.",
    }),
  })
  .meta({ description: "A document, without its text." });

export const documentPassage = z
  .object({
    number: z.int().min(1).meta({ description: "Its place in the document, from 1." }),
    page: page.meta({ description: "Page on which it begins; null where the format has no pages." }),
    last_page: page.meta({ description: "Page on which it ends." }),
    heading: z
      .string()
      .nullable()
      .meta({
        description: "Headings above it, the outermost first.",
        examples: ["Eligibility > Cost sharing"],
      }),
    text: z.string().meta({ description: "The passage: paragraphs, items and rows, each on a line." }),
    url: address.meta({
      description:
        "Address to cite: that of the document, of a PDF with the page (`#page=12`). Null of a file that the operator of this API added.",
    }),
  })
  .meta({ description: "A part of a document, of some 200 words, which ends where a sentence does." });

/** Answer of `GET /documents/{id}`. */
export const documentAnswer = z
  .object({
    document,
    passages: z
      .array(documentPassage)
      .meta({ description: "Its text in order. Empty where it could not be read: `document.problem` says why." }),
    pagination: z.object({
      total: count("All passages of the document; with `page`, those on that page."),
      limit: count("Limit that was applied."),
      offset: count("Offset that was applied."),
      returned: count("Passages in this answer."),
    }),
    meta: z.object({ response_time_ms: responseTime }),
  })
  .meta({ description: "A document, and a part of its text." });

export type DocumentAnswer = z.infer<typeof documentAnswer>;
