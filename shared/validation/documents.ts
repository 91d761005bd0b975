import * as z from "zod";
import { integer, maximumOffset, maximumPageSize } from "./fields.ts";

const fields = {
  page: integer(1, 100_000)
    .optional()
    .meta({
      description: "Page of the document: its passages alone, also those that begin before it or end after it.",
      examples: [12],
    }),
  limit: integer(1, maximumPageSize).default(20).meta({ description: "Maximum number of passages in the answer." }),
  offset: integer(0, maximumOffset).default(0).meta({ description: "Passages to skip." }),
};

/** Query parameters of `GET /documents/{id}`. */
export const documentParameters = { names: Object.keys(fields), schema: z.strictObject(fields) };
