import * as z from "zod";
import { detailSchemas } from "../catalogue/details.ts";
import type { Dataset } from "../datasets.ts";
import { documentFact, readDocument } from "./documents.ts";
import { moment } from "./fields.ts";

/** What a check of an address says. */
const linkStatuses = ["ok", "failing", "broken", "unknown"] as const;

const ofEveryRecord = {
  source: z
    .string()
    .meta({ description: "Publisher of the file that the record is from.", examples: ["grants-gov", "sam-gov"] }),
  updated_at: moment("When the record last changed in this catalogue."),
};

/**
 * Details that move without a change of the record. They come to those alone who ask for them by their names in `fields`: a copy of the catalogue
 * would not be told of them.
 */
const checks = {
  first_seen_at: moment("When the record first came to this catalogue. Null if it came before version 1.2.")
    .nullable()
    .optional(),
  last_seen_at: moment("When the publisher's data that was imported last had the record. Null until an import has it.")
    .nullable()
    .optional(),
  link_status: z
    .enum(linkStatuses)
    .nullable()
    .optional()
    .meta({
      description:
        "What is at the address of the record (`listing_url`, of a funder `website`). `ok`: it answered. `failing`: at the last check it did not. `broken`: it did not three times in three weeks. `unknown`: its host lets no program look. Null where it was not checked.",
      examples: ["ok"],
    }),
  link_checked_at: moment("When that was checked last: weekly, of current opportunities and funders.")
    .nullable()
    .optional(),
};

/** The same of grants and contracts: what was read of their documents. */
const ofDocuments = {
  documents_read: z
    .array(readDocument)
    .optional()
    .meta({ description: "Documents of the record that were read, or why one could not be.", examples: [[]] }),
  document_facts: z
    .array(documentFact)
    .optional()
    .meta({
      description:
        "Facts that a program read in the record's documents, each with the sentence that states it. They change nothing of what the publisher says of the record.",
      examples: [[]],
    }),
};

/** Name of one of these. */
export type CheckName = keyof typeof checks | keyof typeof ofDocuments;

/** Names of these, by dataset. */
export const checkNames: Readonly<Record<Dataset, readonly string[]>> = {
  grants: [...Object.keys(checks), ...Object.keys(ofDocuments)],
  contracts: [...Object.keys(checks), ...Object.keys(ofDocuments)],
  funders: Object.keys(checks),
};

/** Other versions of a grant or contract. Follows from other records; no source gives it. */
const sameAs = z
  .array(
    z.object({
      id: z.uuid(),
      by: z.enum(["notice", "source"]),
      is_listed: z.boolean(),
    }),
  )
  .meta({
    description:
      "Other records of the same opportunity, by its number, agency and title: `notice`: another notice of the same source, `source`: from another source. Lists show the one that `is_listed`; if there is none, this record.",
    examples: [[{ id: "cb75c555-bd5f-891d-a251-07bba87727b9", by: "notice", is_listed: false }]],
  });

/** Details that `expand=details` adds to a grant or contract. A field that a source does not give is null, or an empty list. */
export const opportunityDetails = z
  .object({ ...detailSchemas, same_as: sameAs, ...ofEveryRecord, ...checks, ...ofDocuments })
  .meta({ description: "Details of a grant or contract. Only if `expand=details` was asked for." });

/** Details that `expand=details` adds to a funder. */
export const funderDetails = z
  .object({
    ein: z
      .string()
      .nullable()
      .meta({
        description: "Employer Identification Number of a private foundation: nine digits. Null of others.",
        examples: ["123456789"],
      }),
    ...ofEveryRecord,
    ...checks,
  })
  .meta({ description: "Details of a funder. Only if `expand=details` was asked for." });

export type FunderDetails = z.infer<typeof funderDetails>;
export type OpportunityDetails = z.infer<typeof opportunityDetails>;
