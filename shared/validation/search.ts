import type { z } from "zod";

interface SearchParameters {
  search?: string | undefined;
  search_mode: string;
  sort_by?: string | undefined;
}

/** Ranking needs something to rank by. */
export function searchNeedsTerm(parameters: SearchParameters, context: z.core.$RefinementCtx): void {
  if (parameters.search !== undefined) return;
  if (parameters.search_mode !== "keyword") {
    context.addIssue({
      code: "custom",
      path: ["search"],
      message: `is required when search_mode is ${parameters.search_mode}`,
    });
  }
  if (parameters.sort_by === "relevance") {
    context.addIssue({ code: "custom", path: ["search"], message: "is required when sort_by is relevance" });
  }
}
