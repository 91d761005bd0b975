import type { z } from "zod";
import { cursorFitsOrder, type Paged } from "./cursor.ts";

interface ListParameters extends Paged {
  search?: string | undefined;
  search_mode: string;
  count_only: boolean;
  format?: string | undefined;
  facets?: readonly string[] | undefined;
}

/** Checks that the parameters of a list go together. */
export function parametersFit(parameters: ListParameters, context: z.core.$RefinementCtx): void {
  searchNeedsTerm(parameters, context);
  cursorFitsOrder(parameters, context);
  csvIsRecords(parameters, context);
}

/** Ranking needs something to rank by. */
function searchNeedsTerm(parameters: ListParameters, context: z.core.$RefinementCtx): void {
  if (parameters.search !== undefined) return;
  if (parameters.search_mode !== "keyword") {
    context.addIssue({
      code: "custom",
      path: ["search"],
      message: `is required when search_mode is ${parameters.search_mode}`,
    });
  }
  if ((parameters.sort_by ?? parameters.cursor?.sort_by) === "relevance") {
    context.addIssue({ code: "custom", path: ["search"], message: "is required when sort_by is relevance" });
  }
}

/** A CSV file has records and nothing else. */
function csvIsRecords(parameters: ListParameters, context: z.core.$RefinementCtx): void {
  if (parameters.format !== "csv") return;
  const refuse = (name: string) =>
    context.addIssue({ code: "custom", path: [name], message: "is not for format=csv, which has only records" });
  if (parameters.count_only) refuse("count_only");
  if (parameters.facets !== undefined) refuse("facets");
}
